// Evenly spaced values along a rank-1 operand.
#pragma once

#include "plan/operand.hpp"

namespace strided::kernels::elementwise {

// out[i] = start + i * step, in wrapping integers or in double, converted to out.dtype.
void fill_range(const Operand& out, std::int64_t start, std::int64_t step);
void fill_range(const Operand& out, double start, double step);

}  // namespace strided::kernels::elementwise
