// Top-k and order statistics: the smallest or largest few of each list along an axis, or the one of a given rank,
// without sorting the rest. Order, ties and NaN are those of sort.hpp.
#pragma once

#include "plan/operand.hpp"

namespace strided::kernels::sort {

// How many elements of a list of `length` are few enough to be selected as they pass by; for more, sort.
bool few_enough(Index few, Index length);

// The first `few` of each list in rising or falling order; `few` is the length of `values` and `places`
// (int64) along the axis. In order only if `sorted`. Raises bad_alloc.
void select_few(const Operand& values, const Operand& places, const Operand& in, int axis, bool largest,
                bool sorted);

enum class Nan : bool { Last, Wins };

// The element of rank 0 <= rank < length, and the place it has in a stable order; the results have length 1
// along the axis. Where NaN wins, a list with a NaN in it has the first of them as its answer.
void select_rank(const Operand& values, const Operand& places, const Operand& in, int axis, Index rank,
                 Nan nan);

}  // namespace strided::kernels::sort
