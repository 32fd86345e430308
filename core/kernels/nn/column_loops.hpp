// Inner loops over adjacent lines: one element of each of n lines, which are packed, at a time.
//
// What is known of the lines, such as their means, is packed too, in the same dtype.
#pragma once

#include <cstddef>

#include "layout/dims.hpp"

namespace strided::kernels::nn {

// How lines are normalised: (x - mean) * factor + shift.
struct ColumnNorm {
  const std::byte *mean, *factor, *shift;
};
// The same for the backward pass: (g - plain - (x - mean) * along) * factor.
struct ColumnNormBackward {
  const std::byte *mean, *plain, *along, *factor;
};

struct ColumnLoops {
  void (*add)(Index n, const std::byte* x, std::byte* sums);
  // sums += (x - mean)^2
  void (*add_squares)(Index n, const std::byte* x, const std::byte* mean, std::byte* sums);
  // sums += a * b
  void (*add_products)(Index n, const std::byte* a, const std::byte* b, std::byte* sums);
  // plain += g and along += g * (x - mean)
  void (*add_gradient_sums)(Index n, const std::byte* g, const std::byte* x, const std::byte* mean, std::byte* plain,
                     std::byte* along);
  void (*normalise)(Index n, const std::byte* x, const ColumnNorm& norm, std::byte* to);
  void (*gradient)(Index n, const std::byte* g, const std::byte* x, const ColumnNormBackward& slope, std::byte* to);
  // to = y * (g - sums)
  void (*softmax_gradient)(Index n, const std::byte* y, const std::byte* g, const std::byte* sums, std::byte* to);
  // to = g - exp(y) * sums, where no y is above 0.
  void (*log_softmax_gradient)(Index n, const std::byte* y, const std::byte* g, const std::byte* sums, std::byte* to);
  static constexpr const char* kNames[] = {"add", "add_squares", "add_products", "add_gradient_sums", "normalise",
                                           "gradient", "softmax_gradient", "log_softmax_gradient"};  // likewise
};

}  // namespace strided::kernels::nn
