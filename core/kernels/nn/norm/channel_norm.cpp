#include "channel_norm.hpp"

#include <cmath>

#include "kernels/nn/inner_loops.hpp"
#include "kernels/nn/packed_rows.hpp"
#include "kernels/nn/row_space.hpp"
#include "run/interrupt.hpp"

namespace strided::kernels::nn {
namespace {

constexpr Index kPasses = 3;  // over all elements: mean, variance, result

// Rows along the innermost of the axes that a channel is summed over, which are fused where that is possible; or rows
// of channels, where those lie closer together. The second operand decides.
class ChannelSpace {
 public:
  explicit ChannelSpace(OperandList operands) : rows_(operands, [&] { return space_of_channels(operands); }) {}

  const RowSpace& rows() const { return rows_; }
  bool has_rows_of_channels() const { return rows_.space().roles[0] != Role::Map; }

  // run(begin, end) for chunks of the channels.
  template <class Loops, class Run>
  void run_in_chunks(const char* operation, DType compute, Loops&& loops, Run&& run) const {
    const Index channels = rows_.space().shape[0];
    const int chunks = chunks_for(channels, kPasses * rows_.space().size() * itemsize(compute));
    const RecordScope scope([&] { return rows_.record(operation, chunks, loops()); });
    run_range_in_chunks(channels, chunks, run);
  }

 private:
  static IterationSpace space_of_channels(OperandList operands) {
    constexpr Index kLeastChannels = 8;  // fixed: it decides the bits. Fewer do not fill 32 bytes of float32
    IterationSpace space = space_of(SpaceOperands(operands));
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

}  // namespace

void channel_norm(const ChannelNorm& work) {
  if (work.x.layout->size() == 0) return;
  const Operand* const operands[] = {&work.out, &work.x};
  const ChannelSpace space(operands);
  const RowSpace& rows = space.rows();
  if (space.has_rows_of_channels()) return channel_norm_across(work, rows);
  const Index channels = work.x.layout->length(1), each = rows.count() / channels, length = rows.length();
  const auto count = static_cast<double>(each * length);
  const NormLoops& table = loops().norms[work.compute == DType::Float64];
  const auto names = [&] {
    InnerLoops named(work.compute);
    named.table(table.sum, table.squares, table.shift_scale);
    named.read(work.x.dtype, rows.step(1)).written(work.out.dtype, rows.step(0));
    return named.names();
  };
  space.run_in_chunks("batch_norm", work.compute, names, [&](Index begin, Index end) {
    RowInput in(work.x.dtype, work.compute, rows.step(1));
    RowOutput out(work.out.dtype, work.compute, rows.step(0));
    const Index block = block_of_row(length, work.compute, in.in_place(length) && out.in_place(length));
    InterruptCheck check;
    for (Index c = begin; c < end; ++c) {
      const auto for_each_block = [&](Index most, auto&& take) {
        rows.for_each(c * each, (c + 1) * each, [&](std::byte* const* row) {
          out.start(row[0]);
          in.start(row[1]);
          in_blocks(length, most, [&](Index i, Index n) { take(i, n, in.read(i, n)); });
          check.after(length);
        });
      };
      double sum = 0, squares = 0;
      for_each_block(block, [&](Index, Index n, const std::byte* x) { sum += table.sum(n, x); });
      const double mean = work.mean[c] = sum / count;
      for_each_block(block, [&](Index, Index n, const std::byte* x) { squares += table.squares(n, x, mean); });
      work.variance[c] = squares / count;
      const double scale = work.weight == nullptr ? 1 : work.weight[c];
      const NormRow how{mean, scale / std::sqrt(work.variance[c] + work.eps)};
      const double shift = work.bias == nullptr ? 0 : work.bias[c];
      for_each_block(std::min(block, kWrittenBlock), [&](Index i, Index n, const std::byte* x) {
        out.write(i, n, [&](std::byte* packed) { table.shift_scale(n, x, how, shift, packed); });
      });
    }
  });
}

void channel_norm_gradient(const ChannelNormGradient& work) {
  if (work.x.layout->size() == 0) return;
  const Operand& to = work.dx == nullptr ? work.x : *work.dx;
  const Operand* const operands[] = {&to, &work.x, &work.g};
  const ChannelSpace space(operands);
  const RowSpace& rows = space.rows();
  if (space.has_rows_of_channels()) return channel_norm_gradient_across(work, rows);
  const Index channels = work.x.layout->length(1), each = rows.count() / channels, length = rows.length();
  const auto count = static_cast<double>(each * length);
  const NormLoops& table = loops().norms[work.compute == DType::Float64];
  const auto names = [&] {
    InnerLoops named(work.compute);
    named.table(table.gradient_sums).read(work.x.dtype, rows.step(1)).read(work.g.dtype, rows.step(2));
    if (work.dx != nullptr) named.table(table.gradient).written(to.dtype, rows.step(0));
    return named.names();
  };
  space.run_in_chunks("batch_norm backward", work.compute, names, [&](Index begin, Index end) {
    RowInput in(work.x.dtype, work.compute, rows.step(1)), back(work.g.dtype, work.compute, rows.step(2));
    RowOutput out(to.dtype, work.compute, rows.step(0));
    const Index block = block_of_row(length, work.compute,
                                     in.in_place(length) && back.in_place(length) && out.in_place(length));
    InterruptCheck check;
    for (Index c = begin; c < end; ++c) {
      const auto for_each_block = [&](Index most, auto&& take) {
        rows.for_each(c * each, (c + 1) * each, [&](std::byte* const* row) {
          out.start(row[0]);
          in.start(row[1]);
          back.start(row[2]);
          in_blocks(length, most, [&](Index i, Index n) { take(i, n, back.read(i, n), in.read(i, n)); });
          check.after(length);
        });
      };
      const NormRow own{work.mean[c], 1 / std::sqrt(work.variance[c] + work.eps)};
      double plain = 0, along = 0;  // not one NormSums, as in row_norm.cpp
      for_each_block(block, [&](Index, Index n, const std::byte* g, const std::byte* x) {
        const NormSums more = table.gradient_sums(n, g, x, own, nullptr);
        plain += more.plain;
        along += more.along;
      });
      work.to_weight[c] = along;
      work.to_bias[c] = plain;
      if (work.dx == nullptr) continue;
      const NormRow how{own.mean, work.weight == nullptr ? own.factor : own.factor * work.weight[c]};
      const NormSums means{plain / count, along * own.factor / count};
      for_each_block(std::min(block, kWrittenBlock), [&](Index i, Index n, const std::byte* g, const std::byte* x) {
        out.write(i, n, [&](std::byte* packed) { table.gradient(n, g, x, how, nullptr, means, packed); });
      });
    }
  });
}

}  // namespace strided::kernels::nn
