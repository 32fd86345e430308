#include "axes.hpp"

#include "layout/bounds.hpp"

namespace strided {

const char* name_of(Role role) {
  constexpr const char* kNames[] = {"map", "fold", "scan", "pick", "row", "column", "inner"};
  return kNames[static_cast<int>(role)];
}

void IterationSpace::erase_axis(int axis) {
  if (!roles.are_all_map()) {
    for (int i = axis; i + 1 < rank(); ++i) roles[i] = roles[i + 1];
    roles[rank() - 1] = Role::Map;
  }
  for (int k = 0; k < operands; ++k) {
    for (int i = axis; i + 1 < rank(); ++i) strides[k][i] = strides[k][i + 1];
  }
  shape.erase(axis);
}

std::string IterationSpace::text() const {
  std::string out = text_of(shape);
  const bool maps = roles.are_all_map();
  for (int axis = 0; axis < rank() && !maps; ++axis) {
    out += (axis == 0 ? " " : ", ") + std::string(name_of(roles[axis]));
  }
  for (int k = 0; k < operands; ++k) out += (k == 0 ? " bytes to step: " : " ") + text_of(steps(k));
  return out;
}

IterationSpace space_of(std::span<const SpaceOperand> operands) {
  IterationSpace space(operands);
  const Layout& first = *operands[0].layout;
  for (int axis = 0; axis < first.rank(); ++axis) {
    space.add_axis(first.length(axis), Role::Map,
                   [&](int k) { return operands[static_cast<std::size_t>(k)].step(axis); });
  }
  return space;
}

IterationSpace ordered_space_of(std::span<const SpaceOperand> operands) {
  IterationSpace space = space_of(operands);
  // Nothing to visit: strides of an empty layout may be anything, so they are not worth a thought.
  if (space.is_empty()) return space;
  drop_unit_axes(space);
  order_axes(space);
  flip_negative_steps(space);
  fuse_axes(space);
  return space;
}

}  // namespace strided
