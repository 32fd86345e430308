// Rows divided by the root of the mean of their squares.
#pragma once

#include "plan/operand.hpp"

namespace strided {

// out = x / sqrt(mean(x^2) + eps) * weight over the last axis, computed in `lane` (float32 or float64).
// out and x have one shape; the weight, which may be null, has rank 1. out overlaps neither, unless it is x
// element for element.
void rms_norm(const Operand& out, const Operand& x, const Operand* weight, double eps, DType lane);

}  // namespace strided
