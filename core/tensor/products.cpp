#include "products.hpp"

#include <algorithm>
#include <limits>

#include "assign.hpp"
#include "dtype/promotion.hpp"
#include "errors.hpp"
#include "kernels/matmul/matmul.hpp"
#include "layout/views.hpp"
#include "targets.hpp"

namespace strided {
namespace {

Span batch_axes(const Layout& layout) {
  return layout.shape().first(static_cast<std::size_t>(std::max(0, layout.rank() - 2)));
}

// The shape of a @ b.
Dims product_shape(const Layout& a, const Layout& b) {
  if (a.rank() == 0 || b.rank() == 0) {
    throw errors::shape_mismatch("matmul", a.shape(), b.shape(), "rank 0 is no matrix: multiply with *");
  }
  const Index inner = a.length(a.rank() - 1);
  if (b.length(std::max(0, b.rank() - 2)) != inner) {
    const bool fits_transposed = b.rank() > 1 && b.length(b.rank() - 1) == inner;
    throw errors::shape_mismatch("matmul", a.shape(), b.shape(),
                                 fits_transposed
                                     ? "the second operand fits transposed: a @ b.mT"
                                     : "the last axis of the first must be as long as the rows of the second");
  }
  Dims shape;
  if (a.rank() > 2 || b.rank() > 2) shape = broadcast_shape(batch_axes(a), batch_axes(b));
  if (a.rank() > 1) shape.push_back(a.length(a.rank() - 2));
  if (b.rank() > 1) shape.push_back(b.length(b.rank() - 1));
  return shape;
}

}  // namespace

Tensor matrix_product(const Tensor& a, const Tensor& b) {
  const Dims shape = product_shape(a.layout, b.layout);
  const DType compute = promote("matmul", a.dtype, b.dtype);
  Tensor out = empty_tensor(shape, compute);
  kernels::matmul::matmul(out.operand(), a.operand(), b.operand(), compute);
  return out;
}

void matrix_product_into(const Tensor& out, const Tensor& a, const Tensor& b) {
  const Dims result = product_shape(a.layout, b.layout);
  const DType compute = promote("matmul", a.dtype, b.dtype);
  check_can_store(compute, out.dtype, "matmul");
  require_shape("matmul", result, out.layout.shape(), "out must have the shape of the product");
  check_writable(out, "matmul");
  const LayerInput left(&out, &a), right(&out, &b);
  out.storage->bump_version("matmul");
  kernels::matmul::matmul(out.operand(), left->operand(), right->operand(), compute);
}

Tensor contracted(const Tensor& a, const Tensor& b, int batch, int summed) {
  const Layout &left = a.layout, &right = b.layout;
  const int inner = left.rank() - summed;
  bool fits = batch >= 0 && summed >= 0 && inner >= batch && right.rank() >= batch + summed;
  for (int i = 0; fits && i < batch; ++i) fits = left.length(i) == right.length(i);
  for (int i = 0; fits && i < summed; ++i) fits = left.length(inner + i) == right.length(batch + i);
  if (!fits) {
    throw errors::shape_mismatch("contraction", left.shape(), right.shape(),
                                 "axes that are summed over must be equally long");
  }
  checked_rank(static_cast<std::size_t>(left.rank() + right.rank() - batch - 2 * summed));
  Dims shape;
  for (int i = 0; i < inner; ++i) shape.push_back(left.length(i));
  for (int i = batch + summed; i < right.rank(); ++i) shape.push_back(right.length(i));
  const DType compute = promote("contraction", a.dtype, b.dtype);
  Tensor out = empty_tensor(shape, compute);
  kernels::matmul::contract(out.operand(), a.operand(), b.operand(), batch, summed, compute);
  return out;
}

Index product_work(const Tensor& a, const Tensor& b) {
  const Layout& right = b.layout;
  const Index columns = right.rank() > 1 ? right.length(right.rank() - 1) : 1;
  Index work;
  if (!multiply(std::max<Index>(a.layout.size(), 1), std::max<Index>(columns, 1), work)) {
    work = std::numeric_limits<Index>::max();
  }
  return std::max(work, right.size());
}

}  // namespace strided
