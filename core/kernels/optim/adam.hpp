// A step of Adam (D. Kingma and J. Ba, arXiv:1412.6980) as one pass over parameters and moments.
#pragma once

#include "adam_loops.hpp"
#include "plan/operand.hpp"

namespace strided::kernels::optim {

// All operands have one shape and one dtype, float32 or float64. p, mean and square are changed in place and share
// no element; g overlaps none of them, unless it is one of them element for element.
void adam(const Operand& p, const Operand& g, const Operand& mean, const Operand& square, const AdamStep& step);

}  // namespace strided::kernels::optim
