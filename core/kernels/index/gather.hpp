// Gather and scatter: elements picked by arrays of positions, and written back.
//
// Positions are integers of any dtype; negative ones count from the end, and those outside raise
// IndexOutOfBounds before anything is written through them. Writes to one place happen in the row-major
// order of the positions, whatever the number of threads: the last one wins, and sums come out the same.
#pragma once

#include <span>

#include "plan/operand.hpp"

namespace strided::kernels::index {

// What a written element does to the one that is there.
enum class Combine : std::uint8_t { Put, Add, Multiply, Least, Greatest };

// `indices` are k operands of one shape B, for the first k axes of `in`; out has shape B + in.shape[k:].
void gather(const Operand& out, const Operand& in, std::span<const Operand> indices);
// The reverse: out[indices] = in, with in of shape B + out.shape[k:].
void scatter(const Operand& out, const Operand& in, std::span<const Operand> indices, Combine how);

// out[.., i, ..] = in[.., index[.., i, ..], ..] along one axis; out and index have one shape, which is no
// longer than in's on the other axes.
void gather_along(const Operand& out, const Operand& in, const Operand& index, int axis);
// out[.., index[.., i, ..], ..] = in[.., i, ..]; in and index have one shape.
void scatter_along(const Operand& out, const Operand& in, const Operand& index, int axis, Combine how);

// The same for positions that count elements in row-major order.
void gather_flat(const Operand& out, const Operand& in, const Operand& index);
void scatter_flat(const Operand& out, const Operand& in, const Operand& index, Combine how);

}  // namespace strided::kernels::index
