// Copies between operands that disagree on which axis is fast.
#pragma once

#include "copy.hpp"

namespace strided {

// Elements of `itemsize` bytes from operand 1 of the plan to operand 0. False, and nothing done, where both
// run along the same axis.
bool copy_across(const Plan& plan, Index itemsize, std::byte* const* storage, CopyKind kind);

}  // namespace strided
