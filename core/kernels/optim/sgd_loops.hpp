// The innermost loop of stochastic gradient descent, for contiguous elements of float32 or float64.
#pragma once

#include <cstddef>

#include "layout/dims.hpp"

namespace strided::kernels::optim {

// The numbers of one step.
struct SgdStep {
  double rate;    // what the direction is multiplied by, sign included
  double decay;   // how much of an element is added to its gradient; 0 for none
  double kept;    // of the velocity
  double share;   // of the gradient that goes into the velocity
  bool nesterov;  // the direction looks one velocity ahead
  bool maximize;  // go along the gradient
};

// Changes p and the velocity, unless it is null, in place. g may be one of them, element for element. Places may have
// any alignment.
using SgdLoop = void (*)(Index n, std::byte* p, const std::byte* g, std::byte* velocity, const SgdStep& step);

}  // namespace strided::kernels::optim
