// Rows brought to mean 0 and variance 1, and the way back through them and through rows of one size.
#pragma once

#include "plan/operand.hpp"

namespace strided {

// out = (x - mean(x)) / sqrt(variance(x) + eps) * weight + bias over the last axis, computed in `lane`
// (float32 or float64). out and x have one shape; weight and bias, which may be null, have rank 1. out
// overlaps none, unless it is x element for element.
void layer_norm(const Operand& out, const Operand& x, const Operand* weight, const Operand* bias, double eps,
                DType lane);

// Rows in this many pieces have sums of their own; it does not depend on the number of threads.
Index norm_pieces(Index rows);

// The gradients of layer_norm (`centred`) or rms_norm, from the gradient g of the result. All rows fit a lane
// buffer (packed_capacity) or are lanes that lie side by side.
struct NormGradient {
  const Operand* dx;  // of the shape of x; null: not wanted
  Operand g, x;
  const Operand* weight;  // of rank 1, or null
  // norm_pieces(rows) x (2 if centred, else 1) x n lanes, which are 0: what each piece adds to the
  // gradients of the weight and the bias. Null: not wanted.
  std::byte* sums;
  double eps;
  bool centred;
  DType lane;
};
void norm_gradient(const NormGradient& work);

}  // namespace strided
