#include "cross_entropy.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "kernels/convert/packed.hpp"
#include "kernels/nn/row_space.hpp"

namespace strided {
namespace {

// One thread's buffers, and what it does to a row: read block by block, as often as it takes.
class ScoreRows {
 public:
  ScoreRows(const CrossEntropyRows& rows, Index length, Index step)
      : rows_(rows), model_(loops().model[rows.lane == DType::Float64]),
        norms_(loops().norms[rows.lane == DType::Float64]), item_(itemsize(rows.lane)),
        n_(length), block_(kernels::convert::packed_capacity(rows.lane)), in_(rows.x.dtype, rows.lane, step) {}

  // Of row i, which begins at x.
  double loss(Index i, const std::byte* x, double& log) {
    double top = -std::numeric_limits<double>::infinity(), total = 0, sum = 0;
    for_each_block(x, [&](Index, Index n, const std::byte* lanes) {
      top = std::max(top, model_.largest(n, lanes));
      if (rows_.smoothing != 0) sum += norms_.sum(n, lanes);
    });
    for_each_block(x, [&](Index, Index n, const std::byte* lanes) { total += model_.raise(n, lanes, top, raised_); });
    log = top + std::log(total);
    const Index target = rows_.targets[i];
    double own;
    kernels::convert::elements(rows_.x.dtype, in_.further(x, target), 0, DType::Float64,
                               reinterpret_cast<std::byte*>(&own), 0, 1);
    // Each distance from the largest, which both numbers may be near.
    const double plain = (top - own) + std::log(total);
    if (rows_.smoothing == 0) return plain;
    const double spread = log - sum / static_cast<double>(n_);
    return (1 - rows_.smoothing) * plain + rows_.smoothing * spread;
  }

  void gradient(Index i, const std::byte* x, double log, double factor, kernels::convert::PackedOutput& out,
                std::byte* to) {
    const double even = rows_.smoothing / static_cast<double>(n_);
    const Index target = rows_.targets[i];
    for_each_block(x, [&](Index begin, Index n, const std::byte* read) {
      std::byte* const place = out.further(to, begin);
      std::byte* const lanes = out.place(place, n);
      model_.raise(n, read, log, lanes);
      norms_.normalise(n, lanes, {even, factor}, nullptr, nullptr, lanes);
      if (begin <= target && target < begin + n) {
        std::byte* const own = lanes + (target - begin) * item_;
        norms_.normalise(1, own, {(1 - rows_.smoothing) * factor, 1}, nullptr, nullptr, own);
      }
      out.finish(place, n);
    });
  }

 private:
  template <class Run>
  void for_each_block(const std::byte* x, Run&& run) {
    for (Index begin = 0; begin < n_; begin += block_) {
      const Index n = std::min(block_, n_ - begin);
      run(begin, n, in_.read(in_.further(x, begin), n));
    }
  }

  const CrossEntropyRows& rows_;
  const ModelLoops& model_;
  const NormLoops& norms_;
  const Index item_, n_, block_;
  kernels::convert::PackedInput in_;
  ScratchArray<std::byte, kernels::convert::kPackedBytes> raised_;
};

// exp takes a few times as long as moving an element.
constexpr Index kBytesWorth = 32;

}  // namespace

void cross_entropy(const CrossEntropyRows& work, double* losses, double* logs) {
  if (work.x.layout->size() == 0) return;
  const RowSpace rows({&work.x, 1}, RowOrder::AsGiven);
  rows.run_in_chunks("cross_entropy", work.x.layout->size() * kBytesWorth, [&](Index begin, Index end) {
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
  const Operand operands[] = {to, work.x};
  const RowSpace rows(operands, RowOrder::AsGiven);
  const Index n = rows.length(), step = rows.step(0), item = itemsize(to.dtype);
  rows.run_in_chunks("cross_entropy backward", work.x.layout->size() * kBytesWorth, [&](Index begin, Index end) {
    ScoreRows own(work, n, rows.step(1));
    kernels::convert::PackedOutput out(to.dtype, work.lane, step);
    rows.for_each(begin, end, [&, i = begin](std::byte* const* row) mutable {
      if (work.targets[i] >= 0) {
        own.gradient(i, row[1], logs[i], factors[i], out, row[0]);
      } else {
        for (Index j = 0; j < n; ++j) std::memset(row[0] + j * step, 0, static_cast<std::size_t>(item));
      }
      ++i;
    });
  });
}

}  // namespace strided
