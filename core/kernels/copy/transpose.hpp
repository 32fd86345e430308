// Copies between operands that disagree on which axis is fast.
#pragma once

#include "plan/copy_plan.hpp"

namespace strided::kernels::copy {

void copy_tiles(const CopyPlan& copy, std::byte* const* storage);

}  // namespace strided::kernels::copy
