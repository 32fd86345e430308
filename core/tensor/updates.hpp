// Steps of optimisers on tensors: what may be changed in place, and what is read first.
#pragma once

#include "kernels/optim/adam_loops.hpp"
#include "kernels/optim/sgd_loops.hpp"
#include "tensor.hpp"

namespace strided {

// Both change parameters and what they remember in place by the gradient g. All tensors have one shape and one dtype,
// float32 or float64. A gradient that shares elements with one of the others in another order is copied first.
void adam_step(const Tensor& p, const Tensor& g, const Tensor& mean, const Tensor& square,
               const kernels::optim::AdamStep& step);
// `velocity` may be null.
void sgd_step(const Tensor& p, const Tensor& g, const Tensor* velocity, const kernels::optim::SgdStep& step);

}  // namespace strided
