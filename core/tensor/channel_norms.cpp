// Batch norm and its backward pass, on tensors.
#include "kernels/nn/norm/channel_norm.hpp"

#include <algorithm>
#include <vector>

#include "dtype/promotion.hpp"
#include "errors.hpp"
#include "gradients.hpp"
#include "kernels/convert/packed.hpp"
#include "targets.hpp"

namespace strided {
namespace {

constexpr const char* kName = "batch_norm";

Index channels_of(const Tensor& x) {
  require_float(kName, "input", x.dtype);
  if (x.layout.rank() >= 2) return x.layout.length(1);
  const Dims any{-1, -1};
  throw errors::shape_mismatch(kName, any, x.layout.shape(), "give (batch, channels, ...)");
}

// One number per channel.
std::vector<double> numbers_of(const char* argument, const Tensor& from, Index channels) {
  require_float(kName, argument, from.dtype);
  const Index expected[] = {channels};
  require_shape(kName, expected, from.layout.shape(), "give one number per channel");
  std::vector<double> made(static_cast<std::size_t>(channels));
  kernels::convert::elements(from.dtype, from.data(), from.step(0), DType::Float64,
                             reinterpret_cast<std::byte*>(made.data()), sizeof(double), channels);
  return made;
}

double* numbers_in(const Tensor& x) { return reinterpret_cast<double*>(x.data()); }

Tensor tensor_of(const std::vector<double>& from, DType compute) {
  const auto channels = static_cast<Index>(from.size());
  const Index shape[] = {channels};
  Tensor made = empty_tensor(shape, compute);
  kernels::convert::elements(DType::Float64, reinterpret_cast<const std::byte*>(from.data()), sizeof(double), compute,
                made.data(), made.item(), channels);
  return made;
}

}  // namespace

ChannelNormed channel_norm(const Tensor& x, const Tensor* weight, const Tensor* bias, double eps) {
  const Index channels = channels_of(x), shape[] = {channels};
  DType common = x.dtype;
  std::vector<double> factors, shifts;
  if (weight != nullptr) {
    factors = numbers_of("weight", *weight, channels);
    common = promote(kName, common, weight->dtype);
  }
  if (bias != nullptr) {
    shifts = numbers_of("bias", *bias, channels);
    common = promote(kName, common, bias->dtype);
  }
  ChannelNormed made{empty_tensor(x.layout.shape(), common), empty_tensor(shape, DType::Float64, true),
                     empty_tensor(shape, DType::Float64, true)};
  kernels::nn::channel_norm({made.out.operand(), x.operand(), weight == nullptr ? nullptr : factors.data(),
                bias == nullptr ? nullptr : shifts.data(), eps, numbers_in(made.mean),
                numbers_in(made.variance), compute_dtype_for(common, {})});
  return made;
}

ChannelNormGradients channel_norm_gradients(const Tensor& g, const Tensor& x, const Tensor* weight,
                                            const Tensor& mean, const Tensor& variance, double eps,
                                            bool wants_x) {
  const Index channels = channels_of(x);
  require_float(kName, "g", g.dtype);
  const Span shape = x.layout.shape();
  require_shape(kName, shape, g.layout.shape(), "the gradient has the shape of the input");
  DType common = promote(kName, g.dtype, x.dtype);
  std::vector<double> factors;
  if (weight != nullptr) {
    factors = numbers_of("weight", *weight, channels);
    common = promote(kName, common, weight->dtype);
  }
  const std::vector<double> means = numbers_of("mean", mean, channels);
  const std::vector<double> variances = numbers_of("variance", variance, channels);
  const DType compute = compute_dtype_for(common, {});
  std::vector<double> to_weight(means.size()), to_bias(means.size());
  ChannelNormGradients made;
  if (wants_x) made.x = empty_tensor(shape, compute);
  const Operand to_x = wants_x ? made.x->operand() : Operand{};
  kernels::nn::channel_norm_gradient({wants_x ? &to_x : nullptr, g.operand(), x.operand(),
                         weight == nullptr ? nullptr : factors.data(), means.data(), variances.data(), eps,
                         to_weight.data(), to_bias.data(), compute});
  made.weight = tensor_of(to_weight, compute);
  made.bias = tensor_of(to_bias, compute);
  return made;
}

}  // namespace strided
