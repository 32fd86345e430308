// Max pooling: the largest element of every window of an image, and the backward pass.
#pragma once

#include <cstdint>

#include "plan/operand.hpp"

namespace strided::kernels::nn {

// Rows first, then columns.
struct PoolWindows {
  Index kernel[2], stride[2], padding[2], dilation[2];
};

// x (n, c, h, w) of float32 or float64; out and places (n, c, oh, ow) are row-major. A place counts the
// elements of an image row by row. NaN is the largest. Of equals the first is taken. Every window has an
// element.
void max_pool(const Operand& out, std::int32_t* places, const Operand& x, const PoolWindows& windows);

// Writes `to` (n, c, h, w), which is row-major and of g's dtype: the sums of g (n, c, oh, ow) by their
// places, else 0.
void max_pool_gradient(const Operand& to, const std::int32_t* places, const Operand& g);

}  // namespace strided::kernels::nn
