// Matrix products of tensors: shapes, dtypes, where the result goes.
#pragma once

#include "tensor.hpp"

namespace strided {

// a @ b by NumPy's rules: the last two axes are matrices, those before them broadcast; a tensor of rank
// 1 is a row on the left and a column on the right, and its axis is missing from the result. Raises
// ShapeMismatch.
Tensor matrix_product(const Tensor& a, const Tensor& b);

// The same, written into `out`, which must have the shape of the result and a dtype that can hold it.
// Behaves as if both operands had been read first.
void matrix_product_into(const Tensor& out, const Tensor& a, const Tensor& b);

// The sum of products over several axes: a has `batch` axes, any more, then `summed` axes; b has
// `batch` axes of the same lengths, `summed` axes of the same lengths, then any more. The result is
// row-major: batch, a's, b's. Raises ShapeMismatch.
Tensor contracted(const Tensor& a, const Tensor& b, int batch, int summed);

// How many multiplications that are, roughly; for deciding what is worth its while. Takes any shapes.
Index product_work(const Tensor& a, const Tensor& b);

}  // namespace strided
