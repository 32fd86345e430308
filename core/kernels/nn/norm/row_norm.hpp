// Layer norm and RMS norm over the last axis, and their backward pass.
//
// A row is brought to mean 0 (`centred`: layer norm) and variance 1, or divided by the root of the mean of its squares.
#pragma once

#include "plan/operand.hpp"

namespace strided::kernels::nn {

// out = (x - mean(x)) / sqrt(variance(x) + eps) * weight + bias, or x / sqrt(mean(x^2) + eps) * weight. out and x have
// one shape; weight and bias, which may be null, have rank 1. out overlaps none, unless it is x element for element.
struct RowNorm {
  const char* name;  // in plans
  Operand out, x;
  const Operand *weight, *bias;
  double eps;
  bool centred;
  DType compute;  // float32 or float64
};
void row_norm(const RowNorm& work);

// Rows in this many blocks have sums of their own; it does not depend on the number of threads.
Index row_norm_blocks(Index rows);

// The gradients, from the gradient g of the result. All rows fit a buffer (lanes_per_buffer), or are packed in dtype
// `compute`.
struct RowNormGradient {
  const char* name;       // in plans
  const Operand* dx;  // of the shape of x; null: not computed
  Operand g, x;
  const Operand* weight;  // of rank 1, or null
  // row_norm_blocks(rows) x (2 if centred, else 1) x n of dtype `compute`, which are 0: what each block
  // adds to the gradients of the weight and the bias. Null: not computed.
  std::byte* sums;
  double eps;
  bool centred;
  DType compute;
};
void row_norm_gradient(const RowNormGradient& work);

}  // namespace strided::kernels::nn
