// What a layout becomes when its items change size: views as another dtype, real and imaginary
// parts.
// Offset and strides count items, so all of them are multiplied or divided.
#pragma once

#include "layout.hpp"

namespace strided {

// One element becomes `parts` elements of 1/parts the size: offset and strides multiply, last axis
// grows. Requires the last axis to step by 1 (raises UnsupportedOperation), unless as_new_axis.
Layout split_items(const Layout&, Index parts, bool as_new_axis);
// `parts` neighbours become one element: last axis must step by 1 and divide, so must offset and
// strides (raises UnsupportedOperation).
Layout joined_items(const Layout&, Index parts);

}  // namespace strided
