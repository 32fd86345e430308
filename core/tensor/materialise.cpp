#include "materialise.hpp"

#include "kernels/copy/copy.hpp"
#include "kernels/index/gather.hpp"

namespace strided {

Tensor materialise(const Tensor& source, CopyReason reason) {
  Tensor out = empty_tensor(source.layout.shape(), source.dtype);
  materialise_into(out, source, reason);
  return out;
}

Tensor materialise(const Tensor& source, CopyReason reason, DType dtype, Span order) {
  Tensor out = empty_tensor_in_order(source.layout.shape(), order, dtype);
  materialise_into(out, source, reason);
  return out;
}

void materialise_into(const Tensor& out, const Tensor& source, CopyReason reason) {
  log_copy(reason, source, out.layout, out.dtype);
  kernels::copy::copy(out.operand(), source.operand());
}

void gather_into(const Tensor& out, const Tensor& source, std::span<const Tensor> indices) {
  Operand positions[kMaxRank];
  for (std::size_t k = 0; k < indices.size(); ++k) positions[k] = indices[k].operand();
  log_copy(CopyReason::Gather, source, out.layout, out.dtype);
  kernels::index::gather(out.operand(), source.operand(), {positions, indices.size()});
}

}  // namespace strided
