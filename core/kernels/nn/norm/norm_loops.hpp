// Inner loops of norms and of the backward passes of norms and softmax, over packed rows of float32 or float64.
//
// A row x is normalised as z = (x - mean) * factor. Null weights count as 1, null biases as 0. Results may be written
// over the inputs, element for element. Pointers may have any alignment.
#pragma once

#include <cstddef>

#include "layout/dims.hpp"

namespace strided::kernels::nn {

// How a row is normalised.
struct NormRow {
  double mean, factor;
};
// Of h = g * weight: the sums of h and of h * z.
struct NormSums {
  double plain, along;
};

struct NormLoops {
  double (*sum)(Index n, const std::byte* x);
  // The sum of (x - mean)^2.
  double (*squares)(Index n, const std::byte* x, double mean);
  // to = z * weight + bias
  void (*normalise)(Index n, const std::byte* x, NormRow row, const std::byte* weight, const std::byte* bias,
                    std::byte* to);
  // to = (x - mean) * factor + shift
  void (*shift_scale)(Index n, const std::byte* x, NormRow row, double shift, std::byte* to);
  NormSums (*gradient_sums)(Index n, const std::byte* g, const std::byte* x, NormRow row, const std::byte* weight);
  // to = factor * (h - means.plain - (x - mean) * means.along)
  void (*gradient)(Index n, const std::byte* g, const std::byte* x, NormRow row, const std::byte* weight,
                   NormSums means, std::byte* to);
  // The same sums; and weights += g * z and biases += g, of which null biases are left out.
  NormSums (*accumulate_gradients)(Index n, const std::byte* g, const std::byte* x, NormRow row,
                                   const std::byte* weight, std::byte* weights, std::byte* biases);
  // The sum of a * b.
  double (*dot)(Index n, const std::byte* a, const std::byte* b);
  // to = y * (g - mean) * scale
  void (*softmax_gradient)(Index n, const std::byte* y, const std::byte* g, double mean, double scale, std::byte* to);
  static constexpr const char* kNames[] = {"sum", "squares", "normalise", "shift_scale", "gradient_sums", "gradient",
                                           "accumulate_gradients", "dot", "softmax_gradient"};  // for plans, in order
};

}  // namespace strided::kernels::nn
