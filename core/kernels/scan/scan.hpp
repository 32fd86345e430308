// Cumulative sums and products along one axis.
#pragma once

#include "kernels/loop_table.hpp"
#include "plan/operand.hpp"

namespace strided::kernels::scan {

// Same shapes. Floats run in double, integers wrap around. Where elements lose their kind on the way to
// out.dtype (a float to an integer, anything to bool) they are converted first. Results do not depend on
// the number of threads.
void scan(Scan op, const Operand& out, const Operand& in, int axis);

}  // namespace strided::kernels::scan
