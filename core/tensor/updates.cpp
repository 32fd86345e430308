#include "updates.hpp"

#include <algorithm>
#include <span>
#include <string>

#include "assign.hpp"
#include "errors.hpp"
#include "kernels/optim/adam.hpp"
#include "kernels/optim/sgd.hpp"
#include "targets.hpp"

namespace strided {
namespace {

void expect_alike(const char* name, const Tensor& p, const Tensor& other) {
  if (other.dtype != p.dtype) {
    throw errors::dtype_mismatch(name, std::string(name_of(p.dtype)) + " with " + std::string(name_of(other.dtype)),
                                 "parameters, gradients and moments have one dtype", "use .to(dtype)");
  }
  require_shape(name, p.layout.shape(), other.layout.shape(), "gradients and moments have the shape of the parameters");
}

// Refuses what cannot be changed in place, and returns a gradient that may be read while the others are changed.
// `called` says what they are, the parameters first.
Tensor ready(const char* name, const char* called, std::span<const Tensor* const> changed, const Tensor& g) {
  const Tensor& p = *changed.front();
  if (p.dtype != DType::Float32 && p.dtype != DType::Float64) {
    throw errors::dtype_mismatch(name, std::string(name_of(p.dtype)), "it computes in float32 and float64",
                                 "use .to(strided.float32)");
  }
  expect_alike(name, p, g);
  for (const Tensor* one : changed) expect_alike(name, p, *one);
  for (const Tensor* one : changed) {
    check_writable(*one, name);
    for (const Tensor* other : changed) {
      if (one == other || !ranges_touch(*one, *other) || overlap_of(*one, *other) == Overlap::No) continue;
      throw errors::invalid_argument(called, "tensors that share elements", "must lie apart: each is changed");
    }
  }
  Tensor from = g;
  for (const Tensor* one : changed) from = apart_from(*one, from, true);
  for (const Tensor* one : changed) one->storage->bump_version(name);
  return from;
}

}  // namespace

void adam_step(const Tensor& p, const Tensor& g, const Tensor& mean, const Tensor& square,
               const kernels::optim::AdamStep& step) {
  const Tensor* const changed[] = {&p, &mean, &square};
  const Tensor from = ready("adam_step", "p, mean and square", changed, g);
  kernels::optim::adam(p.operand(), from.operand(), mean.operand(), square.operand(), step);
}

void sgd_step(const Tensor& p, const Tensor& g, const Tensor* velocity, const kernels::optim::SgdStep& step) {
  const Tensor* const changed[] = {&p, velocity};
  const Tensor from = ready("sgd_step", "p and velocity", {changed, velocity == nullptr ? 1u : 2u}, g);
  if (velocity == nullptr) return kernels::optim::sgd(p.operand(), from.operand(), nullptr, step);
  const Operand moving = velocity->operand();
  kernels::optim::sgd(p.operand(), from.operand(), &moving, step);
}

}  // namespace strided
