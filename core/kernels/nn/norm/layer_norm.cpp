#include "layer_norm.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/convert/packed.hpp"
#include "kernels/nn/row_space.hpp"

namespace strided {
namespace {

constexpr Index kMostChunks = 16, kLeastRows = 16;

// A weight or a bias, as lanes.
class Factors {
 public:
  Factors(const Operand* from, DType lane)
      : input_(from == nullptr ? lane : from->dtype, lane,
               from == nullptr ? 0 : from->step(0)),
        first_(from == nullptr ? nullptr : from->first()) {}

  bool in_place(Index n) const { return first_ == nullptr || input_.in_place(n); }
  // Elements [i, i + n), or null.
  const std::byte* read(Index i, Index n) {
    if (first_ == nullptr) return nullptr;
    if (read_ != n || i != 0) lanes_ = input_.read(input_.further(first_, i), n);
    read_ = i == 0 ? n : -1;
    return lanes_;
  }

 private:
  kernels::convert::PackedInput input_;
  const std::byte* const first_;
  const std::byte* lanes_ = nullptr;
  Index read_ = -1;  // the first so many are still there
};

// One thread's buffers, and what it does to a row. A row that does not lie side by side is read block by
// block, as often as it takes.
class Norm {
 public:
  Norm(const Operand& out, const Operand& x, const Operand* weight, const Operand* bias, const RowSpace& rows,
       double eps, DType lane)
      : loops_(loops().norms[lane == DType::Float64]), n_(rows.length()), eps_(eps),
        in_(x.dtype, lane, rows.step(1)), out_(out.dtype, lane, rows.step(0)), weight_(weight, lane),
        bias_(bias, lane),
        block_(in_.in_place(n_) && out_.in_place(n_) && weight_.in_place(n_) && bias_.in_place(n_)
                   ? std::max<Index>(n_, 1)
                   : kernels::convert::packed_capacity(lane)) {}

  // The result first, then x.
  void run(std::byte* const* rows) {
    const std::byte* const x = rows[1];
    const auto count = static_cast<double>(n_);
    double sum = 0, squares = 0;
    for_each_block(x, [&](Index, Index n, const std::byte* lanes) { sum += loops_.sum(n, lanes); });
    const double mean = sum / count;
    for_each_block(x, [&](Index, Index n, const std::byte* lanes) { squares += loops_.squares(n, lanes, mean); });
    const NormRow row{mean, 1 / std::sqrt(squares / count + eps_)};
    for_each_block(x, [&](Index i, Index n, const std::byte* lanes) {
      std::byte* const place = out_.further(rows[0], i);
      loops_.normalise(n, lanes, row, weight_.read(i, n), bias_.read(i, n), out_.place(place, n));
      out_.finish(place, n);
    });
  }

 private:
  template <class Run>
  void for_each_block(const std::byte* x, Run&& run) {
    for (Index i = 0; i < n_; i += block_) {
      const Index n = std::min(block_, n_ - i);
      run(i, n, in_.read(in_.further(x, i), n));
    }
  }

  const NormLoops& loops_;
  const Index n_;
  const double eps_;
  kernels::convert::PackedInput in_;
  kernels::convert::PackedOutput out_;
  Factors weight_, bias_;
  const Index block_;
};

// The same for the way back; rows are read whole.
class Back {
 public:
  Back(const NormGradient& work, const RowSpace& rows)
      : work_(work), loops_(loops().norms[work.lane == DType::Float64]), n_(rows.length()),
        g_(work.g.dtype, work.lane, rows.step(0)), x_(work.x.dtype, work.lane, rows.step(1)),
        dx_(work.dx == nullptr ? work.lane : work.dx->dtype, work.lane,
            work.dx == nullptr ? itemsize(work.lane) : rows.step(2)),
        weight_(work.weight, work.lane) {}

  void run(std::byte* const* rows, std::byte* sums) {
    const std::byte* const g = g_.read(rows[0], n_);
    const std::byte* const x = x_.read(rows[1], n_);
    const auto count = static_cast<double>(n_);
    const double mean = work_.centred ? loops_.sum(n_, x) / count : 0;
    const NormRow row{mean, 1 / std::sqrt(loops_.squares(n_, x, mean) / count + work_.eps)};
    const std::byte* const weight = weight_.read(0, n_);
    std::byte* const biases = sums != nullptr && work_.centred ? sums + n_ * itemsize(work_.lane) : nullptr;
    NormSums means = sums == nullptr ? loops_.sums(n_, g, x, row, weight)
                                     : loops_.sums_adding(n_, g, x, row, weight, sums, biases);
    if (work_.dx == nullptr) return;
    means.plain = work_.centred ? means.plain / count : 0;
    means.along *= row.factor / count;
    loops_.gradient(n_, g, x, row, weight, means, dx_.place(rows[2], n_));
    dx_.finish(rows[2], n_);
  }

 private:
  const NormGradient& work_;
  const NormLoops& loops_;
  const Index n_;
  kernels::convert::PackedInput g_, x_;
  kernels::convert::PackedOutput dx_;
  Factors weight_;
};

}  // namespace

void layer_norm(const Operand& out, const Operand& x, const Operand* weight, const Operand* bias, double eps,
                DType lane) {
  if (x.layout->size() == 0) return;
  const Operand operands[] = {out, x};
  const RowSpace rows(operands, RowOrder::InMemory);
  rows.run("layer_norm", x.layout->size() * (itemsize(x.dtype) + itemsize(out.dtype)),
           [&] { return Norm(out, x, weight, bias, rows, eps, lane); });
}

Index norm_pieces(Index rows) { return std::clamp<Index>(rows / kLeastRows, 1, kMostChunks); }

void norm_gradient(const NormGradient& work) {
  if (work.x.layout->size() == 0) return;
  const Operand operands[] = {work.g, work.x, work.dx == nullptr ? work.x : *work.dx};
  const RowSpace rows(operands, RowOrder::AsGiven);
  const Index pieces = norm_pieces(rows.count());
  const Index sum_bytes = (work.centred ? 2 : 1) * rows.length() * itemsize(work.lane);
  rows.run_in_blocks(work.centred ? "layer_norm backward" : "rms_norm backward", pieces, false,
                     [&](Index piece, Index begin, Index end) {
                       Back back(work, rows);
                       std::byte* const sums = work.sums == nullptr ? nullptr : work.sums + piece * sum_bytes;
                       rows.for_each(begin, end, [&](std::byte* const* row) { back.run(row, sums); });
                     });
}

}  // namespace strided
