#include "channel_norm.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/convert/packed.hpp"
#include "kernels/nn/row_space.hpp"

namespace strided {
namespace {

constexpr Index kSweeps = 3;  // as often all elements are read or written

// Rows along the innermost of the axes that a channel is summed over, which are fused where that is possible; or rows
// of channels, where those lie closer together. The second operand decides.
class ChannelSpace {
 public:
  explicit ChannelSpace(std::span<const Operand> operands) : rows_(operands, space_of_channels(operands)) {}

  const RowSpace& rows() const { return rows_; }
  bool has_rows_of_channels() const { return rows_.space().roles[0] != Role::Map; }

  // run(begin, end) for chunks of the channels.
  template <class Run>
  void run_in_chunks(const char* operation, DType lane, Run&& run) const {
    const Index channels = rows_.space().shape[0];
    const int chunks = chunks_for(channels, kSweeps * rows_.space().size() * itemsize(lane));
    const RecordScope scope([&] { return rows_.record(operation, chunks); });
    run_range_in_chunks(channels, chunks, run);
  }

 private:
  static IterationSpace space_of_channels(std::span<const Operand> operands) {
    constexpr Index kLeastChannels = 8;  // fewer do not fill vectors
    SpaceOperand planned[RowSpace::kMost];
    for (std::size_t k = 0; k < operands.size(); ++k) planned[k] = {operands[k].layout, itemsize(operands[k].dtype)};
    IterationSpace space = space_of({planned, operands.size()});
    move_axis(space, 1, 0);
    for (int axis = 1; axis < space.rank(); ++axis) space.roles[axis] = Role::Fold;
    fuse_axes(space);
    const int last = space.rank() - 1;
    const bool of_channels = space.shape[0] >= kLeastChannels && lies_closer(space, 0, last, only(1));
    set_role_innermost(space, of_channels ? 0 : last, Role::Row);
    return space;
  }

  RowSpace rows_;
};

// run(i, n) for the blocks of a row.
template <class Run>
void for_each_block(Index length, Index block, Run&& run) {
  for (Index i = 0; i < length; i += block) run(i, std::min(block, length - i));
}

}  // namespace

void channel_norm(const ChannelNorm& work) {
  if (work.x.layout->size() == 0) return;
  const Operand operands[] = {work.out, work.x};
  const ChannelSpace space(operands);
  const RowSpace& rows = space.rows();
  if (space.has_rows_of_channels()) return channel_norm_across(work, rows);
  const Index channels = work.x.layout->length(1), each = rows.count() / channels, length = rows.length();
  const auto count = static_cast<double>(each * length);
  const NormLoops& table = loops().norms[work.lane == DType::Float64];
  space.run_in_chunks("batch_norm", work.lane, [&](Index begin, Index end) {
    kernels::convert::PackedInput in(work.x.dtype, work.lane, rows.step(1));
    kernels::convert::PackedOutput out(work.out.dtype, work.lane, rows.step(0));
    const bool in_place = in.in_place(length) && out.in_place(length);
    const Index block = in_place ? length : kernels::convert::packed_capacity(work.lane);
    for (Index c = begin; c < end; ++c) {
      const auto sweep = [&](auto&& take) {
        rows.for_each(c * each, (c + 1) * each, [&](std::byte* const* row) {
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
        table.place(n, lanes, how, shift, out.place(place, n));
        out.finish(place, n);
      });
    }
  });
}

void channel_norm_gradient(const ChannelNormGradient& work) {
  if (work.x.layout->size() == 0) return;
  const Operand to = work.dx == nullptr ? work.x : *work.dx;
  const Operand operands[] = {to, work.x, work.g};
  const ChannelSpace space(operands);
  const RowSpace& rows = space.rows();
  if (space.has_rows_of_channels()) return channel_norm_gradient_across(work, rows);
  const Index channels = work.x.layout->length(1), each = rows.count() / channels, length = rows.length();
  const auto count = static_cast<double>(each * length);
  const NormLoops& table = loops().norms[work.lane == DType::Float64];
  space.run_in_chunks("batch_norm backward", work.lane, [&](Index begin, Index end) {
    kernels::convert::PackedInput in(work.x.dtype, work.lane, rows.step(1));
    kernels::convert::PackedInput back(work.g.dtype, work.lane, rows.step(2));
    kernels::convert::PackedOutput out(to.dtype, work.lane, rows.step(0));
    const bool whole = in.in_place(length) && back.in_place(length) && out.in_place(length);
    const Index block = whole ? length : kernels::convert::packed_capacity(work.lane);
    for (Index c = begin; c < end; ++c) {
      const auto sweep = [&](auto&& take) {
        rows.for_each(c * each, (c + 1) * each, [&](std::byte* const* row) {
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
        table.gradient(n, g, lanes, how, nullptr, means, out.place(place, n));
        out.finish(place, n);
      });
    }
  });
}

}  // namespace strided
