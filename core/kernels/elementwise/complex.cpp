// Fills the complex columns of all ops.
#include "kernels/elementwise/ops/complex_math.hpp"
#include "inner_loop.hpp"

namespace strided::kernels::elementwise {

void fill_complex_loops(LoopFiller& fill) {
  for_each_loop(Columns<DType::Complex64, DType::Complex128>{}, [&]<Op op, DType dtype>() {
    fill.enter(fill.table.elementwise[static_cast<int>(op)][static_cast<int>(dtype)],
               loop_of<ComplexMath<op>, op, typename TypeOf<dtype>::type>());
  });
}

}  // namespace strided::kernels::elementwise
