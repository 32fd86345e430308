#include "repeated_results.hpp"

#include "kernels/copy/copy.hpp"

namespace strided {

namespace {

// Complex numbers have an axis more than a layout may have, of their two parts. It does not repeat anything.
bool is_in(std::uint64_t axes, int axis) { return axis < kMaxRank && (axes >> axis & 1) != 0; }

}  // namespace

Layout at_first_indices(const Layout& layout, std::uint64_t axes) {
  Layout first = layout;
  for (int axis = 0; axis < layout.rank(); ++axis) {
    if (is_in(axes, axis)) first.set_axis(axis, 1, layout.stride(axis));
  }
  return first;
}

void repeat_results(const Operand& out, std::uint64_t axes) {
  // Axis by axis: what is done is copied along the next.
  for (int axis = out.layout->rank() - 1; axis >= 0; --axis) {
    if (!is_in(axes, axis)) continue;
    axes &= ~(std::uint64_t{1} << axis);
    const Index length = out.layout->length(axis) - 1, stride = out.layout->stride(axis);
    Layout from = at_first_indices(*out.layout, axes), to = from;
    from.set_axis(axis, length, 0);
    to.set_axis(axis, length, stride);
    to.set_offset(to.offset() + stride);
    kernels::copy::copy({out.storage, &to, out.dtype}, {out.storage, &from, out.dtype});
  }
}

}  // namespace strided
