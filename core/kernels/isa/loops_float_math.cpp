// Replaces the float32 loops of libm where a vectorised one exists, for one instruction set.
#include "../float_math.hpp"
#include "../inner_loop.hpp"

namespace strided::STRIDED_ISA {
namespace {

template <Op... ops>
void fill_floats(LoopTable& table) {
  constexpr int kColumn = static_cast<int>(DType::Float32);
  ((table.elementwise[static_cast<int>(ops)][kColumn] = &unary_loop<FloatMath<ops>, float>), ...);
}

}  // namespace

void fill_float_math_loops(LoopTable& table) {
  fill_floats<Op::Exp, Op::Log, Op::Tanh, Op::Sigmoid, Op::Silu, Op::GeluTanh>(table);
}

}  // namespace strided::STRIDED_ISA
