// Which axis is visited innermost, and in which direction.
#include <algorithm>
#include <cstdlib>

#include "axes.hpp"

namespace strided {
namespace {

bool is_free(Role role) { return role == Role::Map || role == Role::Fold; }

// Axes that may be visited in any order stand in front.
int free_axes(const IterationSpace& space) {
  if (space.roles.are_all_map()) return space.rank();
  int count = 0;
  while (count < space.rank() && is_free(space.roles[count])) ++count;
  return count;
}

// Should axis a be outside axis b?
bool steps_wider(const IterationSpace& space, int a, int b, OperandSet deciding, Repeated repeated) {
  // Not asked from the machine: the order of axes decides the bits of sums, which are the same everywhere.
  constexpr Index kLine = 64;
  for (int k = 0; k < space.operands; ++k) {
    if (!has(deciding, k)) continue;
    Index step_a = std::abs(space.strides[k][a]), step_b = std::abs(space.strides[k][b]);
    if (repeated == Repeated::PerLine) {
      if (step_a == 0) step_a = kLine;
      if (step_b == 0) step_b = kLine;
    } else if (step_a == 0 || step_b == 0) {
      continue;  // repeated elements have no opinion
    }
    if (step_a != step_b) return step_a > step_b;
  }
  return false;
}

}  // namespace

void swap_axes(IterationSpace& space, int a, int b) {
  std::swap(space.shape[a], space.shape[b]);
  for (int k = 0; k < space.operands; ++k) std::swap(space.strides[k][a], space.strides[k][b]);
  if (space.roles.are_all_map()) return;
  const Role role = space.roles[a];
  space.roles[a] = space.roles[b];
  space.roles[b] = role;
}

void move_axis(IterationSpace& space, int from, int to) {
  for (; from < to; ++from) swap_axes(space, from, from + 1);
  for (; from > to; --from) swap_axes(space, from, from - 1);
}

void set_role_innermost(IterationSpace& space, int axis, Role role) {
  move_axis(space, axis, space.rank() - 1);
  space.roles[space.rank() - 1] = role;
}

void order_axes(IterationSpace& space, OperandSet deciding, Repeated repeated) {
  // Insertion sort: ranks are small, mostly sorted already, and equal axes must keep their order.
  const int count = free_axes(space);
  for (int i = 1; i < count; ++i) {
    for (int j = i; j > 0 && steps_wider(space, j, j - 1, deciding, repeated); --j) swap_axes(space, j, j - 1);
  }
}

void reverse_axis(IterationSpace& space, int axis) {
  for (int k = 0; k < space.operands; ++k) {
    space.start[k] += space.strides[k][axis] * (space.shape[axis] - 1);
    space.strides[k][axis] = -space.strides[k][axis];
  }
}

void flip_negative_steps(IterationSpace& space, OperandSet deciding) {
  const int count = free_axes(space);
  for (int axis = 0; axis < count; ++axis) {
    int first = 0;
    while (first < space.operands && (!has(deciding, first) || space.strides[first][axis] == 0)) ++first;
    if (first < space.operands && space.strides[first][axis] < 0) reverse_axis(space, axis);
  }
}

}  // namespace strided
