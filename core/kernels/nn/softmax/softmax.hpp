// Softmax and log-softmax over the last axis: exp(x) / sum(exp(x)), and its logarithm.
#pragma once

#include "plan/operand.hpp"

namespace strided::kernels::nn {

// `compute` is float32 or float64. out and x have one shape. out does not overlap
// x, unless it is x element for element.
void softmax(const Operand& out, const Operand& x, bool logarithm, DType compute);

// The same for adjacent rows (of out and x) that are not empty.
class RowSpace;
void softmax_across(const RowSpace& rows, DType out, DType x, bool logarithm, DType compute);

constexpr const char* softmax_name(bool logarithm) { return logarithm ? "log_softmax" : "softmax"; }

}  // namespace strided::kernels::nn
