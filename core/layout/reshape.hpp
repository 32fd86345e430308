// Can a layout be read in a new shape without moving an element, and with which strides?
//
// Neighbouring axes that step together (stride[i] == length[i+1] * stride[i+1]) form a group; a new
// shape is possible exactly when its axes can be dealt out to the groups without crossing a border.
// One pass from the right, O(rank). The strides given to length-1 and empty axes are PyTorch's.
#pragma once

#include "layout.hpp"

namespace strided {

// Replaces a single -1 by what is left over; raises ShapeMismatch when the counts cannot agree,
// InvalidArgument for two -1 or other negatives.
void resolve_shape(Dims& new_shape, Span old_shape);
Dims resolved_shape(Span new_shape, Span old_shape);

struct ReshapeRefusal {
  int axis = -1;     // axes `axis` and `axis + 1` do not step together
  Index step = 0;    // stride of `axis`
  Index needed = 0;  // what it would have to be
};

// True and the reshaped layout, or false and why. `shape` is resolved already.
bool try_reshape(const Layout& layout, Span shape, Layout& result, ReshapeRefusal& refusal);

// try_reshape of resolved_shape, raising ViewNotPossible with the axis pair.
Layout reshaped(const Layout& layout, Span new_shape);
// Axes first..last become one; raises like reshaped.
Layout flattened(const Layout& layout, Index first, Index last);
// The shape flatten gives (rank 0 becomes rank 1).
Dims flattened_shape(const Layout& layout, Index first, Index last);

}  // namespace strided
