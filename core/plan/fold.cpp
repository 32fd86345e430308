#include "fold.hpp"

#include <algorithm>
#include <utility>

#include "layout/bounds.hpp"
#include "walk.hpp"

namespace strided {
namespace {

constexpr int kIn = FoldSpace::kIn, kResult = FoldSpace::kResult, kPosition = FoldSpace::kPosition;

// Makes `map` the Map axes alone, of the operands first .. first + count - 1.
void take_map_axes(IterationSpace& map, const IterationSpace& space, int first, int count) {
  map.operands = count;
  Index steps[kMaxOperands];
  for (int axis = 0; axis < space.rank(); ++axis) {
    if (space.roles[axis] != Role::Map) continue;
    for (int k = 0; k < count; ++k) steps[k] = space.strides[first + k][axis];
    map.add_axis(space.shape[axis], Role::Map, steps);
  }
  std::copy_n(space.start + first, count, map.start);
}

// Axes as the layouts have them; results step in bytes yet.
void add_axes(FoldSpace& fold, Repeats repeats) {
  const Layout &from = *fold.in.layout, &to = *fold.out.layout;
  const bool positions = fold.axes.operands > kPosition;
  const Index in_size = itemsize(fold.in.dtype), out_size = itemsize(fold.out.dtype);
  Index position = fold.count;  // from one index of an axis to the next
  for (int axis = 0; axis < from.rank(); ++axis) {
    const Index length = from.length(axis);
    const bool folded = to.length(axis) != length;
    // Where there is nothing to fold, Fold axes are left out: there may be more of them than a space can hold.
    if (length == 1 || (folded && fold.count == 0)) continue;
    if (folded && positions) position /= length;
    if (folded && repeats == Repeats::Counted && from.stride(axis) == 0) {
      fold.repeats *= length;
      continue;
    }
    if (!folded && from.stride(axis) == 0) {
      fold.repeated |= only_axis(axis);
      fold.results /= length;
      continue;
    }
    const Index steps[] = {fold.count == 0 ? 0 : scaled(from.stride(axis), in_size, 1),
                           folded ? 0 : scaled(to.stride(axis), out_size, 1), folded ? position : 0};
    fold.axes.add_axis(length, folded ? Role::Fold : Role::Map, steps);
  }
  if (fold.repeats > 1) fold.count /= fold.repeats;
}

void number_results(IterationSpace& axes) {
  Index number = 1;
  for (int axis = axes.rank() - 1; axis >= 0; --axis) {
    const bool kept = axes.roles[axis] == Role::Map;
    axes.strides[kResult][axis] = kept ? number : 0;
    if (kept) number *= axes.shape[axis];
  }
  axes.start[kResult] = 0;
}

}  // namespace

FoldSpace fold_space_of(const Operand& out, const Operand& in, Repeats repeats, bool positions) {
  FoldSpace fold;  // not from a list of values, which would clear all of it
  fold.out = out;
  fold.in = in;
  for (int axis = 0; axis < in.layout->rank(); ++axis) {
    const Index length = in.layout->length(axis);
    (out.layout->length(axis) == length ? fold.results : fold.count) *= length;
  }
  IterationSpace& axes = fold.axes;
  axes.operands = positions ? 3 : 2;
  axes.start[kIn] = in.layout->byte_offset(itemsize(in.dtype));
  axes.start[kResult] = out.layout->byte_offset(itemsize(out.dtype));
  axes.start[kPosition] = 0;
  add_axes(fold, repeats);
  order_axes(axes, only(kIn), Repeated::PerLine);
  flip_negative_steps(axes, only(kIn));
  take_map_axes(fold.places, axes, kResult, 1);
  fuse_axes(fold.places);
  fuse_axes(axes, only(kIn) | only(kPosition));
  number_results(axes);
  return fold;
}

namespace {

// The Fold axis to cut: the outermost that is long enough, or else the longest.
int axis_to_cut(const IterationSpace& axes, Index chunks) {
  int best = -1;
  for (int axis = 0; axis < axes.rank(); ++axis) {
    if (axes.roles[axis] != Role::Fold) continue;
    if (axes.shape[axis] >= chunks) return axis;
    if (best < 0 || axes.shape[axis] > axes.shape[best]) best = axis;
  }
  return best;
}

Index most_results(const FoldSpace& fold, Index itemsize, const FoldLimits& limits) {
  const IterationSpace& axes = fold.axes;
  const bool wide = axes.rank() > 0 && axes.roles[axes.rank() - 1] == Role::Map &&
                    axes.inner_length() > limits.least_results;
  if (wide && fold.count >= limits.wide_count) return limits.most_wide_results;
  return std::clamp(limits.block_bytes / itemsize / std::max<Index>(1, fold.count), limits.least_results,
                    limits.most_results);
}

// The axis of the space that is number `number` of its Map axes.
int map_axis(const IterationSpace& axes, int number) {
  for (int axis = 0; axis < axes.rank(); ++axis) {
    if (axes.roles[axis] == Role::Map && number-- == 0) return axis;
  }
  return -1;
}

void cut_into_chunks(FoldCut& cut, int axis, Index length, Index chunks) {
  // Whole vectors in every chunk but the last.
  const Index even = length >= 64 * chunks ? 64 : 1;
  cut.chunk_axis = axis;
  cut.chunk_length = round_up(ceil_div(length, chunks), even);
  cut.chunks = ceil_div(length, cut.chunk_length);
}

}  // namespace

FoldCut cut_fold(const FoldSpace& fold, Index itemsize, const FoldLimits& limits) {
  const IterationSpace& axes = fold.axes;
  const double bytes =
      static_cast<double>(fold.results) * static_cast<double>(saturated_product(fold.count, itemsize));
  FoldCut cut;
  cut.block_results = fold.results;
  // Small reductions are common, and divisions take their time.
  if (fold.results <= limits.least_results && bytes < 2.0 * static_cast<double>(limits.task_bytes)) return cut;
  const Index tasks = bytes >= static_cast<double>(limits.most_tasks * limits.task_bytes)
                          ? limits.most_tasks
                          : static_cast<Index>(bytes) / limits.task_bytes;
  const Index most = most_results(fold, itemsize, limits);
  if (fold.results <= most && tasks <= 1) return cut;
  IterationSpace map;
  take_map_axes(map, axes, 0, axes.operands);
  cut.blocks = cut_into_blocks(map.shape, map.rank(), most);
  cut.block_axis = map_axis(axes, cut.blocks.axis);
  const int folded = cut.blocks.blocks < tasks ? axis_to_cut(axes, tasks) : -1;
  // Memory is cut where its order has it: the outer of the two axes first.
  if (cut.blocks.blocks < tasks && cut.block_axis >= 0 && (folded < 0 || cut.block_axis < folded)) {
    cut.blocks = with_ranges(cut.blocks, map.shape, ceil_div(cut.blocks.length, tasks / cut.blocks.blocks));
  }
  cut.block_results = cut.blocks.length;
  for (int axis = cut.blocks.axis + 1; axis < map.rank(); ++axis) cut.block_results *= map.shape[axis];
  if (folded < 0) return cut;
  const Index chunks =
      std::min({tasks / cut.blocks.blocks, fold.count / limits.least_per_chunk, axes.shape[folded]});
  if (chunks > 1) cut_into_chunks(cut, folded, axes.shape[folded], chunks);
  return cut;
}

FoldTasks::FoldTasks(const FoldSpace& fold, const FoldCut& cut) : fold_(fold), cut_(cut) {
  if (cut.blocks.blocks == 1) return;
  IterationSpace map;
  take_map_axes(map, fold.axes, 0, fold.axes.operands);
  starts_ = block_starts(map, cut.blocks);
}

FoldTask FoldTasks::task(Index number, IterationSpace& space) const {
  FoldTask task{&space, 0, 1, 1, number % cut_.chunks};
  space = fold_.axes;
  if (cut_.chunks > 1) {
    const Index first = task.chunk * cut_.chunk_length;
    narrow_axis(space, cut_.chunk_axis, first, std::min(cut_.chunk_length, space.shape[cut_.chunk_axis] - first));
  }
  if (cut_.blocks.blocks > 1) {
    const Index block = number / cut_.chunks;
    for (int k = 0; k < space.operands; ++k) space.start[k] += offset_of(starts_, k, 0, starts_.rank(), block);
    for (int axis = 0; axis < cut_.block_axis; ++axis) {
      if (space.roles[axis] == Role::Map) space.shape[axis] = 1;
    }
    const Index first = block % cut_.blocks.ranges * cut_.blocks.length;
    space.shape[cut_.block_axis] = std::min(cut_.blocks.length, space.shape[cut_.block_axis] - first);
  }
  drop_unit_axes(space);
  for (int axis = 0; axis < space.rank(); ++axis) {
    (space.roles[axis] == Role::Map ? task.results : task.count) *= space.shape[axis];
  }
  // Where there is nothing to fold, Fold axes are left out.
  if (fold_.count == 0) task.count = 0;
  task.first = std::exchange(space.start[kResult], 0);
  return task;
}

std::string FoldCut::text() const {
  std::string text;
  if (blocks.blocks > 1) {
    text = std::to_string(blocks.blocks) + " blocks of " + std::to_string(block_results) + " results";
  }
  if (chunks > 1) {
    if (!text.empty()) text += ", ";
    text += std::to_string(chunks) + " chunks of " + std::to_string(chunk_length) + " along axis " +
            std::to_string(chunk_axis);
  }
  return text;
}

}  // namespace strided
