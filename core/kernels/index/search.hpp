// Binary search: where values belong in sorted lists.
#pragma once

#include "plan/operand.hpp"

namespace strided::kernels::index {

// For each value the number of list elements before it: those less than it or, with `right`, those not
// greater than it. NaN counts as greater than all numbers and equal to itself. The lists lie along the
// last axis of `lists`; out (int64) and values have one shape. Either `lists` has rank 1, or all axes but
// the last are those of `values`. Same dtype, with an order; not half.
void search_sorted(const Operand& out, const Operand& lists, const Operand& values, bool right);

}  // namespace strided::kernels::index
