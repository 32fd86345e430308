// t[...] with ints, slices, None and Ellipsis: pure layout arithmetic.
#pragma once

#include "layout/layout.hpp"
#include "python.hpp"

namespace strided::python {

// True and the layout of the view; false when the key holds arrays, masks or lists (advanced indexing).
bool basic_index(const Layout& layout, PyObject* key, Layout& result);

}  // namespace strided::python
