#include "adam.hpp"

#include <algorithm>
#include <string>

#include "assign.hpp"
#include "errors.hpp"
#include "kernels/adam.hpp"
#include "targets.hpp"

namespace strided {
namespace {

constexpr const char* kName = "adam_step";

void expect_alike(const Tensor& p, const Tensor& other) {
  if (other.dtype != p.dtype) {
    throw errors::dtype_mismatch(kName, std::string(name_of(p.dtype)) + " with " + std::string(name_of(other.dtype)),
                                 "parameters, gradients and moments have one dtype", "use .to(dtype)");
  }
  if (!std::ranges::equal(p.layout.shape(), other.layout.shape())) {
    throw errors::shape_mismatch(kName, p.layout.shape(), other.layout.shape(),
                                 "gradients and moments have the shape of the parameters");
  }
}

}  // namespace

void adam_step(const Tensor& p, const Tensor& g, const Tensor& mean, const Tensor& square, const AdamStep& step) {
  if (p.dtype != DType::Float32 && p.dtype != DType::Float64) {
    throw errors::dtype_mismatch(kName, std::string(name_of(p.dtype)), "it computes in float32 and float64",
                                 "use .to(strided.float32)");
  }
  for (const Tensor* other : {&g, &mean, &square}) expect_alike(p, *other);
  const Tensor* const changed[] = {&p, &mean, &square};
  for (const Tensor* one : changed) {
    check_writable(*one, kName);
    for (const Tensor* other : changed) {
      if (one == other || !ranges_touch(*one, *other) || overlap_of(*one, *other) == Overlap::No) continue;
      throw errors::invalid_argument("p, mean and square", "tensors that share elements",
                                     "must lie apart: each is changed");
    }
  }
  Tensor from = g;
  for (const Tensor* one : changed) from = apart_from(*one, from, true);
  for (const Tensor* one : changed) one->storage->bump_version(kName);
  adam(p.operand(), from.operand(), mean.operand(), square.operand(), step);
}

}  // namespace strided
