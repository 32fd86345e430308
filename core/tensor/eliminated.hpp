// Stacks of small square matrices as tensors: who may be eliminated, and where the results go.
#pragma once

#include <optional>
#include <utility>

#include "tensor.hpp"

namespace strided {

// Whether the last two axes are equally long and at most kSmallSide, of a dtype of floats that matrices are
// computed in.
bool is_small_square(const Tensor& a);

// What gives b when multiplied by a from the left; the inverses when there is no b. The axes before the
// last two have one shape in both, and their dtypes are equal. None when a matrix is singular. Raises
// UnsupportedOperation unless a is small and square, ShapeMismatch or DTypeMismatch unless b goes with it.
std::optional<Tensor> solved(const Tensor& a, const Tensor* b);

Tensor determinants(const Tensor& a);
// Their signs, and the logarithms of their absolute values.
std::pair<Tensor, Tensor> log_determinants(const Tensor& a);

}  // namespace strided
