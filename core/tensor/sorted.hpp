// Sorting and selecting on tensors: axis, results, memory to work in. Rank 0 counts as one element.
#pragma once

#include <optional>

#include "kernels/sort/select.hpp"
#include "tensor.hpp"

namespace strided {

// Values and the places (int64) that they have along the axis; one may be left out.
struct Ranked {
  std::optional<Tensor> values;
  std::optional<Tensor> places;
};

Ranked sorted(const Tensor& x, Index axis, bool values, bool places, bool descending);

// The first `count` in rising or falling order; raises InvalidArgument unless there are as many.
Ranked first_of(const Tensor& x, Index axis, Index count, bool largest, bool sorted);

// The one of rank 0 <= rank < length; raises InvalidArgument for another.
Ranked ranked(const Tensor& x, Index axis, Index rank, bool keepdim, kernels::sort::Nan nan);

// The largest or smallest so far along the axis (see kernels/scan/running_extreme.hpp).
Ranked running_extremes(const Tensor& x, Index axis, bool largest);

// Distinct elements of a tensor of rank 1, or distinct rows of one of rank 2: in order, or, `as_they_lie`,
// of every run of equal neighbours the first.
struct Distinct {
  Tensor values;
  std::optional<Tensor> first;    // the first place of each
  std::optional<Tensor> inverse;  // for each element or row, which of the distinct ones it is
  std::optional<Tensor> counts;
};
struct DistinctRequest {
  bool first;
  bool inverse;
  bool counts;
  bool as_they_lie;
};
Distinct distinct(const Tensor& x, DistinctRequest request);

}  // namespace strided
