// The gate of feed-forward layers: silu(gate) * up (N. Shazeer, "GLU variants improve transformer", 2020).
#pragma once

#include "plan/operand.hpp"

namespace strided::kernels::nn {

// All operands have one shape. `compute` is float32 or float64. out overlaps no input, unless it is
// that input element for element.
void swiglu(const Operand& out, const Operand& gate, const Operand& up, DType compute);

}  // namespace strided::kernels::nn
