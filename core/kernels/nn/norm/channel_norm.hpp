// Channels brought to mean 0 and variance 1 over all other axes, and the way back.
//
// Operands are (batch, channels, ...). Numbers of channels are float64,
// one per channel; computed in `lane` (float32 or float64). What is written overlaps nothing.
#pragma once

#include "plan/operand.hpp"

namespace strided::kernels::nn {

// out = (x - mean) / sqrt(variance + eps) * weight + bias
struct ChannelNorm {
  Operand out, x;
  const double *weight, *bias;  // or null
  double eps;
  double *mean, *variance;  // are written
  DType lane;
};
void channel_norm(const ChannelNorm& work);

struct ChannelNormGradient {
  const Operand* dx;  // null: not wanted
  Operand g, x;
  const double* weight;  // or null
  const double *mean, *variance;
  double eps;
  double *to_weight, *to_bias;  // are written
  DType lane;
};
void channel_norm_gradient(const ChannelNormGradient& work);

// The same where channels lie side by side: rows of them, of (out, x) and of (dx or x, x, g).
class RowSpace;
void channel_norm_across(const ChannelNorm& work, const RowSpace& rows);
void channel_norm_gradient_across(const ChannelNormGradient& work, const RowSpace& rows);

}  // namespace strided::kernels::nn
