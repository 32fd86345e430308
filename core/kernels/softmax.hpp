// Numbers along one axis as shares of a whole: exp(x) / sum(exp(x)), and its logarithm.
#pragma once

#include "operand.hpp"

namespace strided {

// Over the last axis, computed in `lane` (float32 or float64). out and x have one shape. out does not overlap
// x, unless it is x element for element.
void softmax(const Operand& out, const Operand& x, bool logarithm, DType lane);

}  // namespace strided
