#include "products.hpp"

#include <algorithm>
#include <limits>

#include "assign.hpp"
#include "dtype/promotion.hpp"
#include "errors.hpp"
#include "kernels/matmul/matmul.hpp"
#include "layout/contiguity.hpp"
#include "layout/views.hpp"
#include "materialise.hpp"

namespace strided {
namespace {

// The lengths of one product: batch axes first, then rows, columns and what is summed over.
struct ProductShape {
  Dims batch;
  Index rows, columns, steps;
  bool keeps_rows, keeps_columns;  // false where the operand has rank 1

  Dims result() const {
    Dims shape = batch;
    if (keeps_rows) shape.push_back(rows);
    if (keeps_columns) shape.push_back(columns);
    return shape;
  }
};

Span batch_axes(const Layout& layout) {
  return layout.shape().first(static_cast<std::size_t>(std::max(0, layout.rank() - 2)));
}

ProductShape shape_of(const Layout& a, const Layout& b) {
  if (a.rank() == 0 || b.rank() == 0) {
    throw errors::shape_mismatch("matmul", a.shape(), b.shape(), "rank 0 is no matrix: multiply with *");
  }
  ProductShape shape;
  shape.keeps_rows = a.rank() > 1;
  shape.keeps_columns = b.rank() > 1;
  shape.rows = shape.keeps_rows ? a.length(a.rank() - 2) : 1;
  shape.columns = shape.keeps_columns ? b.length(b.rank() - 1) : 1;
  shape.steps = a.length(a.rank() - 1);
  const int summed = std::max(0, b.rank() - 2);
  if (b.length(summed) != shape.steps) {
    const bool turned = b.rank() > 1 && b.length(b.rank() - 1) == shape.steps;
    throw errors::shape_mismatch(
        "matmul", a.shape(), b.shape(),
        turned ? "the second operand fits transposed: a @ b.mT"
               : "the last axis of the first must be as long as the rows of the second");
  }
  if (a.rank() > 2 || b.rank() > 2) shape.batch = broadcast_shape(batch_axes(a), batch_axes(b));
  return shape;
}

// A layout whose last `own` axes are the given ones and whose axes before them are those of `batch`, of
// which `layout` has the last few.
Layout in_batch(const Layout& layout, int own, const Dims& batch) {
  const int missing = batch.size() - std::max(0, layout.rank() - own);
  Layout made = Layout::uninitialised(batch.size() + 2, layout.offset());
  for (int axis = 0; axis < batch.size(); ++axis) {
    const bool repeated = axis < missing || layout.length(axis - missing) == 1;
    made.set_axis(axis, batch[axis], repeated ? 0 : layout.stride(axis - missing));
  }
  return made;
}

Layout as_matrices(const Layout& layout, const Dims& batch, Index rows, Index columns, bool has_rows,
                   bool has_columns) {
  const int own = static_cast<int>(has_rows) + static_cast<int>(has_columns);
  Layout made = in_batch(layout, own, batch);
  const int last = layout.rank() - 1;
  made.set_axis(batch.size(), rows, has_rows ? layout.stride(has_columns ? last - 1 : last) : 0);
  made.set_axis(batch.size() + 1, columns, has_columns ? layout.stride(last) : 0);
  return made;
}

void run(const Tensor& out, const Tensor& a, const Tensor& b, const ProductShape& shape, DType compute) {
  const bool both = shape.keeps_rows && shape.keeps_columns;
  if (both && shape.batch.empty()) return matmul(out.operand(), a.operand(), b.operand(), compute);
  const Layout c_layout = as_matrices(out.layout, shape.batch, shape.rows, shape.columns, shape.keeps_rows,
                                      shape.keeps_columns);
  const Layout a_layout =
      as_matrices(a.layout, shape.batch, shape.rows, shape.steps, shape.keeps_rows, true);
  const Layout b_layout =
      as_matrices(b.layout, shape.batch, shape.steps, shape.columns, true, shape.keeps_columns);
  matmul({out.storage->data(), &c_layout, out.dtype}, {a.storage->data(), &a_layout, a.dtype},
         {b.storage->data(), &b_layout, b.dtype}, compute);
}

// An operand that the result would overwrite is read from a copy.
Tensor apart_from(const Tensor& out, const Tensor& x) {
  if (!ranges_touch(out, x) || overlap_of(out, x) == Overlap::No) return x;
  return materialise(x, CopyReason::Overlapping, x.dtype, memory_order(x.layout));
}

}  // namespace

Tensor matrix_product(const Tensor& a, const Tensor& b) {
  const ProductShape shape = shape_of(a.layout, b.layout);
  const DType compute = promote("matmul", a.dtype, b.dtype);
  Tensor out = empty_tensor(shape.result(), compute);
  run(out, a, b, shape, compute);
  return out;
}

void matrix_product_into(const Tensor& out, const Tensor& a, const Tensor& b) {
  const ProductShape shape = shape_of(a.layout, b.layout);
  const DType compute = promote("matmul", a.dtype, b.dtype);
  check_can_store(compute, out.dtype, "matmul");
  const Dims result = shape.result();
  const Span target = out.layout.shape();
  if (!std::equal(result.begin(), result.end(), target.begin(), target.end())) {
    throw errors::shape_mismatch("matmul", result, target, "out must have the shape of the product");
  }
  check_writable(out, "matmul");
  const Tensor left = apart_from(out, a), right = apart_from(out, b);
  out.storage->bump_version("matmul");
  run(out, left, right, shape, compute);
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
  contract(out.operand(), a.operand(), b.operand(), batch, summed, compute);
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
