// Reductions and scans on tensors: axes, result dtype, where the result goes.
#pragma once

#include <optional>
#include <utility>

#include "kernels/reduce/reduce.hpp"
#include "kernels/scan/scan.hpp"
#include "tensor.hpp"

namespace strided {

using kernels::reduce::NanReduction;
using kernels::reduce::Reduction;
using kernels::reduce::VarianceKind;
using kernels::scan::Scan;

// No axes: over all of them.
struct Axes {
  bool all = true;
  Dims list;
};

// How the result is returned: reduced axes kept at length 1, in a dtype, in a tensor that exists. That must
// have the shape of the result and a dtype that can hold it; it may overlap the input.
struct ResultOptions {
  bool keepdim = false;
  std::optional<DType> dtype = std::nullopt;
  const Tensor* out = nullptr;
};

// Sums and products of bool and small integers are accumulated and returned in the default integer (unsigned
// ones in uint64), as the array API says, counts in int64, unless a dtype is asked for.
DType sum_dtype(DType dtype);
Tensor reduced(Reduction op, const Tensor& x, const Axes& axes, const ResultOptions& options);
// Passing over NaN; counts are int64. Not for complex numbers.
Tensor reduced_numbers(NanReduction op, const Tensor& x, const Axes& axes, const ResultOptions& options);
Tensor variance_of(VarianceKind kind, const Tensor& x, const Axes& axes, double correction,
                   const ResultOptions& options);
// The variance or its root, and the mean, in one pass. Not for complex numbers.
std::pair<Tensor, Tensor> variance_and_mean(VarianceKind kind, const Tensor& x, const Axes& axes, double correction,
                                          bool keepdim);
Tensor norm_of(const Tensor& x, double p, const Axes& axes, const ResultOptions& options);
Tensor log_sum_exp_of(const Tensor& x, const Axes& axes, const ResultOptions& options);

Tensor arg_reduced(bool largest, const Tensor& x, std::optional<Index> axis, const ResultOptions& options);
// The smallest or largest and where it stands; the smallest and the largest. One pass each.
std::pair<Tensor, Tensor> extreme_and_position(bool largest, const Tensor& x, Index axis, bool keepdim);
std::pair<Tensor, Tensor> least_and_most(const Tensor& x, const Axes& axes, bool keepdim);

// Along an axis, or of all elements in row-major order.
Tensor scanned(Scan op, const Tensor& x, std::optional<Index> axis, const ResultOptions& options);

Index nonzero_count(const Tensor& x);
// The index tuples of nonzero elements, in row-major order, as rows of an int64 tensor.
Tensor nonzero_positions(const Tensor& x);

}  // namespace strided
