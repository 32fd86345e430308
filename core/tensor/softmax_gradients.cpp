// The backward pass of softmax and log-softmax, on tensors.
#include <algorithm>

#include "dtype/promotion.hpp"
#include "errors.hpp"
#include "gradients.hpp"
#include "kernels/nn/softmax/softmax_gradient.hpp"
#include "layout/views.hpp"
#include "targets.hpp"

namespace strided {

Tensor softmax_gradient(const Tensor& g, const Tensor& y, Index dim, bool logarithm) {
  const char* const operation = logarithm ? "log_softmax" : "softmax";
  require_float(operation, "y", y.dtype);
  require_float(operation, "g", g.dtype);
  const Span shape = y.layout.shape();
  require_shape(operation, shape, g.layout.shape(), "the gradient has the shape of the result");
  const int rank = std::max(1, y.layout.rank()), axis = normal_axis(dim, rank);
  Tensor made = empty_tensor(shape, y.dtype);
  const auto along = [&](const Layout& layout) {
    return transposed(layout.rank() == 0 ? unsqueezed(layout, 0) : layout, axis, rank - 1);
  };
  const Layout to = along(made.layout), results = along(y.layout), back = along(g.layout);
  kernels::nn::softmax_gradient({{made.storage->data(), &to, made.dtype},
                    {y.storage->data(), &results, y.dtype},
                    {g.storage->data(), &back, g.dtype},
                    logarithm,
                    compute_dtype_for(promote(operation, y.dtype, g.dtype), {})});
  return made;
}

}  // namespace strided
