// Many elements into one, along any axes of any layout.
#pragma once

#include "operand.hpp"

namespace strided {

enum class Reduction : std::uint8_t { Sum, Prod, Min, Max, Any, All };

// `out` has the rank of `in` with length 1 on every reduced axis. Sums of floats run in double, with an
// error that does not grow with their length; integers wrap around, unless out is a float; NaN wins in
// Min and Max, and Min and Max of nothing raise InvalidArgument.
// out.dtype: Sum/Prod any numeric dtype, Any/All bool, Min/Max in.dtype.
void reduce(Reduction op, const Operand& out, const Operand& in);

// Positions (int64) of the first smallest or largest element along the reduced axes, counted in
// row-major order of those axes; NaN counts as the extreme.
void arg_reduce(bool largest, const Operand& out, const Operand& in);

// sum(|x - mean|^2) / max(0, n - correction) in double and one sweep over memory, not from sums of
// squares. out.dtype is a float.
void variance(const Operand& out, const Operand& in, double correction);

Index count_nonzero(const Operand& in);

}  // namespace strided
