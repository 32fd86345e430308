// Cumulative maxima and minima along one axis: the largest or smallest element so far, and where it stands.
#pragma once

#include "plan/operand.hpp"

namespace strided::kernels::scan {

// All shapes alike; places are int64. Of equal elements the latest counts; a NaN stays from where it occurs.
void running_extreme(const Operand& values, const Operand& places, const Operand& in, int axis, bool largest);

}  // namespace strided::kernels::scan
