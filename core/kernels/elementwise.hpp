// One elementwise op over operands of one shape and any strides.
#pragma once

#include <span>

#include "op_list.hpp"
#include "operand.hpp"

namespace strided {

// Every operand is converted to `compute` (and the result from it) block by block, so mixed dtypes
// need no temporary. The output must not overlap an input unless it is that input.
void elementwise(Op op, DType compute, const Operand& out, std::span<const Operand> inputs);

}  // namespace strided
