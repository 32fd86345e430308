// The same for float64.
#include "math_loop.hpp"

namespace strided::STRIDED_ISA {

void fill_double_math_loops(LoopTable& table) {
  fill_math<double>(table, DType::Float64);
  constexpr int kPow = static_cast<int>(Op::Pow), kColumn = static_cast<int>(DType::Float64);
  enter(table, Op::FloatPower, DType::Float64, table.elementwise[kPow][kColumn], table.streamed[kPow][1]);
}

}  // namespace strided::STRIDED_ISA
