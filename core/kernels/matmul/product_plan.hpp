// How a product is computed: which kernel, on which matrices, in how many chunks. Decided once, recorded, then run.
#pragma once

#include "panels.hpp"
#include "plan/record.hpp"
#include "product_space.hpp"
#include "run/product_limits.hpp"

namespace strided::kernels::matmul {

class ProductPlan {
 public:
  // The axes of the space are joined and none is empty; c steps evenly through its rows and through its columns. The
  // product is computed in `compute` and then stored as c's dtype. c overlaps neither a nor b. The space outlives this.
  ProductPlan(const ProductSpace& space, const Operand& c, const Operand& a, const Operand& b, DType compute);

  // Panels take at most kPanelBytes, whatever the size. `operation` is what the record says. Raises OutOfMemory.
  void run(const char* operation) const;

 private:
  enum class Kernel { Panels, Vectors, ComplexVectors, Sums };
  enum class Side { Left, Right };

  void choose_kernel();
  void run_sums(const char* operation) const;
  void choose_chunks();
  template <class Make>
  void run_as(const char* operation, Make&& make, int second, int third) const;
  template <class Product>
  void run_vectors(const char* operation) const;

  const ProductSpace& space_;
  const IterationSpace& axes_;
  std::byte* storage_[3];
  const DType compute_;
  const int batch_axes_;
  Matrix c_, a_, b_;
  const ScatteredOperand vectors_of_a_, vectors_of_b_;
  // Where an operand is no matrix; otherwise null.
  const ScatteredOperand *scattered_a_, *scattered_b_;
  const Index count_;  // of products
  double work_;        // multiplications of one
  Kernel kernel_;
  Side vectors_;  // which side is a vector, or a few of them; the other is read once, as it lies
  Index chunks_;                // of the batch
  ProductLimits limits_;            // of a chunk
};

}  // namespace strided::kernels::matmul
