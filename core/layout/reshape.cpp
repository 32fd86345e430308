#include "reshape.hpp"

#include <algorithm>
#include <string>

#include "bounds.hpp"
#include "errors.hpp"

namespace strided {
namespace {

// Assigns the new axes to groups of old axes that step together, both from the right.
// Preconditions: the counts agree, are not 0, and the layout has an axis.
bool find_strides(const Layout& layout, Span shape, Dims& strides, ReshapeRefusal& refusal) {
  int to = static_cast<int>(shape.size()) - 1;
  strides.resize(to + 1);
  Index step = layout.stride(layout.rank() - 1);  // of the fastest axis of the group
  Index group_size = 1;                                 // elements in the group
  Index assigned = 1;                                // elements in the new axes given to it
  for (int from = layout.rank() - 1; from >= 0; --from) {
    group_size *= layout.length(from);
    Index needed = 0;
    if (from > 0) {
      const bool joins = layout.length(from - 1) == 1 ||
                         (multiply(group_size, step, needed) && layout.stride(from - 1) == needed);
      if (joins) continue;
    }
    for (; to >= 0 && (assigned < group_size || shape[to] == 1); --to) {
      strides[to] = scaled(step, assigned, shape[to]);
      assigned *= shape[to];
    }
    if (assigned != group_size) {
      // A new axis reaches across the border; there is one, since the counts agree.
      refusal = {from - 1, layout.stride(from - 1), needed};
      return false;
    }
    if (from > 0) {
      step = layout.stride(from - 1);
      group_size = assigned = 1;
    }
  }
  return true;
}

bool is_same(Span a, Span b) { return std::ranges::equal(a, b); }

}  // namespace

void resolve_shape(Dims& shape, Span old_shape) {
  Index* unknown = std::find(shape.begin(), shape.end(), -1);
  if (unknown != shape.end()) {
    if (std::find(unknown + 1, shape.end(), -1) != shape.end()) {
      throw errors::invalid_argument("shape", text_of(shape), "must have at most one -1");
    }
    *unknown = 1;
  }
  const Index known = checked_size(shape);
  Index total = 1;
  for (Index length : old_shape) total *= length;
  if (unknown != shape.end() && known != 0 && total % known == 0) {
    *unknown = total / known;
  } else if (unknown != shape.end() || known != total) {
    const bool open = unknown != shape.end();
    if (open) *unknown = -1;
    throw errors::shape_mismatch(
        "reshape", old_shape, shape,
        open ? "no length for -1 makes " + std::to_string(total) + " elements"
             : std::to_string(known) + " elements are not " + std::to_string(total));
  }
}

Dims resolved_shape(Span new_shape, Span old_shape) {
  checked_rank(new_shape.size());
  Dims shape(new_shape);
  resolve_shape(shape, old_shape);
  return shape;
}

bool try_reshape(const Layout& layout, Span shape, Layout& result, ReshapeRefusal& refusal) {
  if (layout.rank() == 0 || layout.size() == 0) {
    result = is_same(shape, layout.shape()) ? layout : Layout::row_major(shape, layout.offset());
    return true;
  }
  Dims strides;
  if (!find_strides(layout, shape, strides, refusal)) return false;
  result = Layout::uninitialised(strides.size(), layout.offset());
  for (int i = 0; i < strides.size(); ++i) result.set_axis(i, shape[i], strides[i]);
  return true;
}

Layout reshaped(const Layout& layout, Span new_shape) {
  const Dims shape = resolved_shape(new_shape, layout.shape());
  Layout result;
  ReshapeRefusal refusal;
  if (try_reshape(layout, shape, result, refusal)) return result;
  throw errors::view_not_possible(layout.shape(), layout.strides(), layout.offset(), shape,
                                  refusal.axis, refusal.step, refusal.needed);
}

Dims flattened_shape(const Layout& layout, Index first, Index last) {
  Dims shape;
  const int rank = std::max(1, layout.rank());  // a scalar counts as a list of one element
  const int from = normal_axis(first, rank), to = normal_axis(last, rank);
  if (from > to) {
    throw errors::invalid_argument("first", std::to_string(first),
                                   "must be an axis not right of last = " + std::to_string(last));
  }
  for (int axis = 0; axis < from; ++axis) shape.push_back(layout.length(axis));
  Index joined = 1;
  for (int axis = from; axis <= to && axis < layout.rank(); ++axis) joined *= layout.length(axis);
  shape.push_back(joined);
  for (int axis = to + 1; axis < layout.rank(); ++axis) shape.push_back(layout.length(axis));
  return shape;
}

Layout flattened(const Layout& layout, Index first, Index last) {
  const Dims shape = flattened_shape(layout, first, last);
  // Where nothing is joined PyTorch keeps the strides, also those of axes of length 1.
  if (shape.size() == layout.rank()) return layout;
  return reshaped(layout, shape);
}

}  // namespace strided
