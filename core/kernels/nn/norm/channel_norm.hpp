// Batch norm: channels brought to mean 0 and variance 1 over all other axes, and the backward pass.
//
// Operands are (batch, channels, ...). What is known of channels is float64, one number per channel. `compute` is
// float32 or float64. What is written overlaps nothing.
#pragma once

#include "plan/operand.hpp"

namespace strided::kernels::nn {

// out = (x - mean) / sqrt(variance + eps) * weight + bias
struct ChannelNorm {
  Operand out, x;
  const double *weight, *bias;  // or null
  double eps;
  double *mean, *variance;  // are written
  DType compute;
};
void channel_norm(const ChannelNorm& work);

struct ChannelNormGradient {
  const Operand* dx;  // null: not computed
  Operand g, x;
  const double* weight;  // or null
  const double *mean, *variance;
  double eps;
  double *to_weight, *to_bias;  // are written
  DType compute;
};
void channel_norm_gradient(const ChannelNormGradient& work);

// The same where channels are adjacent in memory: rows of them, of (out, x) and of (dx or x, x, g).
class RowSpace;
void channel_norm_across(const ChannelNorm& work, const RowSpace& rows);
void channel_norm_gradient_across(const ChannelNormGradient& work, const RowSpace& rows);

}  // namespace strided::kernels::nn
