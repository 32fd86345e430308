// Interrupt checks for loops over many short parts: one per so many elements.
#pragma once

#include "interrupt.hpp"
#include "layout/dims.hpp"

namespace strided {

class InterruptBudget {
 public:
  // Called after a part of so many elements. Mostly a subtraction.
  void spend(Index elements) {
    if ((left_ -= elements) > 0) return;
    left_ = kElements;
    check_interrupt();
  }

 private:
  static constexpr Index kElements = Index{1} << 20;  // a millisecond, ten where an element takes 10 ns
  Index left_ = kElements;
};

}  // namespace strided
