// Fewer, longer axes: neighbours that step together become one.
#include <algorithm>

#include "axes.hpp"

namespace strided {
namespace {

bool may_fuse(const IterationSpace& space, int outer, int inner) {
  if (space.roles.are_all_map()) return true;
  const Role role = space.roles[inner];
  return space.roles[outer] == role && role != Role::Scan && role != Role::Pick;
}

void copy_axis(IterationSpace& space, int from, int to) {
  space.shape[to] = space.shape[from];
  for (int k = 0; k < space.operands; ++k) space.strides[k][to] = space.strides[k][from];
  if (!space.roles.are_all_map()) space.roles[to] = space.roles[from];
}

void set_rank(IterationSpace& space, int rank) {
  for (int axis = rank; axis < space.rank() && !space.roles.are_all_map(); ++axis) space.roles[axis] = Role::Map;
  space.shape.resize(rank);
}

}  // namespace

bool step_together(const IterationSpace& space, int outer, int inner, OperandSet together) {
  for (int k = 0; k < space.operands; ++k) {
    if (!has(together, k)) continue;
    if (space.strides[k][outer] != space.shape[inner] * space.strides[k][inner]) return false;
  }
  return true;
}

Index even_run(Span table, Index& step) {
  const auto size = static_cast<Index>(table.size());
  step = size < 2 ? 1 : table[1] - table[0];
  Index run = std::min<Index>(size, 2);
  while (run < size && table[static_cast<std::size_t>(run)] - table[static_cast<std::size_t>(run - 1)] == step) ++run;
  return run;
}

void drop_unit_axes(IterationSpace& space) {
  int kept = 0;
  for (int axis = 0; axis < space.rank(); ++axis) {
    const bool stays = space.shape[axis] != 1 || space.roles[axis] == Role::Pick;
    if (stays) copy_axis(space, axis, kept++);
  }
  set_rank(space, kept);
}

void fuse_axes(IterationSpace& space, OperandSet together) {
  if (space.rank() < 2) return;
  int last = 0;  // the axes 0..last are final, except that `last` may still grow
  for (int axis = 1; axis < space.rank(); ++axis) {
    if (may_fuse(space, last, axis) && step_together(space, last, axis, together)) {
      space.shape[last] *= space.shape[axis];
      for (int k = 0; k < space.operands; ++k) space.strides[k][last] = space.strides[k][axis];
    } else {
      if (++last != axis) copy_axis(space, axis, last);
    }
  }
  if (last + 1 < space.rank()) set_rank(space, last + 1);
}

}  // namespace strided
