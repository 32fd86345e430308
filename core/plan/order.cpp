// Which axis is walked innermost, and in which direction.
#include <algorithm>
#include <cstdlib>

#include "plan.hpp"

namespace strided {
namespace {

// Should axis a be outside axis b? The first operand that steps differently along the two decides,
// the output first. Repeated axes (stride 0) have no opinion.
bool steps_wider(const Plan& plan, int a, int b) {
  for (int k = 0; k < plan.operands; ++k) {
    const Index step_a = std::abs(plan.strides[k][a]);
    const Index step_b = std::abs(plan.strides[k][b]);
    if (step_a == 0 || step_b == 0) continue;
    if (step_a != step_b) return step_a > step_b;
  }
  return false;
}

}  // namespace

void swap_axes(Plan& plan, int a, int b) {
  std::swap(plan.shape[a], plan.shape[b]);
  for (int k = 0; k < plan.operands; ++k) std::swap(plan.strides[k][a], plan.strides[k][b]);
}

void order_axes(Plan& plan) {
  // Insertion sort: ranks are small, mostly sorted already, and equal axes must keep their order.
  for (int i = 1; i < plan.rank(); ++i) {
    for (int j = i; j > 0 && steps_wider(plan, j, j - 1); --j) swap_axes(plan, j, j - 1);
  }
}

void reverse_axis(Plan& plan, int axis) {
  for (int k = 0; k < plan.operands; ++k) {
    plan.start[k] += plan.strides[k][axis] * (plan.shape[axis] - 1);
    plan.strides[k][axis] = -plan.strides[k][axis];
  }
}

void undo_negative_strides(Plan& plan) {
  for (int axis = 0; axis < plan.rank(); ++axis) {
    // The first operand that moves at all along this axis should move forwards.
    int first = 0;
    while (first < plan.operands && plan.strides[first][axis] == 0) ++first;
    if (first == plan.operands || plan.strides[first][axis] > 0) continue;
    reverse_axis(plan, axis);
  }
}

}  // namespace strided
