// A step of stochastic gradient descent as one pass over parameters and velocities.
#pragma once

#include "plan/operand.hpp"
#include "sgd_loops.hpp"

namespace strided::kernels::optim {

// All operands have one shape and one dtype, float32 or float64. p and velocity, unless it is null, are changed in
// place and share no element; g overlaps none of them, unless it is one of them element for element.
void sgd(const Operand& p, const Operand& g, const Operand* velocity, const SgdStep& step);

}  // namespace strided::kernels::optim
