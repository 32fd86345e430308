#include "matmul.hpp"

#include "kernels/copy/copy.hpp"
#include "matvec.hpp"
#include "product_plan.hpp"

namespace strided::kernels::matmul {
namespace {

// A sum over nothing.
void clear(const ProductSpace& space, const Operand& c) {
  const IterationSpace& axes = space.axes();
  const int rank = space.columns().end;
  const Index item = itemsize(c.dtype);
  Layout layout = Layout::uninitialised(rank, axes.start[kProductC] / item);
  for (int i = 0; i < rank; ++i) layout.set_axis(i, axes.shape[i], axes.strides[kProductC][i] / item);
  const std::byte zero[16] = {};
  kernels::copy::fill({c.storage, &layout, c.dtype}, zero);
}

}  // namespace

void multiply_over(ProductSpace& space, const Operand& c, const Operand& a, const Operand& b, DType compute,
                   const char* operation) {
  if (size_of(space.axes(), space.inner()) == 0) return clear(space, c);
  space.join();
  ProductPlan(space, c, a, b, compute).run(operation);
}

void matmul(const Operand& out, const Operand& a, const Operand& b, DType compute) {
  if (out.layout->size() == 0) return;
  ProductSpace space = matmul_space(out, a, b);
  multiply_over(space, out, a, b, compute, "matmul");
}

void contract(const Operand& out, const Operand& a, const Operand& b, int batch, int summed, DType compute) {
  if (out.layout->size() == 0) return;
  ProductSpace space = contraction_space(out, a, b, batch, summed);
  multiply_over(space, out, a, b, compute, "contract");
}

bool multiplies_bfloat16_pairs(Index rows) {
  return rows > Matvec::kMostVectors && loops().products.has_pairs();
}

}  // namespace strided::kernels::matmul
