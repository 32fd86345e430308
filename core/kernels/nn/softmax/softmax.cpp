#include "softmax.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/nn/across_axis.hpp"
#include "kernels/convert/lane_buffers.hpp"
#include "kernels/nn/row_walk.hpp"
#include "run/pool.hpp"

namespace strided {
namespace {

// One thread's buffers, and what it does to a row. A row is read block by block, as often as it takes; no
// more of it than a block is held.
class Shares {
 public:
  Shares(const Operand& out, const Operand& x, const RowWalk& walk, bool logarithm, DType lane)
      : loops_(loops().model[lane == DType::Float64]),
        n_(x.layout->length(x.layout->rank() - 1)), block_(lanes_per_buffer(lane)), logarithm_(logarithm),
        in_(x.dtype, lane, walk.step(1)), out_(out.dtype, lane, walk.step(0)) {}

  void run(std::byte* out, const std::byte* x) {
    double top = -std::numeric_limits<double>::infinity(), sum = 0;
    for (Index i = 0; i < n_; i += block_) top = std::max(top, loops_.largest(length(i), read(x, i)));
    for (Index i = 0; i < n_; i += block_) {
      const Index n = length(i);
      sum += loops_.raise(n, read(x, i), top, raised_);
    }
    const double rest = std::log(sum);
    for (Index i = 0; i < n_; i += block_) {
      const Index n = length(i);
      std::byte* const place = out_.further(out, i);
      std::byte* const lanes = out_.lanes(place, n);
      if (logarithm_) {
        loops_.lower(n, read(x, i), top, rest, lanes);
      } else {
        if (n_ > block_) loops_.raise(n, read(x, i), top, raised_);
        loops_.scale(n, raised_, 1 / sum, nullptr, lanes);
      }
      out_.finish(place, n);
    }
  }

 private:
  Index length(Index i) const { return std::min(block_, n_ - i); }
  const std::byte* read(const std::byte* x, Index i) { return in_.read(in_.further(x, i), length(i)); }

  const ModelLoops& loops_;
  const Index n_, block_;
  const bool logarithm_;
  LaneInput in_;
  LaneOutput out_;
  ScratchArray<std::byte, kLaneBufferBytes> raised_;
};

}  // namespace

void softmax(const Operand& out, const Operand& x, bool logarithm, DType lane) {
  if (x.layout->size() == 0) return;
  if (const int axis = closer_axis(*x.layout); axis >= 0) {
    const int last = x.layout->rank() - 1;
    const SoftmaxAcross across{x.layout->length(last), out.step(last),
                               x.step(last)};
    const Layout to = without_last(*out.layout, axis), from = without_last(*x.layout, axis);
    return softmax_across({out.storage, &to, out.dtype}, {x.storage, &from, x.dtype}, across, logarithm, lane);
  }
  const Operand operands[] = {out, x};
  const RowWalk walk(operands);
  const Index rows = walk.count();
  // exp takes a few times as long as moving an element.
  constexpr Index kBytesWorth = 32;
  const Index pieces =
      std::min<Index>(rows, interruptible_pieces_for(static_cast<std::size_t>(x.layout->size() * kBytesWorth)));
  const Index share = (rows + pieces - 1) / pieces;
  run_pieces(static_cast<int>((rows + share - 1) / share), [&](int piece) {
    Shares shares(out, x, walk, logarithm, lane);
    walk.run(piece * share, std::min(rows, (piece + 1) * share),
             [&](std::byte* const* row) { shares.run(row[0], row[1]); });
  });
}

}  // namespace strided
