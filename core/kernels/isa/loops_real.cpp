// Fills the rows of the ops that vectorise, for one instruction set.
#include "../inner_loop.hpp"
#include "../real_ops.hpp"

namespace strided::STRIDED_ISA {

void fill_real_loops(LoopTable& table) {
  fill_elementwise<RealOp, Build::PerIsa>(table, RealColumns{});
  // Choosing sees only the size of an element, so half types need no detour through float32.
  Loop* const where = table.elementwise[static_cast<int>(Op::Where)];
  where[static_cast<int>(DType::Float16)] = where[static_cast<int>(DType::UInt16)];
  where[static_cast<int>(DType::BFloat16)] = where[static_cast<int>(DType::UInt16)];
}

}  // namespace strided::STRIDED_ISA
