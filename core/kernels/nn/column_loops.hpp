// The innermost loops that work on many lists side by side: one element of each at a time.
//
// n elements of lanes that lie side by side; what is known of the lists, such as their means, are lanes too.
#pragma once

#include <cstddef>

#include "layout/dims.hpp"

namespace strided::kernels::nn {

// How lists are normalised: (x - mean) * factor + shift.
struct ColumnNorm {
  const std::byte *mean, *factor, *shift;
};
// The same for the way back: (g - plain - (x - mean) * along) * factor.
struct ColumnSlope {
  const std::byte *mean, *plain, *along, *factor;
};

struct ColumnLoops {
  void (*add)(Index n, const std::byte* x, std::byte* sums);
  // sums += (x - mean)^2
  void (*add_squares)(Index n, const std::byte* x, const std::byte* mean, std::byte* sums);
  // sums += a * b
  void (*add_products)(Index n, const std::byte* a, const std::byte* b, std::byte* sums);
  // plain += g and along += g * (x - mean)
  void (*add_slopes)(Index n, const std::byte* g, const std::byte* x, const std::byte* mean, std::byte* plain,
                     std::byte* along);
  void (*normalise)(Index n, const std::byte* x, const ColumnNorm& norm, std::byte* to);
  void (*gradient)(Index n, const std::byte* g, const std::byte* x, const ColumnSlope& slope, std::byte* to);
  // to = y * (g - sums)
  void (*soften)(Index n, const std::byte* y, const std::byte* g, const std::byte* sums, std::byte* to);
  // to = g - exp(y) * sums, where no y is above 0.
  void (*log_slope)(Index n, const std::byte* y, const std::byte* g, const std::byte* sums, std::byte* to);
};

}  // namespace strided::kernels::nn
