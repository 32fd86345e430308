// Searching sorted tensors, and counting small numbers.
#pragma once

#include <optional>

#include "tensor.hpp"

namespace strided {

// How many elements of a sorted list come before each value (see kernels/index/search.hpp); both are compared in
// the dtype they promote to. Lists lie along the last axis: one for all values, or one for each row of them.
Tensor places_in_sorted(const Tensor& lists, const Tensor& values, bool right);

// How often 0, 1, .. occur in a tensor of rank 1, with at least `least` numbers; or the sums of weights, in
// float64. Raises InvalidArgument for negative numbers.
Tensor bin_counts(const Tensor& x, const std::optional<Tensor>& weights, Index least);

}  // namespace strided
