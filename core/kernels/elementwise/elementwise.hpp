// One elementwise op over operands of one shape and any strides.
#pragma once

#include <span>

#include "kernels/loop_table.hpp"
#include "plan/operand.hpp"

namespace strided::kernels::elementwise {

// The loop of an op that computes in `compute`, and the dtypes it takes for its result and its inputs.
struct OpLoop {
  Loop loop;
  int count;         // operands, the result included
  DType inside[4];
};
OpLoop loop_of(Op op, DType compute);
// Its twin that writes by non-temporal stores, or null.
Loop streamed_loop_of(Op op, DType compute);

// Every operand is converted to `compute` (and the result from it) block by block, so mixed dtypes
// need no temporary. The output must not overlap an input unless it is that input.
void elementwise(Op op, DType compute, const Operand& out, std::span<const Operand> inputs);

}  // namespace strided::kernels::elementwise
