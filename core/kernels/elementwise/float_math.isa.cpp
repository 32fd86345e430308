// Replaces the loops of libm by vectorised ones, for float32 and one instruction set.
#include "math_loop.hpp"

namespace strided::STRIDED_ISA {

void fill_float_math_loops(LoopTable& table) { fill_math<float>(table, DType::Float32); }

}  // namespace strided::STRIDED_ISA
