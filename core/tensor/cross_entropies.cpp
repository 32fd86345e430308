// Cross entropy and its backward pass, on tensors.
#include "kernels/nn/softmax/cross_entropy.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include "errors.hpp"
#include "gradients.hpp"
#include "kernels/nn/packed_rows.hpp"
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
  require_shape(kName, x.layout.shape().first(1), target.layout.shape(), "give one class per row");
  const Index rows = target.layout.length(0);
  Targets made;
  made.classes.reserve(static_cast<std::size_t>(rows));
  const Index classes = x.layout.length(1);
  kernels::nn::in_blocks(rows, kernels::nn::kWrittenBlock, [&](Index begin, Index n) {
    made.classes.resize(static_cast<std::size_t>(begin + n));
    Index* const block = made.classes.data() + begin;
    kernels::convert::elements(target.dtype, target.data() + begin * target.step(0), target.step(0), DType::Int64,
                  reinterpret_cast<std::byte*>(block), sizeof(Index), n);
    for (Index i = 0; i < n; ++i) {
      if (block[i] == ignored) {
        block[i] = -1;
        continue;
      }
      if (block[i] < 0 || block[i] >= classes) throw errors::index_out_of_bounds(block[i], classes, 1);
      ++made.count;
    }
  });
  return made;
}

kernels::nn::CrossEntropyRows rows_of(const Tensor& x, const Targets& targets, const CrossEntropyOptions& options) {
  return {x.operand(), targets.classes.data(), options.smoothing, compute_dtype_for(x.dtype, {})};
}

void store_numbers(const Tensor& to, const double* from, Index count) {
  kernels::convert::elements(DType::Float64, reinterpret_cast<const std::byte*>(from), sizeof(double), to.dtype,
                             to.data(), to.item(), count);
}

}  // namespace

CrossEntropy cross_entropy(const Tensor& x, const Tensor& target, const CrossEntropyOptions& options) {
  const Targets targets = targets_of(x, target, options.ignored);
  const Index rows = x.layout.length(0), shape[] = {rows};
  CrossEntropy made{empty_tensor(options.over == LossOver::Each ? Span(shape) : Span(), x.dtype),
                    empty_tensor(shape, DType::Float64)};
  const Tensor numbers = empty_tensor(shape, DType::Float64, x.layout.size() == 0);  // rows without classes: 0
  const auto losses = std::span(reinterpret_cast<double*>(numbers.data()), static_cast<std::size_t>(rows));
  kernels::nn::cross_entropy(rows_of(x, targets, options), losses.data(), reinterpret_cast<double*>(made.logs.data()));
  if (options.over == LossOver::Each) {
    store_numbers(made.loss, losses.data(), rows);
    return made;
  }
  double sum = std::accumulate(losses.begin(), losses.end(), 0.0);
  if (options.over == LossOver::Mean) sum /= static_cast<double>(targets.count);
  store_numbers(made.loss, &sum, 1);
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
  kernels::nn::cross_entropy_gradient(rows_of(x, targets, options), reinterpret_cast<const double*>(logs.data()),
                         factors.data(), made.operand());
  return made;
}

}  // namespace strided
