// The cache line that vector loops are compiled for. What a plan asks of the machine is machine().line.
#pragma once

#include "layout/dims.hpp"

namespace strided {

// The bytes that memory moves at a time, on all machines that the loops were measured on.
inline constexpr Index kLine = 64;

}  // namespace strided
