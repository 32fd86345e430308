// What reductions ask of the loops built per instruction set.
#pragma once

#include <cstddef>
#include <cstdint>

#include "layout/dims.hpp"

namespace strided::kernels::reduce {

// What reductions make of elements. A part is
//   Sum, AbsSum, Squares   along and across: double, of integers along: uint64, across: twice as wide
//   NumberSum              the same of what is not NaN
//   Prod                   the dtype
//   Max                    the dtype, float32 of half types; a NaN is the largest. Integers are signed
//   Count                  of nonzero (or zero) elements; along: uint64, across: the dtype, unsigned
//   Moments                double, double: the sums of x - shift and of their squares
//   ArgMax                 across: the dtype, and in which row (unsigned, as wide); along: the column
//                          (Index) of the value that stands in the first array
//   Exp                    not a part: exp(x - shift), rows packed
enum class Fold : std::uint8_t { Sum, NumberSum, AbsSum, Squares, Prod, Max, Count, Moments, ArgMax, Exp };
inline constexpr int kFoldCount = 10;

// Elements to be reduced: contiguous rows of n; rows are `step` bytes apart.
struct ReduceTile {
  const std::byte* data;
  Index rows;
  Index n;
  Index step;
  Index part_step = 0;     // across: how many parts further the next row goes; 0: into the same
  std::uint64_t keep = ~std::uint64_t{0};  // Max, ArgMax, Count: the bits of an element that count,
  std::uint64_t flip = 0;  // and those flipped after: all of an integer's make its order reverse
  Index first_row = 0;     // ArgMax across: the number of the first row; along: 1 finds the last column
  const void* shift = nullptr;  // Moments, Exp: numbers of the dtype, per row (along) or column (across)
};
// Where parts go.
struct Partials {
  void* first;
  void* second;
};
using ReduceLoop = void (*)(const ReduceTile& tile, const Partials& parts);
struct ReduceLoops {
  ReduceLoop along;   // one part per row, new
  ReduceLoop across;  // one part per column, which holds something already
  static constexpr const char* kNames[] = {"along", "across"};  // for plans, in order
};

}  // namespace strided::kernels::reduce
