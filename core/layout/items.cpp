#include "items.hpp"

#include "bounds.hpp"
#include "errors.hpp"

namespace strided {
namespace {

Error refused(std::string reason, std::string hint) {
  return errors::unsupported_operation("view as another item size", std::move(reason),
                                       std::move(hint));
}

// Items can be regrouped along the last axis only, and only where they are neighbours.
void check_last_axis(const Layout& layout) {
  if (layout.rank() == 0) throw refused("rank 0 has no axis to regroup", ".unsqueeze(-1) first");
  const int last = layout.rank() - 1;
  if (layout.length(last) > 1 && layout.stride(last) != 1) {
    throw refused("the last axis steps by " + std::to_string(layout.stride(last)) + ", not by 1",
                  ".contiguous() first");
  }
}

Index divided(const std::string& what, Index value, Index parts) {
  if (value % parts == 0) return value / parts;
  throw refused(what + " " + std::to_string(value) + " is not a multiple of " +
                    std::to_string(parts),
                ".contiguous() first");
}

}  // namespace

Layout split_items(const Layout& layout, Index parts, bool as_new_axis) {
  if (!as_new_axis) check_last_axis(layout);
  const int kept = as_new_axis ? layout.rank() : layout.rank() - 1;
  Layout result = Layout::uninitialised(kept + 1, shifted(0, layout.offset(), parts));
  for (int axis = 0; axis < kept; ++axis) {
    const Index length = layout.length(axis);
    result.set_axis(axis, length, scaled(layout.stride(axis), parts, length));
  }
  const Index grown[] = {as_new_axis ? 1 : layout.length(kept), parts};
  result.set_axis(kept, checked_size(grown), 1);
  checked_size(result.shape());
  return result;
}

Layout joined_items(const Layout& layout, Index parts) {
  check_last_axis(layout);
  const int last = layout.rank() - 1;
  Layout result = Layout::uninitialised(layout.rank(), divided("offset", layout.offset(), parts));
  for (int axis = 0; axis < last; ++axis) {
    const Index length = layout.length(axis), stride = layout.stride(axis);
    // A stride that is never stepped along may be anything.
    result.set_axis(axis, length,
                    length > 1 ? divided("stride", stride, parts) : stride / parts);
  }
  result.set_axis(last, divided("length", layout.length(last), parts), 1);
  return result;
}

}  // namespace strided
