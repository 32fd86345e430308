// A step of Adam on tensors: what may be changed in place, and what is read first.
#pragma once

#include "kernels/adam_loops.hpp"
#include "tensor.hpp"

namespace strided {

// Changes p, mean and square in place by the gradient g. All have one shape and one dtype, float32 or float64. A
// gradient that shares elements with one of them in another order is copied first.
void adam_step(const Tensor& p, const Tensor& g, const Tensor& mean, const Tensor& square, const AdamStep& step);

}  // namespace strided
