// The vectorised functions of float32, for one instruction set.
#include "math_loop.hpp"

namespace strided::kernels::elementwise::STRIDED_ISA {

void fill_float_math_loops(LoopFiller& fill) { fill_math<float, DType::Float32>(fill); }

}  // namespace strided::kernels::elementwise::STRIDED_ISA
