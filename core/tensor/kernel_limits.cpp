#include "kernel_limits.hpp"

#include <algorithm>
#include <numeric>

#include "kernels/matmul/matvec.hpp"
#include "kernels/nn/attention/attention_rows.hpp"
#include "kernels/quantized/quantized_product.hpp"

namespace strided {

KernelLimits kernel_limits() {
  using kernels::matmul::Matvec;
  using kernels::quantized::QuantizedProduct;
  // Attention counts the rows of a group of heads: one query of a sequence has few in every model.
  const auto few = {Matvec::kMostVectors, QuantizedProduct::kFewVectors, kernels::nn::kFewRows};
  return {std::min(few), std::max(few) + 1,
          std::lcm(kernels::nn::kBlockKeysOfFew, kernels::nn::kBlockKeysOfMany)};
}

}  // namespace strided
