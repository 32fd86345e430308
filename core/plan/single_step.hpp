// The cheapest plan: none. Small calls ask this before they make a space.
#pragma once

#include "layout/layout.hpp"

namespace strided {

// Whether one step, in elements, leads through the whole layout in row-major order: contiguous layouts, single
// axes, repeated scalars. fuse_axes of the layout alone would leave at most one axis.
inline bool single_step(const Layout& layout, Index& step) {
  int axis = layout.rank() - 1;
  while (axis >= 0 && layout.length(axis) == 1) --axis;
  if (axis < 0) return step = 0, true;
  step = layout.stride(axis);
  for (Index needed = step * layout.length(axis); --axis >= 0;) {
    if (layout.length(axis) == 1) continue;
    if (layout.stride(axis) != needed) return false;
    needed *= layout.length(axis);
  }
  return true;
}

}  // namespace strided
