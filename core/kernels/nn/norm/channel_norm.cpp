#include "channel_norm.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "kernels/convert/lane_buffers.hpp"
#include "kernels/nn/row_walk.hpp"
#include "run/pool.hpp"

namespace strided {
namespace {

constexpr Index kSweeps = 3;  // as often all elements are read or written

// run(begin, end) for shares of the channels.
template <class Run>
void share_channels(const Layout& x, DType lane, Run&& run) {
  const Index channels = x.length(0);
  const Index pieces =
      std::min<Index>(channels, interruptible_pieces_for(static_cast<std::size_t>(kSweeps * x.size() * itemsize(lane))));
  const Index share = (channels + pieces - 1) / pieces;
  run_pieces(static_cast<int>((channels + share - 1) / share), [&](int piece) {
    run(piece * share, std::min(channels, (piece + 1) * share));
  });
}

// Whether neighbours are of different channels rather than of one.
bool side_by_side(const Layout& x) {
  constexpr Index kLong = 8;
  const int last = x.rank() - 1;
  return x.length(0) >= kLong && x.stride(0) != 0 &&
         (std::abs(x.stride(0)) < std::abs(x.stride(last)) || x.length(last) == 1);
}

Layout channels_last(const Layout& x) {
  const int rank = x.rank();
  Layout made = Layout::uninitialised(rank, x.offset());
  for (int axis = 1; axis < rank; ++axis) made.set_axis(axis - 1, x.length(axis), x.stride(axis));
  made.set_axis(rank - 1, x.length(0), x.stride(0));
  return made;
}

// run(i, n) for the blocks of a row.
template <class Run>
void for_each_block(Index length, Index block, Run&& run) {
  for (Index i = 0; i < length; i += block) run(i, std::min(block, length - i));
}

}  // namespace

void channel_norm(const ChannelNorm& work) {
  const Layout& x = *work.x.layout;
  if (x.size() == 0) return;
  if (side_by_side(x)) {
    const Layout from = channels_last(x), to = channels_last(*work.out.layout);
    ChannelNorm turned = work;
    turned.x.layout = &from;
    turned.out.layout = &to;
    return channel_norm_across(turned);
  }
  const Operand operands[] = {work.out, work.x};
  const RowWalk walk(operands);
  const Index channels = x.length(0), rows = walk.count() / channels, length = x.length(x.rank() - 1);
  const auto count = static_cast<double>(rows * length);
  const NormLoops& table = loops().norms[work.lane == DType::Float64];
  share_channels(x, work.lane, [&](Index begin, Index end) {
    LaneInput in(work.x.dtype, work.lane, walk.step(1));
    LaneOutput out(work.out.dtype, work.lane, walk.step(0));
    const Index block = in.in_place(length) && out.in_place(length) ? length : lanes_per_buffer(work.lane);
    for (Index c = begin; c < end; ++c) {
      const auto sweep = [&](auto&& take) {
        walk.run(c * rows, (c + 1) * rows, [&](std::byte* const* row) {
          for_each_block(length, block, [&](Index i, Index n) {
            take(n, in.read(in.further(row[1], i), n), out.further(row[0], i));
          });
        });
      };
      double sum = 0, squares = 0;
      sweep([&](Index n, const std::byte* lanes, std::byte*) { sum += table.sum(n, lanes); });
      const double mean = work.mean[c] = sum / count;
      sweep([&](Index n, const std::byte* lanes, std::byte*) { squares += table.squares(n, lanes, mean); });
      work.variance[c] = squares / count;
      const double scale = work.weight == nullptr ? 1 : work.weight[c];
      const NormRow how{mean, scale / std::sqrt(work.variance[c] + work.eps)};
      const double shift = work.bias == nullptr ? 0 : work.bias[c];
      sweep([&](Index n, const std::byte* lanes, std::byte* place) {
        table.place(n, lanes, how, shift, out.lanes(place, n));
        out.finish(place, n);
      });
    }
  });
}

void channel_norm_gradient(const ChannelNormGradient& work) {
  const Layout& x = *work.x.layout;
  if (x.size() == 0) return;
  const Operand to = work.dx == nullptr ? work.x : *work.dx;
  if (side_by_side(x)) {
    const Layout from = channels_last(x), back = channels_last(*work.g.layout), made = channels_last(*to.layout);
    ChannelNormGradient turned = work;
    const Operand dx{to.storage, &made, to.dtype};
    if (work.dx != nullptr) turned.dx = &dx;
    turned.x.layout = &from;
    turned.g.layout = &back;
    return channel_norm_gradient_across(turned);
  }
  const Operand operands[] = {to, work.x, work.g};
  const RowWalk walk(operands);
  const Index channels = x.length(0), rows = walk.count() / channels, length = x.length(x.rank() - 1);
  const auto count = static_cast<double>(rows * length);
  const NormLoops& table = loops().norms[work.lane == DType::Float64];
  share_channels(x, work.lane, [&](Index begin, Index end) {
    LaneInput in(work.x.dtype, work.lane, walk.step(1)), back(work.g.dtype, work.lane, walk.step(2));
    LaneOutput out(to.dtype, work.lane, walk.step(0));
    const bool whole = in.in_place(length) && back.in_place(length) && out.in_place(length);
    const Index block = whole ? length : lanes_per_buffer(work.lane);
    for (Index c = begin; c < end; ++c) {
      const auto sweep = [&](auto&& take) {
        walk.run(c * rows, (c + 1) * rows, [&](std::byte* const* row) {
          for_each_block(length, block, [&](Index i, Index n) {
            take(n, back.read(back.further(row[2], i), n), in.read(in.further(row[1], i), n),
                 out.further(row[0], i));
          });
        });
      };
      const NormRow own{work.mean[c], 1 / std::sqrt(work.variance[c] + work.eps)};
      NormSums sums{0, 0};
      sweep([&](Index n, const std::byte* g, const std::byte* lanes, std::byte*) {
        const NormSums more = table.sums(n, g, lanes, own, nullptr);
        sums.plain += more.plain;
        sums.along += more.along;
      });
      work.to_weight[c] = sums.along;
      work.to_bias[c] = sums.plain;
      if (work.dx == nullptr) continue;
      const NormRow how{own.mean, work.weight == nullptr ? own.factor : own.factor * work.weight[c]};
      const NormSums means{sums.plain / count, sums.along * own.factor / count};
      sweep([&](Index n, const std::byte* g, const std::byte* lanes, std::byte* place) {
        table.gradient(n, g, lanes, how, nullptr, means, out.lanes(place, n));
        out.finish(place, n);
      });
    }
  });
}

}  // namespace strided
