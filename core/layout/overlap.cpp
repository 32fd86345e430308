#include "overlap.hpp"

#include <numeric>

#include "bounds.hpp"
#include "contiguity.hpp"
#include "errors.hpp"

namespace strided {
namespace {

// Two index tuples, `difference` d apart (|d[k]| < length[k]), meet when sum(stride[k] * d[k]) = 0.
// Let order[first] be the slowest axis where they differ; by symmetry d is at least 1 there, and
// 0 on the slower axes. Substituting x = d - (smallest d) gives the bounded equation.
Answer meet(const Layout& layout, const Dims& order, int first, Index& work) {
  const int leader = static_cast<int>(order[first]);
  BoundedEquation equation;
  equation.add(layout.stride(leader), layout.length(leader) - 2);
  Wide target = -Wide{layout.stride(leader)};
  for (int i = first + 1; i < order.size(); ++i) {
    const int axis = static_cast<int>(order[i]);
    const Wide reach = layout.length(axis) - 1;
    equation.add(layout.stride(axis), 2 * reach);
    target += layout.stride(axis) * reach;
  }
  return equation.solve(target, work);
}

void check_item_size(Index item) {
  // 128-bit arithmetic on bytes is exact only below some size; no element comes near this one.
  if (item < 1 || item > Index{1} << 31) {
    throw errors::invalid_argument("itemsize", std::to_string(item), "must lie between 1 and 2**31");
  }
}

}  // namespace

Overlap overlaps_itself(const Layout& layout, Index work) {
  if (bounds_of(layout).empty() || is_row_major(layout)) return Overlap::No;
  for (int axis = 0; axis < layout.rank(); ++axis) {
    if (layout.stride(axis) == 0 && layout.length(axis) > 1) return Overlap::Yes;
  }
  // Fastest axis first. An axis that steps over all that the faster ones reach together meets
  // nothing (nested strides); only the others need the equation.
  const Dims order = memory_order(layout);
  std::uint64_t reach = 0;
  for (int i = order.size(); i-- > 0;) {
    const int axis = static_cast<int>(order[i]);
    if (layout.length(axis) == 1) continue;
    const std::uint64_t step = magnitude(layout.stride(axis));
    if (step <= reach) {
      const Answer answer = meet(layout, order, i, work);
      if (answer != Answer::No) return answer;
    }
    reach += step * static_cast<std::uint64_t>(layout.length(axis) - 1);
  }
  return Overlap::No;
}

bool ranges_touch(const Layout& a, Index item_a, const Layout& b, Index item_b) {
  check_item_size(item_a);
  check_item_size(item_b);
  const Bounds in_a = bounds_of(a), in_b = bounds_of(b);
  if (in_a.empty() || in_b.empty()) return false;
  const Wide end_a = (Wide{in_a.highest} + 1) * item_a, end_b = (Wide{in_b.highest} + 1) * item_b;
  return Wide{in_a.lowest} * item_a < end_b && Wide{in_b.lowest} * item_b < end_a;
}

// Item i of a covers bytes item_a * i + p with 0 <= p < item_a, likewise b: they share a byte when
// item_a * (offset + sum(stride * x)) + p = item_b * (offset' + sum(stride' * y)) + q.
// Counted in units of gcd(item_a, item_b) bytes, p and q vanish for equal item sizes.
Overlap overlaps(const Layout& a, Index item_a, const Layout& b, Index item_b, Index work) {
  if (!ranges_touch(a, item_a, b, item_b)) return Overlap::No;
  const Index unit = std::gcd(item_a, item_b);
  item_a /= unit;
  item_b /= unit;
  const Wide target = Wide{b.offset()} * item_b - Wide{a.offset()} * item_a;
  if (target == 0) return Overlap::Yes;  // the first elements coincide

  BoundedEquation equation;
  equation.add(1, item_a - 1);
  equation.add(-1, item_b - 1);
  for (int axis = 0; axis < a.rank(); ++axis) {
    equation.add(Wide{a.stride(axis)} * item_a, a.length(axis) - 1);
  }
  for (int axis = 0; axis < b.rank(); ++axis) {
    equation.add(-Wide{b.stride(axis)} * item_b, b.length(axis) - 1);
  }
  return equation.solve(target, work);
}

}  // namespace strided
