// Fills the complex columns of all ops.
#include "complex_math.hpp"
#include "inner_loop.hpp"

namespace strided {

void fill_complex_loops(LoopTable& table) {
  using ComplexColumns = Columns<DType::Complex64, DType::Complex128>;
  fill_elementwise<ComplexMath, Build::PerIsa>(table, ComplexColumns{});
  fill_elementwise<ComplexMath, Build::Once>(table, ComplexColumns{});
}

}  // namespace strided
