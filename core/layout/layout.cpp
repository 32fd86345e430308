#include "layout.hpp"

#include <algorithm>
#include <utility>

#include "bounds.hpp"
#include "errors.hpp"
#include "overlap.hpp"

namespace strided {

// ---- the value ----

Layout::Layout(Span shape, Span strides, Index offset)
    : Layout(checked_rank(shape.size()), offset, Unset{}) {
  checked_size(shape);
  if (shape.size() != strides.size()) {
    throw errors::invalid_argument("strides", text_of(strides),
                                   "must have one stride for each axis of shape " + text_of(shape));
  }
  for (int i = 0; i < rank_; ++i) set_axis(i, shape[i], strides[i]);
}

Layout::Layout(Layout&& other) noexcept : Layout() { *this = std::move(other); }

Layout& Layout::operator=(const Layout& other) {
  if (this != &other) *this = Layout(other);
  return *this;
}

Layout& Layout::operator=(Layout&& other) noexcept {
  if (this == &other) return *this;
  if (rank_ > kInlineRank) delete[] shape_;
  offset_ = other.offset_;
  rank_ = other.rank_;
  if (rank_ > kInlineRank) {
    shape_ = std::exchange(other.shape_, other.inline_);
    strides_ = std::exchange(other.strides_, other.inline_ + kInlineRank);
    other.rank_ = 0;
  } else {
    shape_ = inline_;
    strides_ = inline_ + kInlineRank;
    for (int i = 0; i < rank_; ++i) set_axis(i, other.shape_[i], other.strides_[i]);
  }
  return *this;
}

Layout Layout::row_major(Span shape, Index offset) {
  checked_size(shape);
  return row_major_unchecked(shape, offset);
}

Layout Layout::row_major_unchecked(Span shape, Index offset) {
  Layout result = uninitialised(static_cast<int>(shape.size()), offset);
  Index step = 1;
  for (int i = result.rank(); i-- > 0;) {
    result.set_axis(i, shape[i], step);
    step *= std::max<Index>(shape[i], 1);
  }
  return result;
}

Layout Layout::column_major(Span shape, Index offset) {
  checked_size(shape);
  Layout result = uninitialised(static_cast<int>(shape.size()), offset);
  Index step = 1;
  for (int i = 0; i < result.rank(); ++i) {
    result.set_axis(i, shape[i], step);
    step *= std::max<Index>(shape[i], 1);
  }
  return result;
}

Layout Layout::ordered(Span shape, Span order, Index offset) {
  checked_size(shape);
  const int rank = static_cast<int>(shape.size());
  if (order.size() != shape.size()) {
    throw errors::invalid_argument("order", text_of(order),
                                   "must name each axis of " + text_of(shape) + " once");
  }
  axis_set(order, rank);
  Layout result = uninitialised(rank, offset);
  Index step = 1;
  for (int i = rank; i-- > 0;) {
    const int axis = normal_axis(order[i], rank);
    result.set_axis(axis, shape[axis], step);
    step *= std::max<Index>(shape[axis], 1);
  }
  return result;
}

bool Layout::operator==(const Layout& other) const {
  return offset_ == other.offset_ && std::ranges::equal(shape(), other.shape()) &&
         std::ranges::equal(strides(), other.strides());
}

std::string Layout::text() const {
  return text_of(shape()) + ":" + text_of(strides()) + "+" + std::to_string(offset_);
}

std::string text_of(Span values) {
  std::string out = "(";
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i != 0) out += ", ";
    out += std::to_string(values[i]);
  }
  if (values.size() == 1) out += ",";
  return out + ")";
}

bool same_elements(const Layout& a, const Layout& b) {
  if (!std::ranges::equal(a.shape(), b.shape())) return false;
  if (a.size() == 0) return true;
  for (int i = 0; i < a.rank(); ++i) {
    if (a.length(i) != 1 && a.stride(i) != b.stride(i)) return false;
  }
  return a.offset() == b.offset();
}

// ---- checked arguments ----

void refuse_axis(Index dim, int rank) { throw errors::invalid_dimension(dim, rank); }

void refuse_index(Index index, Index length, int axis) {
  throw errors::index_out_of_bounds(index, length, axis);
}

void refuse_rank(std::size_t rank) {
  throw errors::invalid_argument("rank", std::to_string(rank),
                                 "must be at most " + std::to_string(kMaxRank) + " axes");
}

void require_shape(const char* operation, Span expected, Span got, const char* hint) {
  if (!std::ranges::equal(expected, got)) throw errors::shape_mismatch(operation, expected, got, hint);
}

int checked_rank(std::size_t rank) {
  if (rank > kMaxRank) refuse_rank(rank);
  return static_cast<int>(rank);
}

Index checked_size(Span shape) {
  checked_rank(shape.size());
  Index count = 1;
  bool empty = false;
  for (Index length : shape) {
    if (length < 0) {
      throw errors::invalid_argument("shape", text_of(shape), "must have no negative length");
    }
    if (length == 0) {
      empty = true;
    } else if (!multiply(count, length, count)) {
      throw errors::invalid_argument("shape", text_of(shape),
                                     "must have a number of elements that fits in 64 bits");
    }
  }
  return empty ? 0 : count;
}

std::uint64_t axis_set(Span dims, int rank) {
  static_assert(kMaxRank <= 64, "one bit per axis");
  std::uint64_t axes = 0;
  for (Index dim : dims) {
    const int axis = normal_axis(dim, rank);
    if (contains(axes, axis)) throw errors::duplicate_axis(axis, dims);
    axes |= std::uint64_t{1} << axis;
  }
  return axes;
}

// ---- addresses ----

Index offset_of(const Layout& layout, Span index) {
  if (index.size() != layout.shape().size()) {
    throw errors::invalid_argument("index", text_of(index),
                                   "must have one number for each axis of " + text_of(layout.shape()));
  }
  Index position = layout.offset();
  for (int axis = 0; axis < layout.rank(); ++axis) {
    const Index at = normal_index(index[axis], layout.length(axis), axis);
    position = shifted(position, at, layout.stride(axis));
  }
  return position;
}

Index offset_of_flat(const Layout& layout, Index flat) {
  const Index size = layout.size();
  if (flat < 0 || flat >= size) throw errors::index_out_of_bounds(flat, size, 0);
  Index position = layout.offset();
  for (int axis = layout.rank(); axis-- > 0;) {
    position = shifted(position, flat % layout.length(axis), layout.stride(axis));
    flat /= layout.length(axis);
  }
  return position;
}

namespace {

// Can axes first, first + 1, ... cover `distance`, axis `first` taking at most `bound` steps?
bool covers(const Layout& layout, int first, Index bound, Wide distance) {
  BoundedEquation equation;
  equation.add(layout.stride(first), bound);
  for (int axis = first + 1; axis < layout.rank(); ++axis) {
    equation.add(layout.stride(axis), layout.length(axis) - 1);
  }
  Index work = kOverlapWork;
  const Answer answer = equation.solve(distance, work);
  if (answer == Answer::TooHard) throw errors::overlap_too_hard(kOverlapWork);
  return answer == Answer::Yes;
}

}  // namespace

bool index_of(const Layout& layout, Index position, Dims& index) {
  if (bounds_of(layout).empty()) return false;
  index.resize(0);
  Wide distance = Wide{position} - layout.offset();
  for (int axis = 0; axis < layout.rank(); ++axis) {
    // What can be covered in m steps can be covered in m + 1: halve towards the smallest such m.
    Index low = 0, high = layout.length(axis) - 1;
    if (!covers(layout, axis, high, distance)) return false;
    while (low < high) {
      const Index middle = low + (high - low) / 2;
      if (covers(layout, axis, middle, distance)) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    index.push_back(low);
    distance -= Wide{low} * layout.stride(axis);
  }
  return distance == 0;
}

}  // namespace strided
