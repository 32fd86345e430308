// Sorting packed lines: many short ones at a time, or one long one.
#pragma once

#include <cstddef>

#include "sort_loops.hpp"

namespace strided::kernels::sort {

// Lines as contiguous rows of elements, and where their results go; all in bytes.
struct LineRows {
  DType dtype;
  bool descending;
  int chunks;  // that one line is cut into
  Index count;
  Index length;
  Index keep;  // only the first so many results are written
  const std::byte* in;
  Index in_pitch;
  std::byte* values;  // or null
  Index values_pitch;
  std::byte* places;  // int64, or null
  Index places_pitch;
};

// Hands out memory from front to back.
class Workspace {
 public:
  explicit Workspace(std::byte* memory) : next_(memory) {}
  template <class T>
  T* take(Index count) {
    T* const taken = reinterpret_cast<T*>(next_);
    next_ += bytes<T>(count);
    return taken;
  }
  template <class T>
  static std::size_t bytes(Index count) {
    return (static_cast<std::size_t>(count) * sizeof(T) + 63) / 64 * 64;
  }

 private:
  std::byte* next_;
};

// Lines no longer than a network takes (SortLoops).
std::size_t short_lines_bytes(DType dtype, Index count, Index length, bool places);
void sort_short_lines(const LineRows& rows, std::byte* memory);

// One line of any length (rows.count is 1), by all threads when no other work holds them.
std::size_t long_line_bytes(DType dtype, Index length, bool places, int chunks);
void sort_long_line(const LineRows& rows, std::byte* memory);

// Keys in a range of at most this size have two bytes.
inline constexpr Index kMostCounted = Index{1} << 16;
// Lines of elements of one or two bytes, of which only the values are wanted: four elements or more for each of the
// counts that are looked at.
bool are_countable(DType dtype, Index length, bool places);
std::size_t counting_bytes(DType dtype, int chunks);
void sort_by_counting(const LineRows& rows, std::byte* memory);
// Keys in [least, least + kMostCounted), in place; `spare` has the same size.
template <class Key>
void sort_two_bytes(Index n, int chunks, Key* keys, Key least, Index* counts, Key* spare);
// The places (and values) of one line whose keys lie in [least, least + distinct), at most kMostCounted of
// them. `counts` takes kMostBuckets numbers per chunk, `items` one number per element. With
// `by_place` values are not made from their keys.
template <class Key>
void place_by_counting(const LineRows& rows, const Key* keys, Key least, Index distinct, Index* counts,
                       std::uint64_t* items, bool by_place);

// ---- what all use ----

// Sorts runs of items whose packed keys are equal by the rest of their keys, which was dropped.
void sort_dropped_bits(std::uint64_t* items, std::uint64_t* spare, Index n, int place_bits,
                       const std::uint64_t* keys);
// values[i] = in[places[i]].
void pick_by_place(DType dtype, Index n, const std::byte* in, const std::int64_t* places,
                   std::byte* values);
// Values that were sorted by exact keys have -0.0 before 0.0: puts zeros in the order they had in the line
// `in`, of which `values` are the first rows.keep in order.
void restore_zeros(const LineRows& rows, const std::byte* in, std::byte* values);

}  // namespace strided::kernels::sort
