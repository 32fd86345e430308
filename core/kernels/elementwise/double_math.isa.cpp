// The vectorised functions of float64, for one instruction set.
#include "math_loop.hpp"

namespace strided::kernels::elementwise::STRIDED_ISA {

void fill_double_math_loops(LoopFiller& fill) { fill_math<double, DType::Float64>(fill); }

}  // namespace strided::kernels::elementwise::STRIDED_ISA
