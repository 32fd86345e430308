// Elements picked by arrays of positions, and put back.
#pragma once

#include <span>

#include "operand.hpp"

namespace strided {

// `indices` are k int64 operands of one shape B, for the first k axes of `in`.
// out has shape B + in.shape[k:]. Negative positions count from the end; outside raises
// IndexOutOfBounds before anything is written.
void gather(const Operand& out, const Operand& in, std::span<const Operand> indices);
// The reverse: out[indices] = in, with in of shape B + out.shape[k:]; the last write to a place wins.
// With `accumulate` values are added instead.
void scatter(const Operand& out, const Operand& in, std::span<const Operand> indices,
             bool accumulate = false);

// Writes the index tuples of nonzero elements, in row-major order, as rows of out (n, rank), int64.
void nonzero(const Operand& out, const Operand& in);

}  // namespace strided
