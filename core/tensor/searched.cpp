#include "searched.hpp"

#include <algorithm>
#include <string>

#include "dtype/promotion.hpp"
#include "errors.hpp"
#include "kernels/index/bin_counts.hpp"
#include "kernels/index/search.hpp"
#include "kernels/sort/sort.hpp"
#include "layout/contiguity.hpp"
#include "materialise.hpp"
#include "picked.hpp"

namespace strided {
namespace {

Tensor in_dtype(const Tensor& x, DType dtype) {
  if (x.dtype == dtype) return x;
  return materialise(x, CopyReason::Promote, dtype, memory_order(x.layout));
}

}  // namespace

Tensor places_in_sorted(const Tensor& lists, const Tensor& values, bool right) {
  kernels::sort::require_order(lists.dtype, "searchsorted");
  kernels::sort::require_order(values.dtype, "searchsorted");
  const Span rows = lists.layout.shape(), own = values.layout.shape();
  const bool alike = rows.size() == own.size() && !rows.empty() &&
                     std::equal(rows.begin(), rows.end() - 1, own.begin());
  if (rows.size() != 1 && !alike) {
    throw errors::shape_mismatch("searchsorted", rows, own,
                                 "give one sorted list, or one for each row of values");
  }
  const DType common = promote("searchsorted", lists.dtype, values.dtype);
  // Halves are compared as float32, which holds them all.
  const DType compared = is_half(common) ? DType::Float32 : common;
  const Tensor sorted = in_dtype(lists, compared), wanted = in_dtype(values, compared);
  Tensor out = empty_tensor(own, DType::Int64);
  kernels::index::search_sorted(out.operand(), sorted.operand(), wanted.operand(), right);
  return out;
}

Tensor bin_counts(const Tensor& x, const std::optional<Tensor>& weights, Index least) {
  require_positions(x);
  if (x.layout.rank() != 1) {
    throw errors::invalid_argument("x", "a tensor of rank " + std::to_string(x.layout.rank()),
                                   "must have rank 1; .reshape(-1) makes it so");
  }
  if (least < 0) throw errors::invalid_argument("minlength", std::to_string(least), "must not be negative");
  if (weights) {
    require_shape("bincount", x.layout.shape(), weights->layout.shape(), "give one weight for each number");
    kernels::sort::require_order(weights->dtype, "bincount");
  }
  Index bins = least;
  if (x.layout.length(0) > 0) {
    const std::uint64_t most = kernels::index::largest_bin(x.operand());
    if (most >= std::uint64_t{1} << 60) {
      throw errors::invalid_argument("x", "a tensor with negative or very large numbers",
                                     "must have numbers that can be counted one by one");
    }
    bins = std::max(bins, static_cast<Index>(most) + 1);
  }
  Tensor out = empty_tensor(Dims{bins}, weights ? DType::Float64 : DType::Int64, true);
  if (weights) {
    const Operand operand = weights->operand();
    kernels::index::count_bins(out.operand(), x.operand(), &operand);
  } else {
    kernels::index::count_bins(out.operand(), x.operand(), nullptr);
  }
  return out;
}

}  // namespace strided
