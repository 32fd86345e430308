// Independent pieces of a plan, for threads.
#include <algorithm>

#include "plan.hpp"

namespace strided {

int split_axis(const Plan& plan, Index pieces) {
  int longest = 0;
  for (int axis = 0; axis < plan.rank(); ++axis) {
    if (plan.shape[axis] >= pieces) return axis;
    if (plan.shape[axis] > plan.shape[longest]) longest = axis;
  }
  return longest;
}

Plan piece_of(const Plan& plan, int axis, Index piece, Index pieces) {
  const Index length = plan.shape[axis];
  // Along the innermost axis pieces begin where cache lines do, if the whole does.
  const Index grain = axis == plan.rank() - 1 && length >= pieces * 1024 ? 1024 : 1;
  const Index steps = (length + grain - 1) / grain;
  const Index first = std::min(length, piece * steps / pieces * grain);
  const Index end = std::min(length, (piece + 1) * steps / pieces * grain);
  Plan part = plan;
  part.shape[axis] = end - first;
  for (int k = 0; k < plan.operands; ++k) part.start[k] += first * plan.strides[k][axis];
  return part;
}

}  // namespace strided
