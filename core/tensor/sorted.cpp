#include "sorted.hpp"

#include <string>

#include "compute.hpp"
#include "errors.hpp"
#include "kernels/scan/running_extreme.hpp"
#include "kernels/sort/unique_runs.hpp"
#include "kernels/sort/sort.hpp"
#include "layout/contiguity.hpp"
#include "layout/views.hpp"
#include "materialise.hpp"
#include "picked.hpp"

namespace strided {
namespace {

// A tensor of rank 0 is sorted as one of a single element.
Tensor with_an_axis(const Tensor& x) {
  if (x.layout.rank() > 0) return x;
  return {x.storage, unsqueezed(x.layout, 0), x.dtype};
}

Ranked without_axis(Ranked result, int axis) {
  if (result.values) result.values->layout = selected(result.values->layout, axis, 0);
  if (result.places) result.places->layout = selected(result.places->layout, axis, 0);
  return result;
}

Tensor empty_like(const Tensor& x, int axis, Index length, DType dtype) {
  Dims shape = x.layout.shape();
  shape[axis] = length;
  return empty_tensor_in_order(shape, memory_order(x.layout), dtype);
}

const Operand* pointer_to(const std::optional<Tensor>& tensor, Operand& operand) {
  if (!tensor) return nullptr;
  operand = tensor->operand();
  return &operand;
}

Ranked sort_along(const Tensor& x, int axis, kernels::sort::Sorting::Request request) {
  const Index length = std::min(request.keep, x.layout.length(axis));
  Ranked result;
  if (request.values) result.values = empty_like(x, axis, length, x.dtype);
  if (request.places) result.places = empty_like(x, axis, length, DType::Int64);
  // An empty tensor may have an axis of any length: nothing is worked out from it.
  if (x.layout.size() == 0 || length == 0 || !(request.values || request.places)) return result;
  const kernels::sort::Sorting sorting(x.operand(), axis, request);
  const Tensor memory = empty_tensor(Dims{static_cast<Index>(sorting.memory())}, DType::UInt8);
  Operand operands[2];
  sorting.run(pointer_to(result.values, operands[0]), pointer_to(result.places, operands[1]),
              memory.data());
  return result;
}

std::int64_t* numbers(const Tensor& tensor) { return reinterpret_cast<std::int64_t*>(tensor.data()); }

}  // namespace

Ranked sorted(const Tensor& x, Index axis, bool values, bool places, bool descending) {
  kernels::sort::require_order(x.dtype, "sort");
  const Tensor from = with_an_axis(x);
  Ranked result = sort_along(from, normal_axis(axis, from.layout.rank()), {values, places, descending});
  return x.layout.rank() == 0 ? without_axis(std::move(result), 0) : result;
}

Ranked first_of(const Tensor& x, Index axis, Index count, bool largest, bool in_order) {
  kernels::sort::require_order(x.dtype, "topk");
  const Tensor from = with_an_axis(x);
  const int at = normal_axis(axis, from.layout.rank());
  const Index length = from.layout.length(at);
  if (count < 0 || count > length) {
    throw errors::invalid_argument("k", std::to_string(count),
                                   "must be between 0 and the length of the axis, " + std::to_string(length));
  }
  Ranked result;
  if (kernels::sort::few_enough(count, length)) {
    result.values = empty_like(from, at, count, x.dtype);
    result.places = empty_like(from, at, count, DType::Int64);
    kernels::sort::select_few(result.values->operand(), result.places->operand(), from.operand(), at, largest,
                              in_order);
  } else {
    result = sort_along(from, at, {true, true, largest, count});
  }
  // One element of none, or one of one: without an axis it stays without.
  return x.layout.rank() == 0 && count == 1 ? without_axis(std::move(result), 0) : result;
}

Ranked ranked(const Tensor& x, Index axis, Index rank, bool keepdim, kernels::sort::Nan nan) {
  kernels::sort::require_order(x.dtype, "kthvalue");
  const Tensor from = with_an_axis(x);
  const int at = normal_axis(axis, from.layout.rank());
  const Index length = from.layout.length(at);
  if (rank < 0 || rank >= length) {
    throw errors::invalid_argument("k", std::to_string(rank + 1),
                                   "must be between 1 and the length of the axis, " + std::to_string(length));
  }
  Ranked result{empty_like(from, at, 1, x.dtype), empty_like(from, at, 1, DType::Int64)};
  kernels::sort::select_rank(result.values->operand(), result.places->operand(), from.operand(), at, rank, nan);
  return x.layout.rank() == 0 || !keepdim ? without_axis(std::move(result), at) : result;
}

Ranked running_extremes(const Tensor& x, Index axis, bool largest) {
  kernels::sort::require_order(x.dtype, largest ? "cummax" : "cummin");
  const Tensor from = with_an_axis(x);
  const int at = normal_axis(axis, from.layout.rank());
  const Index length = from.layout.length(at);
  Ranked result{empty_like(from, at, length, x.dtype), empty_like(from, at, length, DType::Int64)};
  kernels::scan::running_extreme(result.values->operand(), result.places->operand(), from.operand(), at, largest);
  return x.layout.rank() == 0 ? without_axis(std::move(result), 0) : result;
}

Distinct distinct(const Tensor& x, DistinctRequest request) {
  kernels::sort::require_order(x.dtype, "unique");
  if (x.layout.rank() != 1 && x.layout.rank() != 2) {
    throw errors::invalid_argument("x", "a tensor of rank " + std::to_string(x.layout.rank()),
                                   "must be a list of elements or of rows");
  }
  const bool rows = x.layout.rank() == 2;
  const Index n = x.layout.length(0);
  Tensor listed = x;
  std::optional<Tensor> order;
  if (!request.as_they_lie && !rows) {
    Ranked in_order = sorted(x, 0, true, request.first || request.inverse, false);
    listed = *std::move(in_order.values);
    order = std::move(in_order.places);
  } else if (!is_row_major(x.layout)) {
    listed = materialise(x, CopyReason::Packing);
  }
  kernels::sort::RowList list{x.dtype, listed.data(), n, rows ? x.layout.length(1) : 1, nullptr};
  if (rows && !request.as_they_lie) {
    order = empty_tensor(Dims{n}, DType::Int64);
    kernels::sort::order_rows(list, numbers(*order));
    list.order = numbers(*order);
  }
  const Index runs = kernels::sort::count_runs(list);
  const Tensor starts = empty_tensor(Dims{runs + 1}, DType::Int64);
  kernels::sort::write_run_starts(list, runs, numbers(starts));
  const Tensor begins{starts.storage, sliced_exactly(starts.layout, 0, 0, runs, 1), DType::Int64};

  Distinct result;
  const bool by_order = order && (request.first || rows);
  const Tensor first = by_order ? picked_rows(*order, 0, begins) : begins;
  result.values = picked_rows(listed, 0, rows ? first : begins);
  if (request.first) result.first = first;
  if (request.inverse) {
    result.inverse = empty_tensor(Dims{n}, DType::Int64);
    kernels::sort::write_run_numbers(numbers(starts), runs, order ? numbers(*order) : nullptr,
                                     numbers(*result.inverse));
  }
  if (request.counts) {
    const Tensor ends{starts.storage, sliced_exactly(starts.layout, 0, 1, runs, 1), DType::Int64};
    const Argument arguments[] = {{&ends, {}}, {&begins, {}}};
    result.counts = compute(Op::Subtract, arguments);
  }
  return result;
}

}  // namespace strided
