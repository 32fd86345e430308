// Fewer, longer axes: neighbours that step together in every operand become one.
#include "plan.hpp"

namespace strided {
namespace {

bool step_together(const Plan& plan, int outer, int inner) {
  for (int k = 0; k < plan.operands; ++k) {
    if (plan.strides[k][outer] != plan.shape[inner] * plan.strides[k][inner]) return false;
  }
  return true;
}

void copy_axis(Plan& plan, int from, int to) {
  plan.shape[to] = plan.shape[from];
  for (int k = 0; k < plan.operands; ++k) plan.strides[k][to] = plan.strides[k][from];
}

void set_rank(Plan& plan, int rank) {
  plan.shape.resize(rank);
  for (int k = 0; k < plan.operands; ++k) plan.strides[k].resize(rank);
}

}  // namespace

void drop_unit_axes(Plan& plan) {
  int kept = 0;
  for (int axis = 0; axis < plan.rank(); ++axis) {
    if (plan.shape[axis] != 1) copy_axis(plan, axis, kept++);
  }
  set_rank(plan, kept);
}

void fuse_axes(Plan& plan) {
  if (plan.rank() < 2) return;
  int last = 0;  // the axes 0..last are final, except that `last` may still grow
  for (int axis = 1; axis < plan.rank(); ++axis) {
    if (step_together(plan, last, axis)) {
      plan.shape[last] *= plan.shape[axis];
      for (int k = 0; k < plan.operands; ++k) plan.strides[k][last] = plan.strides[k][axis];
    } else {
      copy_axis(plan, axis, ++last);
    }
  }
  set_rank(plan, last + 1);
}

}  // namespace strided
