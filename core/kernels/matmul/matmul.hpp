// Products of batches of matrices, and of tensors that are summed over several axes.
#pragma once

#include "product_space.hpp"

namespace strided::kernels::matmul {

// out[..., i, j] = the sum over p of a[..., i, p] * b[..., p, j], computed in `compute` and then stored as out's dtype.
// The axes before the last two broadcast; where a (b) has rank 1 the axis i (j) is missing. out overlaps neither a nor
// b. Panels take at most kPanelBytes, whatever the size. Raises OutOfMemory.
void matmul(const Operand& out, const Operand& a, const Operand& b, DType compute);

// The same with several axes for each of i, j and p: a has `batch` axes, those of i, then `summed`
// axes; b has `batch` axes, `summed` axes, then those of j. out is row-major.
void contract(const Operand& out, const Operand& a, const Operand& b, int batch, int summed,
              DType compute);

// The same for any axes, which are joined. c is not empty and steps evenly through its rows and through its columns.
// `operation` is what the record says.
void multiply_over(ProductSpace& space, const Operand& c, const Operand& a, const Operand& b, DType compute,
                   const char* operation);

// Whether a product of so many rows of bfloat16 with a weight of bfloat16 multiplies pairs of them: then x is best
// rounded to bfloat16. A few rows are multiplied in float32 at the speed of memory.
bool multiplies_bfloat16_pairs(Index rows);

}  // namespace strided::kernels::matmul
