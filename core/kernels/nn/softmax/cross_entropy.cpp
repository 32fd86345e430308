#include "cross_entropy.hpp"

#include <cmath>
#include <cstring>
#include <limits>

#include "kernels/nn/inner_loops.hpp"
#include "kernels/nn/packed_rows.hpp"
#include "kernels/nn/row_space.hpp"

namespace strided::kernels::nn {
namespace {

// One thread's buffers, and what it does to a row: read block by block, as often as it takes.
class ScoreRows {
 public:
  ScoreRows(const CrossEntropyRows& rows, Index length, Index step)
      : rows_(rows), model_(loops().model[rows.compute == DType::Float64]),
        norms_(loops().norms[rows.compute == DType::Float64]), item_(itemsize(rows.compute)),
        n_(length), block_(convert::packed_capacity(rows.compute)), step_(step),
        in_(rows.x.dtype, rows.compute, step) {}

  // Of row i, which begins at x.
  double loss(Index i, const std::byte* x, double& log) {
    in_.start(x);
    double top = -std::numeric_limits<double>::infinity(), sum = 0;
    in_blocks(n_, block_, [&](Index begin, Index n) {
      const std::byte* const packed = in_.read(begin, n);
      top = std::max(top, model_.largest(n, packed));
      if (rows_.smoothing != 0) sum += norms_.sum(n, packed);
    });
    const double total = sum_of_blocks(
        n_, block_, [&](Index begin, Index n) { return model_.exp_shifted(n, in_.read(begin, n), top, exps_); });
    log = top + std::log(total);
    const Index target = rows_.targets[i];
    double own;
    convert::elements(rows_.x.dtype, x + target * step_, 0, DType::Float64,
                  reinterpret_cast<std::byte*>(&own), 0, 1);
    // Each distance from the largest, which both numbers may be near.
    const double plain = (top - own) + std::log(total);
    if (rows_.smoothing == 0) return plain;
    const double uniform = log - sum / static_cast<double>(n_);
    return (1 - rows_.smoothing) * plain + rows_.smoothing * uniform;
  }

  void gradient(Index i, const std::byte* x, double log, double factor, RowOutput& out) {
    in_.start(x);
    const double even = rows_.smoothing / static_cast<double>(n_);
    const Index target = rows_.targets[i];
    in_blocks(n_, block_, [&](Index begin, Index n) {
      out.write(begin, n, [&](std::byte* packed) {
        model_.exp_shifted(n, in_.read(begin, n), log, packed);
        norms_.normalise(n, packed, {even, factor}, nullptr, nullptr, packed);
        if (begin > target || target >= begin + n) return;
        std::byte* const own = packed + (target - begin) * item_;
        norms_.normalise(1, own, {(1 - rows_.smoothing) * factor, 1}, nullptr, nullptr, own);
      });
    });
  }

 private:
  const CrossEntropyRows& rows_;
  const ModelLoops& model_;
  const NormLoops& norms_;
  const Index item_, n_, block_, step_;
  RowInput in_;
  ScratchArray<std::byte, convert::kPackedBytes> exps_;
};

}  // namespace

void cross_entropy(const CrossEntropyRows& work, double* losses, double* logs) {
  if (work.x.layout->size() == 0) return;
  const Operand* const operands[] = {&work.x};
  const RowSpace rows(operands, RowOrder::AsGiven);
  const auto names = [&] {
    const ModelLoops& table = loops().model[work.compute == DType::Float64];
    InnerLoops named(work.compute);
    named.table(table.largest, table.exp_shifted).read(work.x.dtype, rows.step(0));
    if (work.smoothing != 0) named.table(loops().norms[work.compute == DType::Float64].sum);
    return named.names();
  };
  rows.run_in_chunks("cross_entropy", work.x.layout->size() * kExpBytes, names, [&](Index begin, Index end) {
    ScoreRows own(work, rows.length(), rows.step(0));
    rows.for_each(begin, end, [&, i = begin](std::byte* const* row) mutable {
      losses[i] = logs[i] = 0;
      if (work.targets[i] >= 0) losses[i] = own.loss(i, row[0], logs[i]);
      ++i;
    });
  });
}

void cross_entropy_gradient(const CrossEntropyRows& work, const double* logs, const double* factors,
                            const Operand& to) {
  if (work.x.layout->size() == 0) return;
  const Operand* const operands[] = {&to, &work.x};
  const RowSpace rows(operands, RowOrder::AsGiven);
  const Index n = rows.length(), block = convert::packed_capacity(work.compute);
  const auto size_of = [&](Index count) { return static_cast<std::size_t>(count * itemsize(work.compute)); };
  const auto names = [&] {
    const bool wide = work.compute == DType::Float64;
    InnerLoops named(work.compute);
    named.table(loops().model[wide].exp_shifted, loops().norms[wide].normalise);
    named.read(work.x.dtype, rows.step(1)).written(to.dtype, rows.step(0));
    return named.names();
  };
  rows.run_in_chunks("cross_entropy backward", work.x.layout->size() * kExpBytes, names, [&](Index begin, Index end) {
    ScoreRows own(work, n, rows.step(1));
    RowOutput out(to.dtype, work.compute, rows.step(0));
    rows.for_each(begin, end, [&, i = begin](std::byte* const* row) mutable {
      out.start(row[0]);
      if (work.targets[i] >= 0) {
        own.gradient(i, row[1], logs[i], factors[i], out);
      } else {
        in_blocks(n, block, [&](Index j, Index count) {
          out.write(j, count, [&](std::byte* packed) { std::memset(packed, 0, size_of(count)); });
        });
      }
      ++i;
    });
  });
}

}  // namespace strided::kernels::nn
