#include "views.hpp"

#include <algorithm>
#include <bit>

#include "bounds.hpp"
#include "errors.hpp"

namespace strided {
namespace {

constexpr const char* kBroadcastRule =
    "lengths, compared from the right, must be equal or 1; .unsqueeze() adds an axis of length 1";

void copy_axis(Layout& to, int to_axis, const Layout& from, int from_axis) {
  to.set_axis(to_axis, from.length(from_axis), from.stride(from_axis));
}

// PyTorch lets a rank-0 tensor name its absent axis 0 where naming it changes nothing.
int rank_or_one(const Layout& layout) { return std::max(layout.rank(), 1); }

}  // namespace

// ---- choosing part of an axis ----

Layout sliced_exactly(const Layout& layout, int axis, Index start, Index count, Index step) {
  Layout result = layout;
  const Index stride = layout.stride(axis);
  result.set_axis(axis, count, scaled(stride, step, count));
  result.set_offset(shifted(layout.offset(), start, stride));
  return result;
}

Layout sliced(const Layout& layout, Index dim, std::optional<Index> start,
              std::optional<Index> stop, Index step) {
  const int axis = normal_axis(dim, layout.rank());
  if (step == 0) throw errors::invalid_argument("step", "0", "must not be 0");
  const Index length = layout.length(axis);
  const bool forward = step > 0;
  // Travelling backwards, the place before the first element is -1.
  const Index low = forward ? 0 : -1, high = forward ? length : length - 1;
  const auto clipped = [&](std::optional<Index> bound, Index otherwise) {
    if (!bound) return otherwise;
    return std::clamp(*bound < 0 ? *bound + length : *bound, low, high);
  };
  const Index first = clipped(start, forward ? low : high);
  const Index end = clipped(stop, forward ? high : low);
  const bool empty = forward ? first >= end : first <= end;
  const Index count = empty ? 0 : (end - first - (forward ? 1 : -1)) / step + 1;
  return sliced_exactly(layout, axis, std::max<Index>(first, 0), count, step);
}

Layout narrowed(const Layout& layout, Index dim, Index start, Index length) {
  const int axis = normal_axis(dim, layout.rank());
  const Index available = layout.length(axis);
  if (start < -available || start > available) {
    throw errors::index_out_of_bounds(start, available, axis);
  }
  const Index first = start < 0 ? start + available : start;
  if (length < 0 || length > available - first) {
    throw errors::invalid_argument("length", std::to_string(length),
                                   "must lie between 0 and " + std::to_string(available - first) +
                                       ", what is left of axis " + std::to_string(axis));
  }
  return sliced_exactly(layout, axis, first, length, 1);
}

Layout selected(const Layout& layout, Index dim, Index index) {
  const int axis = normal_axis(dim, layout.rank());
  const Index at = normal_index(index, layout.length(axis), axis);
  Layout result = Layout::uninitialised(
      layout.rank() - 1, shifted(layout.offset(), at, layout.stride(axis)));
  for (int i = 0; i < axis; ++i) copy_axis(result, i, layout, i);
  for (int i = axis; i < result.rank(); ++i) copy_axis(result, i, layout, i + 1);
  return result;
}

Layout diagonal(const Layout& layout, Index offset, Index dim1, Index dim2) {
  const Index dims[] = {dim1, dim2};
  const std::uint64_t chosen = axis_set(dims, layout.rank());
  const int down = normal_axis(dim1, layout.rank()), right = normal_axis(dim2, layout.rank());
  const Index rows = layout.length(down) + std::min<Index>(offset, 0);
  const Index columns = layout.length(right) - std::max<Index>(offset, 0);
  const Index count = std::max<Index>(std::min(rows, columns), 0);

  Index start = layout.offset();
  if (count > 0) {
    start = offset < 0 ? shifted(start, -offset, layout.stride(down))
                       : shifted(start, offset, layout.stride(right));
  }
  Index stride;
  if (!add(layout.stride(down), layout.stride(right), stride) && count > 1) {
    throw errors::invalid_argument("strides", text_of(layout.strides()),
                                   "must have sums that fit in 64 bits");
  }
  Layout result = Layout::uninitialised(layout.rank() - 1, start);
  int to = 0;
  for (int axis = 0; axis < layout.rank(); ++axis) {
    if (!contains(chosen, axis)) copy_axis(result, to++, layout, axis);
  }
  result.set_axis(to, count, stride);
  return result;
}

Layout unfolded(const Layout& layout, Index dim, Index size, Index step) {
  const int axis = normal_axis(dim, rank_or_one(layout));
  const bool scalar = layout.rank() == 0;  // behaves as one axis of length 1, and loses it again
  const Index length = scalar ? 1 : layout.length(axis);
  const Index stride = scalar ? 1 : layout.stride(axis);
  if (size < 0 || size > length) {
    throw errors::invalid_argument("size", std::to_string(size),
                                   "must lie between 0 and " + std::to_string(length) + ", the length of axis " +
                                       std::to_string(axis));
  }
  if (step < 1) throw errors::invalid_argument("step", std::to_string(step), "must be at least 1");

  Layout result = Layout::uninitialised(layout.rank() + 1, layout.offset());
  for (int i = 0; i < layout.rank(); ++i) copy_axis(result, i, layout, i);
  if (!scalar) {
    const Index windows = (length - size) / step + 1;
    result.set_axis(axis, windows, scaled(stride, step, windows));
  }
  result.set_axis(layout.rank(), size, stride);
  checked_size(result.shape());
  return result;
}

// ---- reordering ----

Layout transposed(const Layout& layout, Index dim0, Index dim1) {
  const int a = normal_axis(dim0, rank_or_one(layout));
  const int b = normal_axis(dim1, rank_or_one(layout));
  Layout result = layout;
  if (a != b) {
    copy_axis(result, a, layout, b);
    copy_axis(result, b, layout, a);
  }
  return result;
}

Layout permuted(const Layout& layout, Span dims) {
  const int rank = layout.rank();
  if (static_cast<int>(dims.size()) != rank) {
    throw errors::shape_mismatch("permute", layout.shape(), dims,
                                 "name each of the " + std::to_string(rank) + " axes once");
  }
  Layout result = Layout::uninitialised(rank, layout.offset());
  std::uint64_t taken = 0;
  for (int i = 0; i < rank; ++i) {
    const int axis = normal_axis(dims[i], rank);
    taken |= std::uint64_t{1} << axis;
    copy_axis(result, i, layout, axis);
  }
  // As many axes as there are, and all different: else one was named twice, and this says which.
  if (std::popcount(taken) != rank) axis_set(dims, rank);
  return result;
}

Layout moved(const Layout& layout, Span source, Span destination) {
  if (source.size() != destination.size()) {
    throw errors::invalid_argument("destination", text_of(destination),
                                   "must have one place for each axis of source " + text_of(source));
  }
  const int rank = rank_or_one(layout);
  const std::uint64_t taken = axis_set(source, rank), filled = axis_set(destination, rank);
  if (layout.rank() == 0) return layout;
  Layout result = Layout::uninitialised(rank, layout.offset());
  for (std::size_t i = 0; i < source.size(); ++i) {
    copy_axis(result, normal_axis(destination[i], rank), layout, normal_axis(source[i], rank));
  }
  for (int from = 0, to = 0; from < rank; ++from) {
    if (contains(taken, from)) continue;
    while (contains(filled, to)) ++to;
    copy_axis(result, to++, layout, from);
  }
  return result;
}

Layout flipped(const Layout& layout, Span dims) {
  const std::uint64_t chosen = axis_set(dims, rank_or_one(layout));
  Layout result = layout;
  for (int axis = 0; axis < layout.rank(); ++axis) {
    if (!contains(chosen, axis)) continue;
    const Index length = layout.length(axis), stride = layout.stride(axis);
    result.set_axis(axis, length, scaled(stride, -1, length));
    if (length > 0) result.set_offset(shifted(result.offset(), length - 1, stride));
  }
  return result;
}

Layout reversed_axes(const Layout& layout) {
  Layout result = Layout::uninitialised(layout.rank(), layout.offset());
  for (int i = 0, j = layout.rank() - 1; j >= 0; ++i, --j) copy_axis(result, i, layout, j);
  return result;
}

// ---- axes of length 1 and 0-stride axes ----

namespace {

Layout without(const Layout& layout, std::uint64_t chosen) {
  const auto goes = [&](int axis) { return contains(chosen, axis) && layout.length(axis) == 1; };
  int rank = 0;
  for (int axis = 0; axis < layout.rank(); ++axis) rank += !goes(axis);
  Layout result = Layout::uninitialised(rank, layout.offset());
  for (int axis = 0, to = 0; axis < layout.rank(); ++axis) {
    if (!goes(axis)) copy_axis(result, to++, layout, axis);
  }
  return result;
}

}  // namespace

Layout squeezed(const Layout& layout) { return without(layout, ~std::uint64_t{0}); }

Layout squeezed(const Layout& layout, Span dims) {
  return without(layout, axis_set(dims, rank_or_one(layout)));
}

Layout unsqueezed(const Layout& layout, Index dim) {
  const int rank = checked_rank(static_cast<std::size_t>(layout.rank()) + 1);
  const int axis = normal_axis(dim, rank);
  Layout result = Layout::uninitialised(rank, layout.offset());
  for (int i = 0; i < axis; ++i) copy_axis(result, i, layout, i);
  for (int i = axis; i < layout.rank(); ++i) copy_axis(result, i + 1, layout, i);
  const bool last = axis == layout.rank();
  result.set_axis(axis, 1, last ? 1 : scaled(layout.stride(axis), layout.length(axis), 1));
  return result;
}

Layout expanded(const Layout& layout, Span shape) {
  const int rank = checked_rank(shape.size());
  const int added = rank - layout.rank();
  const auto refuse = [&] { return errors::shape_mismatch("expand", shape, layout.shape(), kBroadcastRule); };
  if (added < 0) throw refuse();
  Layout result = Layout::uninitialised(rank, layout.offset());
  for (int i = rank; i-- > 0;) {
    const bool old = i >= added;
    Index length = old ? layout.length(i - added) : 1;
    Index stride = 0;  // also of the axes added to rank 0, which have no neighbour
    if (old) {
      stride = layout.stride(i - added);
    } else if (layout.rank() > 0) {
      stride = scaled(result.stride(i + 1), result.length(i + 1), 1);
    }
    const bool keeps = shape[i] == length || (old && shape[i] == -1);
    if (!keeps) {
      if (length != 1) throw refuse();
      length = shape[i];
      stride = 0;
    }
    result.set_axis(i, length, stride);
  }
  checked_size(result.shape());
  return result;
}

// ---- arbitrary ----

Layout restrided(Span shape, Span strides, Index offset) { return {shape, strides, offset}; }

// ---- several operands ----

Dims broadcast_shape(Span a, Span b) {
  const int rank = checked_rank(std::max(a.size(), b.size()));
  const auto length_in = [rank](Span shape, int axis) -> Index {
    const int at = axis - (rank - static_cast<int>(shape.size()));
    return at < 0 ? 1 : shape[at];
  };
  Dims shape;
  for (int axis = 0; axis < rank; ++axis) {
    const Index in_a = length_in(a, axis), in_b = length_in(b, axis);
    if (in_a != in_b && in_a != 1 && in_b != 1) throw errors::shape_mismatch("broadcast", a, b, kBroadcastRule);
    shape.push_back(in_a == 1 ? in_b : in_a);
  }
  return shape;
}

Layout broadcast_to(const Layout& layout, Span shape) {
  checked_size(shape);
  const int rank = static_cast<int>(shape.size());
  const int added = rank - layout.rank();
  const auto refuse = [&] {
    return errors::shape_mismatch("broadcast_to", shape, layout.shape(), kBroadcastRule);
  };
  if (added < 0) throw refuse();
  Layout result = Layout::uninitialised(rank, layout.offset());
  for (int i = 0; i < added; ++i) result.set_axis(i, shape[i], 0);
  for (int i = added; i < rank; ++i) {
    const Index length = layout.length(i - added);
    if (length != shape[i] && length != 1) throw refuse();
    result.set_axis(i, shape[i], length == shape[i] ? layout.stride(i - added) : 0);
  }
  return result;
}

}  // namespace strided
