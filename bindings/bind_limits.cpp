// Limits of kernels: the numbers that Python code of this package asks for instead of repeating them.
#include "bind_ops.hpp"
#include "tensor/kernel_limits.hpp"

namespace strided::python {

void bind_limits(nanobind::module_& m) {
  const KernelLimits limits = kernel_limits();
  m.attr("FEW_ROWS") = limits.few_rows;
  m.attr("MANY_ROWS") = limits.many_rows;
  m.attr("ATTENTION_BLOCK") = limits.attention_block;
}

}  // namespace strided::python
