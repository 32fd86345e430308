// Numbers along one axis as shares of a whole: exp(x) / sum(exp(x)), and its logarithm.
#pragma once

#include "plan/operand.hpp"

namespace strided {

// Over the last axis, computed in `lane` (float32 or float64). out and x have one shape. out does not overlap
// x, unless it is x element for element.
void softmax(const Operand& out, const Operand& x, bool logarithm, DType lane);

// The same along an axis that the operands lack: it has this length, which is not 0, and these steps in bytes.
// Elements that are neighbours along the last axis are worked on together.
struct SoftmaxAcross {
  Index length, out_step, x_step;
};
void softmax_across(const Operand& out, const Operand& x, const SoftmaxAcross& across, bool logarithm,
                    DType lane);

}  // namespace strided
