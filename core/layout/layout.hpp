// Layout: shape, strides and offset, in elements. Knows no pointer and no dtype.
//
// Invariants, kept by every function that makes one:
//   1. 0 <= rank <= kMaxRank, every length >= 0
//   2. the product of the non-zero lengths fits in int64, so that empty layouts have strides too
//   3. strides are as the view operation left them; axes of length 1 keep whatever stride they had
// Whether the offsets it reaches exist is asked only when a Layout meets a Storage (bounds.hpp).
#pragma once

#include <string>

#include "dims.hpp"

namespace strided {

class Layout {
 public:
  // Shape and strides share one block, which is inside the object up to this rank.
  static constexpr int kInlineRank = 8;

  Layout() noexcept : Layout(0, 0, Unset{}) {}
  // Checks the invariants; shape and strides must have the same length.
  Layout(Span shape, Span strides, Index offset);
  Layout(const Layout& other) : Layout(other.rank_, other.offset_, Unset{}) {
    for (int i = 0; i < rank_; ++i) shape_[i] = other.shape_[i], strides_[i] = other.strides_[i];
  }
  Layout(Layout&& other) noexcept;
  Layout& operator=(const Layout& other);
  Layout& operator=(Layout&& other) noexcept;
  ~Layout() { if (rank_ > kInlineRank) delete[] shape_; }

  // Gap-free layouts. The stride of axis i is the product of max(length, 1) of the axes that step
  // faster, as in PyTorch, so that empty tensors have strides too.
  static Layout row_major(Span shape, Index offset = 0);
  // The same for a shape that is known to keep the invariants.
  static Layout row_major_unchecked(Span shape, Index offset);
  static Layout column_major(Span shape, Index offset = 0);
  // `order` lists the axes from the slowest to the fastest; it must be a permutation.
  static Layout ordered(Span shape, Span order, Index offset = 0);
  // For functions that fill in shape and strides themselves and answer for the invariants.
  static Layout uninitialised(int rank, Index offset) { return {rank, offset, Unset{}}; }

  int rank() const { return rank_; }
  Index offset() const { return offset_; }
  Span shape() const { return {shape_, static_cast<std::size_t>(rank_)}; }
  Span strides() const { return {strides_, static_cast<std::size_t>(rank_)}; }
  Index length(int axis) const { return shape_[axis]; }
  Index stride(int axis) const { return strides_[axis]; }
  // The number of index tuples (not of distinct cells).
  // In bytes. Where these are too many there are no elements, which may lie anywhere.
  Index byte_offset(Index itemsize) const {
    Index bytes;
    return __builtin_mul_overflow(offset_, itemsize, &bytes) ? 0 : bytes;
  }

  Index size() const {
    Index count = 1;
    for (int i = 0; i < rank_; ++i) count *= shape_[i];
    return count;
  }

  void set_axis(int axis, Index length, Index stride) {
    shape_[axis] = length;
    strides_[axis] = stride;
  }
  void set_offset(Index offset) { offset_ = offset; }

  bool operator==(const Layout& other) const;
  // "(2, 3):(3, 1)+0"
  std::string text() const;

 private:
  struct Unset {};
  Layout(int rank, Index offset, Unset) : offset_(offset), rank_(rank) {
    shape_ = rank > kInlineRank ? new Index[2 * static_cast<std::size_t>(rank)] : inline_;
    strides_ = shape_ + (rank > kInlineRank ? rank : kInlineRank);
  }

  Index offset_;
  int rank_;
  Index* shape_;
  Index* strides_;
  Index inline_[2 * kInlineRank];
};

// "(2, 3)", "(4,)", "()": a list of numbers as Python prints a tuple.
std::string text_of(Span values);
// Do both visit the same storage positions in the same row-major order? Strides that are never
// stepped along (length-1 axes, empty layouts) do not count.
bool same_elements(const Layout& a, const Layout& b);

// ---- checked arguments ----

// The rare halves of the inline functions below, out of line to keep those small.
[[noreturn]] void refuse_axis(Index dim, int rank);
[[noreturn]] void refuse_index(Index index, Index length, int axis);

// Raises ShapeMismatch unless they are equal.
void require_shape(const char* operation, Span expected, Span got, const char* hint);
// Raises InvalidArgument above kMaxRank.
int checked_rank(std::size_t rank);
// The product of the lengths. Raises InvalidArgument when one is negative, when the product of the
// non-zero ones does not fit, or when there are too many.
Index checked_size(Span shape);
// Maps a dim in [-rank, rank) to [0, rank) or raises InvalidDimension.
inline int normal_axis(Index dim, int rank) {
  if (dim < -rank || dim >= rank) refuse_axis(dim, rank);
  return static_cast<int>(dim < 0 ? dim + rank : dim);
}
// A bit per axis named; raises InvalidDimension, or DuplicateAxis when one is named twice.
std::uint64_t axis_set(Span dims, int rank);
inline bool contains(std::uint64_t axes, int axis) { return (axes >> axis & 1) != 0; }
// Maps an index in [-length, length) to [0, length) or raises IndexOutOfBounds.
inline Index normal_index(Index index, Index length, int axis) {
  if (index < -length || index >= length) refuse_index(index, length, axis);
  return index < 0 ? index + length : index;
}

// ---- addresses ----

// The storage position of an index tuple: offset + sum(index[k] * stride[k]). Negative indices
// count from the end; out of range raises.
Index offset_of(const Layout& layout, Span index);
// The storage position of the n-th element in row-major order; out of range raises.
Index offset_of_flat(const Layout& layout, Index flat);
// The first index tuple (in row-major order) that lands on a storage position; false when none
// does. Raises OverlapTooHard for contrived strides (see overlap.hpp).
bool index_of(const Layout& layout, Index position, Dims& index);

}  // namespace strided
