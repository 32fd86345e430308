// Reductions and scans on tensors: axes, result dtype, keepdim.
#pragma once

#include <optional>

#include "kernels/reduce.hpp"
#include "kernels/scan.hpp"
#include "tensor.hpp"

namespace strided {

// No axes: over all of them.
struct Axes {
  bool all = true;
  Dims list;
};

// Sums and products of bool and small integers are accumulated and returned in the default integer (unsigned
// ones in uint64), as the array API says, unless a dtype is asked for.
DType sum_dtype(DType dtype);
Tensor reduced(Reduction op, const Tensor& x, const Axes& axes, bool keepdim,
               std::optional<DType> dtype);
Tensor arg_reduced(bool largest, const Tensor& x, std::optional<Index> axis, bool keepdim);
Tensor mean_of(const Tensor& x, const Axes& axes, bool keepdim, std::optional<DType> dtype);
Tensor variance_of(const Tensor& x, const Axes& axes, double correction, bool keepdim);
Tensor scanned(Scan op, const Tensor& x, Index axis, std::optional<DType> dtype);

Index nonzero_count(const Tensor& x);
// The index tuples of nonzero elements, in row-major order, as rows of an int64 tensor.
Tensor nonzero_positions(const Tensor& x);

}  // namespace strided
