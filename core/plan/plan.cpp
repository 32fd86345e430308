#include "plan.hpp"

#include "layout/bounds.hpp"

namespace strided {

Plan make_plan(std::span<const PlanOperand> operands) {
  Plan plan;
  plan.operands = static_cast<int>(operands.size());
  plan.shape = operands[0].layout->shape();
  for (int k = 0; k < plan.operands; ++k) {
    const auto& [layout, itemsize] = operands[static_cast<std::size_t>(k)];
    plan.start[k] = layout->offset() * itemsize;
    // Strides that are never stepped along may be anything, also too large to count in bytes.
    for (Index stride : layout->strides()) plan.strides[k].push_back(scaled(stride, itemsize, 1));
  }
  // Nothing to walk: strides of an empty layout may be anything, so they are not worth a thought.
  for (Index length : plan.shape) {
    if (length == 0) return plan;
  }
  drop_unit_axes(plan);
  order_axes(plan);
  undo_negative_strides(plan);
  fuse_axes(plan);
  return plan;
}

std::string Plan::text() const {
  std::string out = text_of(shape);
  for (int k = 0; k < operands; ++k) out += (k == 0 ? " bytes to step: " : " ") + text_of(strides[k]);
  return out;
}

}  // namespace strided
