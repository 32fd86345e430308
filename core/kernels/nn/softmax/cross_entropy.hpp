// Cross entropy of rows of scores and their classes: -log softmax(x)[target], and the backward pass.
#pragma once

#include "plan/operand.hpp"

namespace strided::kernels::nn {

struct CrossEntropyRows {
  Operand x;             // (rows, classes)
  const Index* targets;  // one per row; negative: the row is left out
  double smoothing;      // label smoothing: how much of the target goes to all classes evenly
  DType compute;            // float32 or float64
};

// Writes a loss per row, 0 where it is left out, and log(sum(exp(x))) per row.
void cross_entropy(const CrossEntropyRows& rows, double* losses, double* logs);

// to[i] = factors[i] * the gradient of loss i with respect to x[i]. `to` has the shape of x and does not
// overlap it.
void cross_entropy_gradient(const CrossEntropyRows& rows, const double* logs, const double* factors,
                            const Operand& to);

}  // namespace strided::kernels::nn
