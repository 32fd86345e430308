#include "blocks.hpp"

#include <algorithm>

namespace strided {

BlockCut cut_into_blocks(Span shape, int cuttable, Index most) {
  BlockCut cut;
  Index inside = 1;
  for (Index length : shape) inside *= length;
  const bool whole = inside == 0 || cuttable == 0;
  if (whole) return with_ranges(cut, shape, shape.empty() ? 1 : shape[0]);
  for (; cut.axis < cuttable - 1; ++cut.axis) {
    inside /= shape[static_cast<std::size_t>(cut.axis)];
    if (inside <= most) break;
  }
  if (cut.axis == cuttable - 1) inside /= shape[static_cast<std::size_t>(cut.axis)];
  return with_ranges(cut, shape, most / inside);
}

BlockCut with_ranges(const BlockCut& cut, Span shape, Index length) {
  BlockCut other;
  other.axis = cut.axis;
  if (shape.empty()) return other;
  const Index whole = std::max<Index>(1, shape[static_cast<std::size_t>(cut.axis)]);
  other.length = std::clamp<Index>(length, 1, whole);
  other.ranges = (whole + other.length - 1) / other.length;
  other.blocks = other.ranges;
  for (int axis = 0; axis < cut.axis; ++axis) other.blocks *= shape[static_cast<std::size_t>(axis)];
  return other;
}

IterationSpace block_starts(const IterationSpace& space, const BlockCut& cut) {
  IterationSpace starts(space.operands);
  std::copy_n(space.start, space.operands, starts.start);
  Index steps[kMaxOperands];
  for (int axis = 0; axis <= cut.axis; ++axis) {
    const bool cut_here = axis == cut.axis;
    for (int k = 0; k < space.operands; ++k) steps[k] = space.strides[k][axis] * (cut_here ? cut.length : 1);
    starts.add_axis(cut_here ? cut.ranges : space.shape[axis], space.roles[axis], steps);
  }
  return starts;
}

}  // namespace strided
