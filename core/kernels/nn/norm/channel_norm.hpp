// Channels brought to mean 0 and variance 1 over all other axes, and the way back.
//
// Axis 0 of every operand are the channels, and there is at least one more. Numbers of channels are float64,
// one per channel; computed in `lane` (float32 or float64). What is written overlaps nothing.
#pragma once

#include "plan/operand.hpp"

namespace strided {

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

// The same where channels lie side by side, as the last axis.
void channel_norm_across(const ChannelNorm& work);
void channel_norm_gradient_across(const ChannelNormGradient& work);

}  // namespace strided
