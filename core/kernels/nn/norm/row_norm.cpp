#include "row_norm.hpp"

#include <cmath>

#include "kernels/nn/inner_loops.hpp"
#include "kernels/nn/packed_rows.hpp"
#include "kernels/nn/row_space.hpp"
#include "run/interrupt.hpp"

namespace strided::kernels::nn {
namespace {

// Fixed: they decide the bits of the gradients of weights. At most 16 blocks have sums of their own, which are added up
// in the end; blocks of fewer than 16 rows would add up more than they sum.
constexpr Index kMostBlocks = 16, kLeastRows = 16;

// How the row x is normalised.
NormRow row_of(const NormLoops& loops, RowInput& x, Index n, Index block, bool centred, double eps) {
  const auto count = static_cast<double>(n);
  double mean = 0;
  if (centred) mean = sum_of_blocks(n, block, [&](Index i, Index m) { return loops.sum(m, x.read(i, m)); }) / count;
  const double squares =
      sum_of_blocks(n, block, [&](Index i, Index m) { return loops.squares(m, x.read(i, m), mean); });
  return {mean, 1 / std::sqrt(squares / count + eps)};
}

// One thread's buffers, and what it does to a row, which is read block by block, as often as it takes.
class Forward {
 public:
  Forward(const RowNorm& work, const RowSpace& rows)
      : work_(work), loops_(loops().norms[work.compute == DType::Float64]),
        scale_(loops().model[work.compute == DType::Float64].scale), n_(rows.length()),
        x_(work.x.dtype, work.compute, rows.step(1)), out_(work.out.dtype, work.compute, rows.step(0)),
        weight_(work.weight, work.compute), bias_(work.bias, work.compute),
        block_(block_of_row(n_, work.compute,
                            x_.in_place(n_) && out_.in_place(n_) && weight_.in_place(n_) && bias_.in_place(n_))) {}

  // The result first, then x.
  void run(std::byte* const* row) {
    out_.start(row[0]);
    x_.start(row[1]);
    const NormRow row_norm = row_of(loops_, x_, n_, block_, work_.centred, work_.eps);
    in_blocks(n_, std::min(block_, kWrittenBlock), [&](Index i, Index n) {
      out_.write(i, n, [&](std::byte* packed) {
        if (!work_.centred) return scale_(n, x_.read(i, n), row_norm.factor, weight_.read(i, n), packed);
        loops_.normalise(n, x_.read(i, n), row_norm, weight_.read(i, n), bias_.read(i, n), packed);
      });
    });
  }

 private:
  const RowNorm& work_;
  const NormLoops& loops_;
  decltype(ModelLoops::scale) scale_;
  const Index n_;
  RowInput x_;
  RowOutput out_;
  RowInput weight_, bias_;
  const Index block_;
};

// The same for the backward pass.
class Backward {
 public:
  Backward(const RowNormGradient& work, const RowSpace& rows)
      : work_(work), loops_(loops().norms[work.compute == DType::Float64]), n_(rows.length()),
        g_(work.g.dtype, work.compute, rows.step(0)), x_(work.x.dtype, work.compute, rows.step(1)),
        dx_(work.dx == nullptr ? work.compute : work.dx->dtype, work.compute, rows.step(2)),
        weight_(work.weight, work.compute), block_(std::clamp(n_, Index{1}, kLongestBlock)) {}

  void run(std::byte* const* row, std::byte* sums) {
    const Index item = itemsize(work_.compute);
    const auto count = static_cast<double>(n_);
    g_.start(row[0]);
    x_.start(row[1]);
    dx_.start(row[2]);
    const NormRow row_norm = row_of(loops_, x_, n_, block_, work_.centred, work_.eps);
    // Two numbers: as one NormSums they would be stored in halves and loaded whole, which stalls the processor.
    double plain = 0, along = 0;
    in_blocks(n_, block_, [&](Index i, Index n) {
      const std::byte *const g = g_.read(i, n), *const x = x_.read(i, n), *const weight = weight_.read(i, n);
      std::byte* const biases = sums == nullptr || !work_.centred ? nullptr : sums + (n_ + i) * item;
      const NormSums more =
          sums == nullptr ? loops_.gradient_sums(n, g, x, row_norm, weight)
                          : loops_.accumulate_gradients(n, g, x, row_norm, weight, sums + i * item, biases);
      plain += more.plain;
      along += more.along;
    });
    check_.after(n_);
    if (work_.dx == nullptr) return;
    const NormSums means{work_.centred ? plain / count : 0, along * (row_norm.factor / count)};
    in_blocks(n_, std::min(block_, kWrittenBlock), [&](Index i, Index n) {
      dx_.write(i, n, [&](std::byte* packed) {
        loops_.gradient(n, g_.read(i, n), x_.read(i, n), row_norm, weight_.read(i, n), means, packed);
      });
    });
  }

 private:
  const RowNormGradient& work_;
  const NormLoops& loops_;
  const Index n_;
  RowInput g_, x_;
  RowOutput dx_;
  RowInput weight_;
  const Index block_;
  InterruptCheck check_;
};

}  // namespace

void row_norm(const RowNorm& work) {
  if (work.x.layout->size() == 0) return;
  const Operand* const operands[] = {&work.out, &work.x};
  const RowSpace rows(operands, RowOrder::InMemory);
  const auto names = [&] {
    const NormLoops& table = loops().norms[work.compute == DType::Float64];
    InnerLoops named(work.compute);
    if (work.centred) named.table(table.sum, table.squares, table.normalise);
    else named.table(table.squares, loops().model[work.compute == DType::Float64].scale);
    for (const Operand* factors : {work.weight, work.bias}) {
      if (factors != nullptr) named.read(factors->dtype, factors->step(0));
    }
    named.read(work.x.dtype, rows.step(1)).written(work.out.dtype, rows.step(0));
    return named.names();
  };
  rows.run(work.name,
           work.x.layout->size() * (itemsize(work.x.dtype) + itemsize(work.out.dtype)), names,
           [&] { return Forward(work, rows); });
}

Index row_norm_blocks(Index rows) { return std::clamp<Index>(rows / kLeastRows, 1, kMostBlocks); }

void row_norm_gradient(const RowNormGradient& work) {
  if (work.x.layout->size() == 0) return;
  const Operand* const operands[] = {&work.g, &work.x, work.dx == nullptr ? &work.x : work.dx};
  const RowSpace rows(operands, RowOrder::AsGiven);
  const Index sum_bytes = (work.centred ? 2 : 1) * rows.length() * itemsize(work.compute);
  const auto names = [&] {
    const NormLoops& table = loops().norms[work.compute == DType::Float64];
    InnerLoops named(work.compute);
    if (work.centred) named.table(table.sum);
    named.table(table.squares);
    work.sums == nullptr ? named.table(table.gradient_sums) : named.table(table.accumulate_gradients);
    if (work.dx != nullptr) named.table(table.gradient).written(work.dx->dtype, rows.step(2));
    if (work.weight != nullptr) named.read(work.weight->dtype, work.weight->step(0));
    named.read(work.g.dtype, rows.step(0)).read(work.x.dtype, rows.step(1));
    return named.names();
  };
  rows.run_in_blocks(work.name, row_norm_blocks(rows.count()), names,
                     [&](Index block, Index begin, Index end) {
                       Backward backward(work, rows);
                       std::byte* const sums = work.sums == nullptr ? nullptr : work.sums + block * sum_bytes;
                       rows.for_each(begin, end, [&](std::byte* const* row) { backward.run(row, sums); });
                     });
}

}  // namespace strided::kernels::nn
