// The innermost loop of Adam, for contiguous elements of float32 or float64.
#pragma once

#include <cstddef>

#include "layout/dims.hpp"

namespace strided::kernels::optim {

// The numbers of one step. Corrections of bias are part of `rate` and `eps`.
struct AdamStep {
  double rate;              // what mean / (sqrt(square) + eps) is multiplied by, sign included
  double eps;
  double share1, share2;    // how much of the gradient and of its square goes into their running means
  double shrink;            // what an element is multiplied by before it moves; 1 for none
  double decay;             // how much of an element is added to its gradient; 0 for none
  bool maximize;            // go along the gradient
};

// Changes p, mean and square in place. g may be one of them, element for element. Places may have any alignment.
using AdamLoop = void (*)(Index n, std::byte* p, const std::byte* g, std::byte* mean, std::byte* square,
                          const AdamStep& step);

}  // namespace strided::kernels::optim
