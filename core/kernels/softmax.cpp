#include "softmax.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>

#include "lane_buffers.hpp"
#include "row_walk.hpp"
#include "threads.hpp"

namespace strided {
namespace {

// One thread's buffers, and what it does to a row. A row is read block by block, as often as it takes; no
// more of it than a block is held.
class Shares {
 public:
  Shares(const Operand& out, const Operand& x, const RowWalk& walk, bool logarithm, DType lane)
      : loops_(loops().model[lane == DType::Float64]), lane_(lane), item_(itemsize(lane)),
        n_(x.layout->length(x.layout->rank() - 1)), block_(lanes_per_buffer(lane)), logarithm_(logarithm),
        in_(x.dtype, lane, walk.step(1)), out_(out.dtype, lane, walk.step(0)) {}

  void run(std::byte* out, const std::byte* x) {
    double top = -std::numeric_limits<double>::infinity(), sum = 0;
    for (Index i = 0; i < n_; i += block_) top = std::max(top, loops_.largest(length(i), read(x, i)));
    for (Index i = 0; i < n_; i += block_) {
      const Index n = length(i);
      std::memcpy(raised_, read(x, i), static_cast<std::size_t>(n * item_));
      sum += loops_.raise(n, raised_, top);
    }
    const double rest = std::log(sum);
    for (Index i = 0; i < n_; i += block_) {
      const Index n = length(i);
      std::byte* const place = out_.further(out, i);
      std::byte* const lanes = out_.lanes(place, n);
      if (logarithm_) {
        lower(n, read(x, i), top, rest, lanes);
      } else {
        if (n_ > block_) {
          std::memcpy(raised_, read(x, i), static_cast<std::size_t>(n * item_));
          loops_.raise(n, raised_, top);
        }
        loops_.scale(n, raised_, 1 / sum, nullptr, lanes);
      }
      out_.finish(place, n);
    }
  }

 private:
  Index length(Index i) const { return std::min(block_, n_ - i); }
  const std::byte* read(const std::byte* x, Index i) { return in_.read(in_.further(x, i), length(i)); }

  // (x - top) - rest, in two steps: together they would lose the last digits of a small rest.
  void lower(Index n, const std::byte* x, double top, double rest, std::byte* to) const {
    const Loop subtract = loops().elementwise[static_cast<int>(Op::Subtract)][static_cast<int>(lane_)];
    for (const double number : {top, rest}) {
      alignas(8) std::byte value[8];
      convert_lanes(DType::Float64, reinterpret_cast<const std::byte*>(&number), 0, lane_, value, 0, 1);
      std::byte* const places[] = {to, const_cast<std::byte*>(x), value};
      const Index steps[] = {item_, item_, 0};
      subtract(n, places, steps);
      x = to;
    }
  }

  const ModelLoops& loops_;
  const DType lane_;
  const Index item_, n_, block_;
  const bool logarithm_;
  LaneInput in_;
  LaneOutput out_;
  alignas(64) std::byte raised_[kLaneBufferBytes];
};

}  // namespace

namespace {

// Another axis whose elements lie closer together, long enough to fill vectors; -1 if there is none.
int closer_axis(const Layout& x) {
  constexpr Index kLong = 16;
  int best = x.rank() - 1;
  for (int axis = 0; axis < x.rank() - 1; ++axis) {
    const bool repeats = x.stride(axis) == 0;
    if (x.length(axis) >= kLong && !repeats && std::abs(x.stride(axis)) < std::abs(x.stride(best))) best = axis;
  }
  return best == x.rank() - 1 ? -1 : best;
}

// Without the last axis, and with `axis` as the last instead.
Layout without_last(const Layout& layout, int axis) {
  const int rank = layout.rank() - 1;
  Layout made = Layout::uninitialised(rank, layout.offset());
  int at = 0;
  for (int i = 0; i < rank; ++i) {
    if (i != axis) made.set_axis(at++, layout.length(i), layout.stride(i));
  }
  made.set_axis(at, layout.length(axis), layout.stride(axis));
  return made;
}

}  // namespace

void softmax(const Operand& out, const Operand& x, bool logarithm, DType lane) {
  if (x.layout->size() == 0) return;
  if (const int axis = closer_axis(*x.layout); axis >= 0) {
    const int last = x.layout->rank() - 1;
    const SoftmaxAcross across{x.layout->length(last), out.layout->stride(last) * itemsize(out.dtype),
                               x.layout->stride(last) * itemsize(x.dtype)};
    const Layout to = without_last(*out.layout, axis), from = without_last(*x.layout, axis);
    return softmax_across({out.storage, &to, out.dtype}, {x.storage, &from, x.dtype}, across, logarithm, lane);
  }
  const Operand operands[] = {out, x};
  const RowWalk walk(operands);
  const Index rows = walk.count();
  // exp takes a few times as long as moving an element.
  constexpr Index kBytesWorth = 32;
  const Index pieces =
      std::min<Index>(rows, pieces_for(static_cast<std::size_t>(x.layout->size() * kBytesWorth)));
  const Index share = (rows + pieces - 1) / pieces;
  run_pieces(static_cast<int>((rows + share - 1) / share), [&](int piece) {
    Shares shares(out, x, walk, logarithm, lane);
    walk.run(piece * share, std::min(rows, (piece + 1) * share),
             [&](std::byte* const* row) { shares.run(row[0], row[1]); });
  });
}

}  // namespace strided
