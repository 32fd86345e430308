// Norms with a mean, and the way back through norms, on tensors.
#include <algorithm>

#include "dtype/promotion.hpp"
#include "errors.hpp"
#include "gradients.hpp"
#include "kernels/convert/packed.hpp"
#include "kernels/nn/norm/layer_norm.hpp"
#include "materialise.hpp"
#include "reduced.hpp"
#include "targets.hpp"

namespace strided {
namespace {

void expect_factors(const char* argument, const Tensor& x, const Tensor& factors) {
  require_float("layer_norm", argument, factors.dtype);
  const Span expected = x.layout.shape().last(1), own = factors.layout.shape();
  if (!std::equal(own.begin(), own.end(), expected.begin(), expected.end())) {
    throw errors::shape_mismatch("layer_norm", expected, own,
                                 "weight and bias are as long as the last axis of x");
  }
}

void expect_rows(const Tensor& x) {
  require_float("layer_norm", "x", x.dtype);
  if (x.layout.rank() > 0) return;
  const Dims any{-1};
  throw errors::shape_mismatch("layer_norm", any, x.layout.shape(),
                               "it works along the last axis: use x.unsqueeze(0)");
}

// The tensor, or a copy of it if its rows are neither lanes side by side nor fit a buffer.
Tensor readable(const Tensor& x, DType lane) {
  const int last = x.layout.rank() - 1;
  const bool side_by_side = x.dtype == lane && x.layout.stride(last) == 1;
  if (side_by_side || x.layout.length(last) <= kernels::convert::packed_capacity(lane)) return x;
  Dims order;
  for (int axis = 0; axis <= last; ++axis) order.push_back(axis);
  return materialise(x, CopyReason::Packing, lane, order);
}

}  // namespace

Tensor layer_norm(const Tensor& x, const Tensor* weight, const Tensor* bias, double eps, const Target& target) {
  expect_rows(x);
  DType common = x.dtype;
  if (weight != nullptr) {
    expect_factors("weight", x, *weight);
    common = promote("layer_norm", common, weight->dtype);
  }
  if (bias != nullptr) {
    expect_factors("bias", x, *bias);
    common = promote("layer_norm", common, bias->dtype);
  }
  Tensor out = target_for("layer_norm", x.layout.shape(), common, target);
  const Tensor from = apart_from(out, x, true);
  const Tensor factors = weight == nullptr ? Tensor{} : apart_from(out, *weight, false);
  const Tensor shifts = bias == nullptr ? Tensor{} : apart_from(out, *bias, false);
  const Operand by = weight == nullptr ? Operand{} : factors.operand();
  const Operand plus = bias == nullptr ? Operand{} : shifts.operand();
  out.storage->bump_version("layer_norm");
  layer_norm(out.operand(), from.operand(), weight == nullptr ? nullptr : &by,
             bias == nullptr ? nullptr : &plus, eps, lane_for(common, target));
  return out;
}

NormGradients norm_gradients(const Tensor& g, const Tensor& x, const Tensor* weight, double eps, bool centred,
                             NormWanted wanted) {
  expect_rows(x);
  require_float("layer_norm", "g", g.dtype);
  const Span shape = x.layout.shape();
  if (!std::equal(shape.begin(), shape.end(), g.layout.shape().begin(), g.layout.shape().end())) {
    throw errors::shape_mismatch("layer_norm", shape, g.layout.shape(), "the gradient has the shape of x");
  }
  DType common = promote("layer_norm", g.dtype, x.dtype);
  if (weight != nullptr) {
    expect_factors("weight", x, *weight);
    common = promote("layer_norm", common, weight->dtype);
  }
  const DType lane = lane_for(common, {});
  const Tensor from = readable(x, lane), back = readable(g, lane);
  const Tensor factors = weight == nullptr ? Tensor{} : readable(*weight, lane);
  const Operand by = weight == nullptr ? Operand{} : factors.operand();
  const Index n = shape.back(), rows = n == 0 ? 0 : x.layout.size() / n;
  NormGradients made;
  if (wanted.x) made.x = empty_tensor(shape, lane);
  const Index parts[] = {norm_pieces(rows), centred ? 2 : 1, n};
  const Tensor sums = wanted.weights ? empty_tensor(parts, lane, true) : Tensor{};
  const Operand to = wanted.x ? made.x->operand() : Operand{};
  norm_gradient({wanted.x ? &to : nullptr, back.operand(), from.operand(), weight == nullptr ? nullptr : &by,
                 wanted.weights ? sums.data() : nullptr, eps, centred, lane});
  if (wanted.weights) made.weights = reduced(Reduction::Sum, sums, {false, {0}}, {});
  return made;
}

}  // namespace strided
