#include "line_tiles.hpp"

#include <algorithm>
#include <cstdlib>

namespace strided {

IterationSpace lines_of(std::span<const SpaceOperand> operands, int axis, Role role, const Index* picked) {
  const Layout& first = *operands[0].layout;
  IterationSpace space(operands);
  space.picked = picked;
  const auto operand = [&](int k) -> const SpaceOperand& { return operands[static_cast<std::size_t>(k)]; };
  for (int i = 0; i < first.rank(); ++i) {
    const bool is_kept = i != axis && (first.length(i) != 1 || (picked != nullptr && i == 0));
    if (is_kept) space.add_axis(first.length(i), Role::Map, [&](int k) { return operand(k).step(i); });
  }
  const Index length = first.length(axis);
  space.add_axis(length, role, [&](int k) { return length == 1 ? operand(k).itemsize : operand(k).step(axis); });
  if (picked != nullptr) space.roles[0] = Role::Pick;
  return space;
}

IterationSpace ordered_lines_of(std::span<const SpaceOperand> operands, int axis, Role role) {
  IterationSpace space = lines_of(operands, axis, role);
  // Strides of an empty layout may be anything, so they are not worth a thought.
  if (space.rank() == 1 || space.is_empty()) return space;
  order_axes(space);
  flip_negative_steps(space);
  fuse_axes(space);
  return space;
}

namespace {

Index distance_along(const IterationSpace& space, int axis, OperandSet deciding) {
  Index distance = 0;
  for (int k = 0; k < space.operands; ++k) if (has(deciding, k)) distance += std::abs(space.strides[k][axis]);
  return distance;
}

}  // namespace

bool lies_closer(const IterationSpace& space, int a, int b, OperandSet deciding) {
  const Index distance = distance_along(space, a, deciding);
  if (distance == 0) return false;
  return space.shape[b] == 1 || distance < distance_along(space, b, deciding);
}

int closer_axis(const IterationSpace& space, Index least_length, OperandSet deciding) {
  const int line = space.rank() - 1;
  int best = line;
  for (int axis = 0; axis < line; ++axis) {
    if (space.shape[axis] >= least_length && lies_closer(space, axis, best, deciding)) best = axis;
  }
  return best == line ? -1 : best;
}

void set_side_axis(IterationSpace& space, int axis) {
  const int side = space.rank() - 2;
  move_axis(space, axis, side);
  space.roles[side] = Role::Column;
}

Index tile_width(Index columns, Index most, Index rows, Index chunks) {
  // Narrower tiles use too little of a cache line, and make calls too short.
  constexpr Index kLeast = 64;
  Index width = most;
  while (width > kLeast && rows * ceil_div(columns, width) < chunks) width /= 2;
  return width;
}

LineTiles::LineTiles(const IterationSpace& space, Index width)
    : tiles_(space), axes_(space.rank() - 1), width_(width), lines_(axes_ == 0 ? 1 : space.shape[axes_ - 1]) {
  if (axes_ == 0) return;
  tiles_.shape[axes_ - 1] = ceil_div(lines_, width);
  for (int k = 0; k < space.operands; ++k) tiles_.strides[k][axes_ - 1] *= width;
}

}  // namespace strided
