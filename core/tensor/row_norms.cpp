// Layer norm, RMS norm and their backward pass, on tensors.
#include <utility>

#include "dtype/promotion.hpp"
#include "errors.hpp"
#include "gradients.hpp"
#include "kernels/convert/packed.hpp"
#include "kernels/nn/norm/row_norm.hpp"
#include "materialise.hpp"
#include "reduced.hpp"
#include "targets.hpp"

namespace strided {
namespace {

// The dtype of a norm of x (..., n) by weight and bias (n,), which may be null.
DType common_of(const char* operation, const Tensor& x, const Tensor* weight, const Tensor* bias) {
  require_float(operation, "x", x.dtype);
  if (x.layout.rank() == 0) {
    const Index any[] = {-1};
    throw errors::shape_mismatch(operation, any, x.layout.shape(),
                                 "it works along the last axis: use x.unsqueeze(0)");
  }
  DType common = x.dtype;
  for (const auto& [argument, factors] : {std::pair("weight", weight), std::pair("bias", bias)}) {
    if (factors == nullptr) continue;
    require_float(operation, argument, factors->dtype);
    require_shape(operation, x.layout.shape().last(1), factors->layout.shape(),
                  "weight and bias are as long as the last axis of x");
    common = promote(operation, common, factors->dtype);
  }
  return common;
}

Tensor normed(const char* operation, const Tensor& x, const Tensor* weight, const Tensor* bias, double eps,
              bool centred, const Target& target) {
  const DType common = common_of(operation, x, weight, bias);
  Tensor out = target_for(operation, x.layout.shape(), common, target);
  const LayerInput from(target.out, &x, true), factors(target.out, weight), shifts(target.out, bias);
  out.storage->bump_version(operation);
  kernels::nn::row_norm({operation, out.operand(), from->operand(), factors.operand(), shifts.operand(), eps, centred,
                         compute_dtype_for(common, target)});
  return out;
}

// Rows that are neither packed in dtype `compute` nor fit a buffer are copied.
LayerInput readable(const Tensor* x, DType compute) {
  const auto is_readable = [&] {
    const int last = x->layout.rank() - 1;
    const bool is_packed = x->dtype == compute && x->layout.stride(last) == 1;
    return is_packed || x->layout.length(last) <= kernels::convert::packed_capacity(compute);
  };
  return {x, x != nullptr && !is_readable(), [&] {
            Dims order;
            for (int axis = 0; axis < x->layout.rank(); ++axis) order.push_back(axis);
            return materialise(*x, CopyReason::Packing, compute, order);
          }};
}

}  // namespace

Tensor rms_norm(const Tensor& x, const Tensor* weight, double eps, const Target& target) {
  return normed("rms_norm", x, weight, nullptr, eps, false, target);
}

Tensor row_norm(const Tensor& x, const Tensor* weight, const Tensor* bias, double eps, const Target& target) {
  return normed("layer_norm", x, weight, bias, eps, true, target);
}

NormGradients norm_gradients(const Tensor& g, const Tensor& x, const Tensor* weight, double eps, bool centred,
                             NormWanted wanted) {
  const DType common = promote("layer_norm", g.dtype, common_of("layer_norm", x, weight, nullptr));
  require_float("layer_norm", "g", g.dtype);
  const Span shape = x.layout.shape();
  require_shape("layer_norm", shape, g.layout.shape(), "the gradient has the shape of x");
  const DType compute = compute_dtype_for(common, {});
  const LayerInput from = readable(&x, compute), back = readable(&g, compute), factors = readable(weight, compute);
  const Index n = shape.back(), rows = n == 0 ? 0 : x.layout.size() / n;
  NormGradients made;
  if (wanted.x) made.x = empty_tensor(shape, compute);
  const Index blocks[] = {kernels::nn::row_norm_blocks(rows), centred ? 2 : 1, n};
  Tensor sums;
  if (wanted.weights) sums = empty_tensor(blocks, compute, true);
  const LayerInput to(nullptr, made.x ? &*made.x : nullptr);
  const char* name = centred ? "layer_norm backward" : "rms_norm backward";
  kernels::nn::row_norm_gradient({name, to.operand(), back->operand(), from->operand(), factors.operand(),
                                  wanted.weights ? sums.data() : nullptr, eps, centred, compute});
  if (wanted.weights) made.weights = reduced(Reduction::Sum, sums, {false, {0}}, {});
  return made;
}

}  // namespace strided
