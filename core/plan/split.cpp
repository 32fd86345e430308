#include "split.hpp"

#include <cstdlib>

namespace strided {

void narrow_axis(IterationSpace& space, int axis, Index first, Index length) {
  space.shape[axis] = length;
  // Along a Pick axis the first operand goes by the table.
  const bool by_table = space.picked != nullptr && axis == 0;
  for (int k = by_table ? 1 : 0; k < space.operands; ++k) space.start[k] += first * space.strides[k][axis];
  if (by_table) space.picked += first;
}

IterationSpace narrowed(const IterationSpace& space, int axis, Index first, Index length) {
  IterationSpace chunk = space;
  narrow_axis(chunk, axis, first, length);
  return chunk;
}

int split_axis(const IterationSpace& space, Index chunks, AxisSet cuttable) {
  // Chunks whose indices are a page apart or more share neither cache lines nor prefetched ones.
  constexpr Index kFar = 4096;
  int best = -1, longest = -1;
  Index farthest = 0;
  for (int axis = 0; axis < space.rank(); ++axis) {
    if ((cuttable >> axis & 1) == 0) continue;
    if (longest < 0 || space.shape[axis] > space.shape[longest]) longest = axis;
    if (space.shape[axis] < chunks) continue;
    Index distance = kFar;
    for (int k = 0; k < space.operands; ++k) {
      const Index step = std::abs(space.strides[k][axis]);
      if (step != 0) distance = std::min(distance, step);
    }
    if (distance > farthest) best = axis, farthest = distance;
  }
  return best < 0 ? longest : best;
}

namespace {

// Along the innermost axis chunks begin at multiples of 1024 elements: where cache lines and pages of any dtype begin,
// if the whole does.
Index grain_of(const IterationSpace& space, int axis, Index chunks) {
  return axis == space.rank() - 1 && space.shape[axis] >= chunks * 1024 ? 1024 : 1;
}

}  // namespace

IterationSpace chunk_of(const IterationSpace& space, int axis, Index chunk, Index chunks) {
  const Index length = space.shape[axis], grain = grain_of(space, axis, chunks);
  const Index steps = ceil_div(length, grain);
  const Index first = std::min(length, chunk_begin(steps, chunks, chunk) * grain);
  const Index end = std::min(length, chunk_begin(steps, chunks, chunk + 1) * grain);
  return narrowed(space, axis, first, end - first);
}

Index longest_chunk(const IterationSpace& space, int axis, Index chunks) {
  const Index length = space.shape[axis], grain = grain_of(space, axis, chunks);
  const Index steps = ceil_div(length, grain);
  return std::min(length, ceil_div(steps, chunks) * grain);
}

}  // namespace strided
