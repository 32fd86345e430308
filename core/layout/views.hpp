// View operations: Layout -> Layout, integers only. Each keeps strides as PyTorch does; flips and
// slices with negative steps give negative strides as NumPy does.
#pragma once

#include <optional>

#include "items.hpp"  // views of another item size belong to the family
#include "layout.hpp"

namespace strided {

// ---- choosing part of an axis ----
// Elements start, start + step, ... (count of them) of one axis. Already normalised: used by
// indexing.
Layout sliced_exactly(const Layout&, int axis, Index start, Index count, Index step);
// Python's slice rules: negative bounds count from the end, bounds are clipped, step != 0 may be
// negative.
Layout sliced(const Layout&, Index dim, std::optional<Index> start, std::optional<Index> stop,
              Index step);
// start in [-length, length], 0 <= length; out of range raises.
Layout narrowed(const Layout&, Index dim, Index start, Index length);
Layout selected(const Layout&, Index dim, Index index);
// The diagonal of two axes, as a new last axis; offset > 0 above, < 0 below the main diagonal.
Layout diagonal(const Layout&, Index offset, Index dim1, Index dim2);
// Windows of `size` elements, `step` apart: axis dim counts the windows, a new last axis
// the elements of one.
Layout unfolded(const Layout&, Index dim, Index size, Index step);

// ---- reordering ----
Layout transposed(const Layout&, Index dim0, Index dim1);
Layout permuted(const Layout&, Span dims);
Layout moved(const Layout&, Span source, Span destination);
Layout flipped(const Layout&, Span dims);
// All axes reversed; for rank 2 the transpose.
Layout reversed_axes(const Layout&);

// ---- axes of length 1 and 0-stride axes ----
Layout squeezed(const Layout&);            // all axes of length 1
Layout squeezed(const Layout&, Span dims); // the given ones where their length is 1 (others stay)
Layout unsqueezed(const Layout&, Index dim);
// -1 keeps a length; new axes are on the left. Repeats cost stride 0.
Layout expanded(const Layout&, Span shape);

// ---- arbitrary ----
// Lengths and strides as given; bounds are the caller's to check against a storage.
Layout restrided(Span shape, Span strides, Index offset);

// ---- several operands ----
// The shape that all broadcast to; raises ShapeMismatch.
Dims broadcast_shape(Span a, Span b);
// `layout` broadcast to `shape`: missing and repeated axes get stride 0. Raises ShapeMismatch.
Layout broadcast_to(const Layout&, Span shape);

}  // namespace strided
