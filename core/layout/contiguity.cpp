#include "contiguity.hpp"

#include <algorithm>

#include "bounds.hpp"
#include "errors.hpp"

namespace strided {
namespace {

// Gap-free means: visited from the fastest to the slowest, each axis steps over exactly the block
// that the axes before it fill. Returns the first axis that does not, or -1.
template <class AxisAt>
int first_gap(const Layout& layout, AxisAt axis_at, Index& needed) {
  needed = 1;
  if (layout.size() == 0) return -1;
  for (int i = 0; i < layout.rank(); ++i) {
    const int axis = axis_at(i);
    if (layout.length(axis) == 1) continue;
    if (layout.stride(axis) != needed) return axis;
    needed *= layout.length(axis);
  }
  return -1;
}

}  // namespace

bool find_order_fault(const Layout& layout, OrderFault& fault) {
  const int last = layout.rank() - 1;
  Index needed;
  const int axis = first_gap(layout, [last](int i) { return last - i; }, needed);
  if (axis < 0) return false;
  fault = {axis, layout.stride(axis), needed};
  return true;
}

bool is_row_major(const Layout& layout) {
  OrderFault fault;
  return !find_order_fault(layout, fault);
}

bool is_column_major(const Layout& layout) {
  Index needed;
  return first_gap(layout, [](int i) { return i; }, needed) < 0;
}

bool is_in_order(const Layout& layout, Span order) {
  const int rank = layout.rank();
  if (static_cast<int>(order.size()) != rank) {
    throw errors::invalid_argument("order", text_of(order),
                                   "must name each axis of " + text_of(layout.shape()) + " once");
  }
  axis_set(order, rank);
  Index needed;
  const auto axis_at = [&](int i) { return normal_axis(order[rank - 1 - i], rank); };
  return first_gap(layout, axis_at, needed) < 0;
}

bool is_packed(const Layout& layout) {
  if (layout.size() == 0) return true;
  const Dims order = memory_order(layout);
  std::uint64_t needed = 1;
  for (int i = order.size(); i-- > 0;) {
    const int axis = static_cast<int>(order[i]);
    if (layout.length(axis) == 1) continue;
    if (magnitude(layout.stride(axis)) != needed) return false;
    needed *= static_cast<std::uint64_t>(layout.length(axis));
  }
  return true;
}

Dims memory_order(const Layout& layout) {
  const auto steps = [&](int axis) { return layout.stride(axis) != 0 && layout.length(axis) != 1; };
  const auto pace = [&](Index axis) { return magnitude(layout.strides()[axis]); };

  Dims order;
  for (int axis = 0; axis < layout.rank(); ++axis) {
    if (!steps(axis)) continue;
    int at = order.size();
    while (at > 0 && pace(order[at - 1]) < pace(axis)) --at;
    order.insert(at, axis);
  }
  for (int axis = 0; axis < layout.rank(); ++axis) {
    if (steps(axis)) continue;
    const Index* left = std::find(order.begin(), order.end(), axis - 1);
    order.insert(axis == 0 ? 0 : static_cast<int>(left - order.begin()) + 1, axis);
  }
  return order;
}

}  // namespace strided
