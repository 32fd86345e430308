// How a layout lies in memory. Axes of length 1 do not count; empty layouts are contiguous.
#pragma once

#include "bounds.hpp"
#include "layout.hpp"

namespace strided {

// Whether one step, in elements, leads through the whole layout in row-major order: contiguous layouts, single
// axes, repeated scalars. Small calls ask this before they make a space (plan/axes.hpp).
inline bool single_step(const Layout& layout, Index& step) {
  int axis = layout.rank() - 1;
  while (axis >= 0 && layout.length(axis) == 1) --axis;
  if (axis < 0) return step = 0, true;
  step = layout.stride(axis);
  for (Index needed = step; axis > 0;) {
    if (!multiply(needed, layout.length(axis), needed)) return false;
    do --axis;
    while (axis >= 0 && layout.length(axis) == 1);
    if (axis >= 0 && layout.stride(axis) != needed) return false;
  }
  return true;
}

bool is_row_major(const Layout&);
bool is_column_major(const Layout&);
// Gap-free in the given axis order (slowest first).
bool is_in_order(const Layout&, Span order);
// Gap-free and without repeats in some axis order and direction of travel.
bool is_packed(const Layout&);

// The first axis, from the right, that spoils row-major order.
struct OrderFault {
  int axis;
  Index stride;
  Index needed;
};
// False when there is none.
bool find_order_fault(const Layout&, OrderFault& fault);

// Axes from the slowest to the fastest by |stride|, ties by position; axes without a step (stride 0
// or length 1) keep their place next to the neighbour on their left. The order a result "like this
// one" should be laid out in.
Dims memory_order(const Layout&);

}  // namespace strided
