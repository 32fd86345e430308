#include "line_tiles.hpp"

#include <algorithm>
#include <cstdlib>

#include "layout/bounds.hpp"

namespace strided {

IterationSpace lines_of(std::span<const SpaceOperand> operands, int axis, Role role, const Index* picked) {
  const Layout& first = *operands[0].layout;
  const Index length = first.length(axis);
  IterationSpace space(static_cast<int>(operands.size()));
  space.operands = static_cast<int>(operands.size());
  space.picked = picked;
  const auto is_kept = [&](int i) { return i != axis && (first.length(i) != 1 || (picked != nullptr && i == 0)); };
  for (int i = 0; i < first.rank(); ++i) if (is_kept(i)) space.shape.push_back(first.length(i));
  space.shape.push_back(length);
  for (int k = 0; k < space.operands; ++k) {
    const auto& [layout, itemsize] = operands[static_cast<std::size_t>(k)];
    space.start[k] = layout->offset() * itemsize;
    // As in space_of: strides that are never stepped along may be anything.
    for (int i = 0; i < first.rank(); ++i) {
      if (is_kept(i)) space.strides[k].push_back(scaled(layout->stride(i), itemsize, 1));
    }
    space.strides[k].push_back(length == 1 ? itemsize : scaled(layout->stride(axis), itemsize, 1));
  }
  if (picked != nullptr) space.roles[0] = Role::Pick;
  space.roles[space.rank() - 1] = role;
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
