// The backward pass of softmax and log-softmax.
#pragma once

#include "plan/operand.hpp"

namespace strided::kernels::nn {

// Along the last axis: dx = y * (g - sum(g * y)) for the result y of softmax, dx = g - exp(y) * sum(g) for
// that of its logarithm. All have one shape; dx overlaps none. `compute` is float32 or float64.
struct SoftmaxGradient {
  Operand dx, y, g;
  bool logarithm;
  DType compute;
};
void softmax_gradient(const SoftmaxGradient& work);

}  // namespace strided::kernels::nn
