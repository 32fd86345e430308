// Losses of scores by their target classes, on tensors.
#include "kernels/nn/softmax/cross_entropy.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "errors.hpp"
#include "gradients.hpp"
#include "kernels/convert/packed.hpp"
#include "targets.hpp"

namespace strided {
namespace {

constexpr const char* kName = "cross_entropy";

// Target classes, -1 where a row is left out, and how many rows are not.
struct Targets {
  std::vector<Index> classes;
  Index count = 0;
};

Targets targets_of(const Tensor& x, const Tensor& target, Index ignored) {
  require_float(kName, "input", x.dtype);
  if (!is_integral(target.dtype)) {
    throw errors::dtype_mismatch(kName, "target of " + std::string(name_of(target.dtype)), "they are classes",
                                 "give integers");
  }
  if (x.layout.rank() != 2) {
    const Index any[] = {-1, -1};
    throw errors::shape_mismatch(kName, any, x.layout.shape(), "scores are (rows, classes)");
  }
  const Span expected = x.layout.shape().first(1), own = target.layout.shape();
  if (!std::equal(expected.begin(), expected.end(), own.begin(), own.end())) {
    throw errors::shape_mismatch(kName, expected, own, "give one class per row");
  }
  Targets made;
  made.classes.resize(static_cast<std::size_t>(own[0]));
  kernels::convert::elements(target.dtype, target.data(), target.step(0), DType::Int64,
                             reinterpret_cast<std::byte*>(made.classes.data()), sizeof(Index), own[0]);
  const Index classes = x.layout.length(1);
  for (Index& target_class : made.classes) {
    if (target_class == ignored) {
      target_class = -1;
      continue;
    }
    if (target_class < 0 || target_class >= classes) {
      throw errors::index_out_of_bounds(target_class, classes, 1);
    }
    ++made.count;
  }
  return made;
}

CrossEntropyRows rows_of(const Tensor& x, const Targets& targets, const CrossEntropyOptions& options) {
  return {x.operand(), targets.classes.data(), options.smoothing, lane_for(x.dtype, {})};
}

void store_number(const Tensor& to, Index i, double value) {
  const auto* const from = reinterpret_cast<const std::byte*>(&value);
  kernels::convert::elements(DType::Float64, from, 0, to.dtype, to.data() + i * to.item(), 0, 1);
}

}  // namespace

CrossEntropy cross_entropy(const Tensor& x, const Tensor& target, const CrossEntropyOptions& options) {
  const Targets targets = targets_of(x, target, options.ignored);
  const Index rows = x.layout.length(0), shape[] = {rows};
  CrossEntropy made{empty_tensor(options.over == LossOver::Each ? Span(shape) : Span(), x.dtype),
                    empty_tensor(shape, DType::Float64)};
  std::vector<double> losses(static_cast<std::size_t>(rows));
  cross_entropy(rows_of(x, targets, options), losses.data(), reinterpret_cast<double*>(made.logs.data()));
  double sum = 0;
  for (Index i = 0; i < rows; ++i) {
    const double loss = losses[static_cast<std::size_t>(i)];
    sum += loss;
    if (options.over == LossOver::Each) store_number(made.loss, i, loss);
  }
  if (options.over == LossOver::Mean) sum /= static_cast<double>(targets.count);
  if (options.over != LossOver::Each) store_number(made.loss, 0, sum);
  return made;
}

Tensor cross_entropy_gradient(const Tensor& g, const Tensor& x, const Tensor& target, const Tensor& logs,
                              const CrossEntropyOptions& options) {
  const Targets targets = targets_of(x, target, options.ignored);
  const Index rows = x.layout.length(0);
  const bool each = options.over == LossOver::Each;
  if (logs.dtype != DType::Float64 || logs.layout.rank() != 1 || logs.layout.length(0) != rows ||
      logs.layout.stride(0) != 1 || g.layout.rank() != (each ? 1 : 0) || (each && g.layout.length(0) != rows)) {
    throw errors::shape_mismatch(kName, target.layout.shape(), g.layout.shape(),
                                 "give the gradient of the loss");
  }
  require_float(kName, "gradient", g.dtype);
  std::vector<double> factors(static_cast<std::size_t>(rows));
  kernels::convert::elements(g.dtype, g.data(), each ? g.step(0) : 0, DType::Float64,
                             reinterpret_cast<std::byte*>(factors.data()), sizeof(double), rows);
  if (options.over == LossOver::Mean) {
    for (double& factor : factors) factor /= static_cast<double>(targets.count);
  }
  Tensor made = empty_tensor(x.layout.shape(), x.dtype);
  cross_entropy_gradient(rows_of(x, targets, options), reinterpret_cast<const double*>(logs.data()),
                         factors.data(), made.operand());
  return made;
}

}  // namespace strided
