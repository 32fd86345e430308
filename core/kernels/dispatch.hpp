// Which instruction set the loops use: the best one of this processor, unless the environment variable
// STRIDED_ISA (baseline, avx2 or avx512) asks for less. Decided on first use, then fixed.
#pragma once

namespace strided {

const char* active_isa();

}  // namespace strided
