#include "cross_entropy.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "kernels/convert/lane_buffers.hpp"
#include "run/pool.hpp"

namespace strided {
namespace {

// One thread's buffers, and what it does to a row: read block by block, as often as it takes.
class ScoreRows {
 public:
  explicit ScoreRows(const CrossEntropyRows& rows)
      : rows_(rows), model_(loops().model[rows.lane == DType::Float64]),
        norms_(loops().norms[rows.lane == DType::Float64]), item_(itemsize(rows.lane)),
        n_(rows.x.layout->length(1)), block_(lanes_per_buffer(rows.lane)),
        in_(rows.x.dtype, rows.lane, rows.x.step(1)) {}

  double loss(Index i, double& log) {
    double top = -std::numeric_limits<double>::infinity(), total = 0, sum = 0;
    for_each_block(i, [&](Index, Index n, const std::byte* x) {
      top = std::max(top, model_.largest(n, x));
      if (rows_.smoothing != 0) sum += norms_.sum(n, x);
    });
    for_each_block(i, [&](Index, Index n, const std::byte* x) { total += model_.raise(n, x, top, raised_); });
    log = top + std::log(total);
    const Index target = rows_.targets[i];
    double own;
    convert_lanes(rows_.x.dtype, in_.further(row(i), target), 0, DType::Float64,
                  reinterpret_cast<std::byte*>(&own), 0, 1);
    // Each distance from the largest, which both numbers may be near.
    const double plain = (top - own) + std::log(total);
    if (rows_.smoothing == 0) return plain;
    const double spread = log - sum / static_cast<double>(n_);
    return (1 - rows_.smoothing) * plain + rows_.smoothing * spread;
  }

  void gradient(Index i, double log, double factor, LaneOutput& out, std::byte* to) {
    const double even = rows_.smoothing / static_cast<double>(n_);
    const Index target = rows_.targets[i];
    for_each_block(i, [&](Index begin, Index n, const std::byte* x) {
      std::byte* const place = out.further(to, begin);
      std::byte* const lanes = out.lanes(place, n);
      model_.raise(n, x, log, lanes);
      norms_.normalise(n, lanes, {even, factor}, nullptr, nullptr, lanes);
      if (begin <= target && target < begin + n) {
        std::byte* const own = lanes + (target - begin) * item_;
        norms_.normalise(1, own, {(1 - rows_.smoothing) * factor, 1}, nullptr, nullptr, own);
      }
      out.finish(place, n);
    });
  }

 private:
  const std::byte* row(Index i) const {
    return rows_.x.first() + i * rows_.x.step(0);
  }
  template <class Run>
  void for_each_block(Index i, Run&& run) {
    for (Index begin = 0; begin < n_; begin += block_) {
      const Index n = std::min(block_, n_ - begin);
      run(begin, n, in_.read(in_.further(row(i), begin), n));
    }
  }

  const CrossEntropyRows& rows_;
  const ModelLoops& model_;
  const NormLoops& norms_;
  const Index item_, n_, block_;
  LaneInput in_;
  ScratchArray<std::byte, kLaneBufferBytes> raised_;
};

template <class Run>
void share_rows(const CrossEntropyRows& rows, Run&& run) {
  const Layout& x = *rows.x.layout;
  if (x.size() == 0) return;
  // exp takes a few times as long as moving an element.
  constexpr Index kBytesWorth = 32;
  const Index count = x.length(0);
  const Index pieces = std::min<Index>(count, interruptible_pieces_for(static_cast<std::size_t>(x.size() * kBytesWorth)));
  const Index share = (count + pieces - 1) / pieces;
  run_pieces(static_cast<int>((count + share - 1) / share), [&](int piece) {
    ScoreRows own(rows);
    run(own, piece * share, std::min(count, (piece + 1) * share));
  });
}

}  // namespace

void cross_entropy(const CrossEntropyRows& rows, double* losses, double* logs) {
  share_rows(rows, [&](ScoreRows& own, Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      losses[i] = logs[i] = 0;
      if (rows.targets[i] >= 0) losses[i] = own.loss(i, logs[i]);
    }
  });
}

void cross_entropy_gradient(const CrossEntropyRows& rows, const double* logs, const double* factors,
                            const Operand& to) {
  const Index row = to.step(0), step = to.step(1);
  const Index n = to.layout->length(1), item = itemsize(to.dtype);
  share_rows(rows, [&](ScoreRows& own, Index begin, Index end) {
    LaneOutput out(to.dtype, rows.lane, step);
    for (Index i = begin; i < end; ++i) {
      std::byte* const place = to.first() + i * row;
      if (rows.targets[i] >= 0) {
        own.gradient(i, logs[i], factors[i], out, place);
      } else {
        for (Index j = 0; j < n; ++j) std::memset(place + j * step, 0, static_cast<std::size_t>(item));
      }
    }
  });
}

}  // namespace strided
