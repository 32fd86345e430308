#include "picked.hpp"

#include <algorithm>
#include <string>

#include "assign.hpp"
#include "errors.hpp"
#include "kernels/index/masked.hpp"
#include "layout/views.hpp"
#include "materialise.hpp"

namespace strided {
namespace {

constexpr const char* kSameShape = "broadcast both first";

using kernels::index::Combine;

// Rank 0 stands for one element of rank 1.
Tensor with_an_axis(const Tensor& x) {
  return x.layout.rank() > 0 ? x : Tensor{x.storage, unsqueezed(x.layout, 0), x.dtype};
}

// What is read while `out` is written: itself, or a copy where they share memory.
Tensor unaliased(const Tensor& out, const Tensor& read) {
  if (!ranges_touch(out, read) || overlap_of(out, read) == Overlap::No) return read;
  return materialise(read, CopyReason::Overlapping);
}

void require_same_dtype(const Tensor& out, const Tensor& source, const char* operation) {
  if (out.dtype == source.dtype) return;
  const std::string wanted(name_of(out.dtype));
  throw errors::dtype_mismatch(operation, std::string(name_of(source.dtype)), "elements must be " + wanted,
                               "x.to(strided." + wanted + ")");
}

void require_combination(DType dtype, Combine how, const char* operation) {
  if (!is_complex(dtype) || (how != Combine::Least && how != Combine::Greatest)) return;
  throw errors::dtype_mismatch(operation, std::string(name_of(dtype)), "complex numbers have no order",
                               "use .abs(), .real or .imag");
}

// The index reaches no further than `x` on the axes that it does not replace.
void require_reach(const Tensor& x, int axis, const Tensor& index, const char* operation) {
  bool fits = x.layout.rank() == index.layout.rank();
  for (int i = 0; fits && i < x.layout.rank(); ++i) {
    fits = i == axis || index.layout.length(i) <= x.layout.length(i);
  }
  if (!fits && index.layout.size() > 0) {
    throw errors::shape_mismatch(operation, x.layout.shape(), index.layout.shape(),
                                 "the index has the same rank, and is no longer on all axes but the one");
  }
}

// The elements of `x` that the index covers, on all axes.
Tensor covered(const Tensor& x, const Tensor& index) {
  Tensor part = x;
  for (int i = 0; i < x.layout.rank(); ++i) {
    part.layout = sliced_exactly(part.layout, i, 0, index.layout.length(i), 1);
  }
  return part;
}

}  // namespace

void require_positions(const Tensor& index) {
  if (is_integral(index.dtype)) return;
  throw errors::dtype_mismatch("indexing", std::string(name_of(index.dtype)), "positions are integers",
                               "x.to(strided.int64)");
}

Tensor picked_rows(const Tensor& x, Index axis, const Tensor& index) {
  require_positions(index);
  const Tensor from = with_an_axis(x);
  const int at = normal_axis(axis, from.layout.rank());
  const int index_rank = index.layout.rank();
  const int rank = checked_rank(static_cast<std::size_t>(from.layout.rank() - 1 + index_rank));
  Dims shape, front, back;
  for (int i = 0; i < at; ++i) shape.push_back(from.layout.length(i));
  for (Index length : index.layout.shape()) shape.push_back(length);
  for (int i = at + 1; i < from.layout.rank(); ++i) shape.push_back(from.layout.length(i));
  Tensor out = empty_tensor(shape, x.dtype);
  // Both sides with the axes in question in front, as the kernel takes them.
  for (int i = 0; i < index_rank; ++i) front.push_back(at + i);
  for (int i = 0; i < rank; ++i) if (i < at || i >= at + index_rank) front.push_back(i);
  back.push_back(at);
  for (int i = 0; i < from.layout.rank(); ++i) if (i != at) back.push_back(i);
  const Tensor to{out.storage, permuted(out.layout, front), out.dtype};
  const Tensor source{from.storage, permuted(from.layout, back), from.dtype};
  try {
    gather_into(to, source, {&index, 1});
  } catch (Error& error) {
    // The kernel counts index arrays.
    if (error.kind() != ErrorKind::IndexOutOfBounds) throw;
    throw errors::index_out_of_bounds(std::get<std::int64_t>(error.fields()[0].second),
                                      std::get<std::int64_t>(error.fields()[1].second), at);
  }
  return out;
}

Tensor picked_flat(const Tensor& x, const Tensor& index) {
  require_positions(index);
  Tensor out = empty_tensor(index.layout.shape(), x.dtype);
  log_copy(CopyReason::Gather, x, out.layout, out.dtype);
  kernels::index::gather_flat(out.operand(), x.operand(), index.operand());
  return out;
}

Tensor picked_along(const Tensor& x, Index axis, const Tensor& index) {
  require_positions(index);
  const Tensor from = with_an_axis(x), by = with_an_axis(index);
  const int at = normal_axis(axis, from.layout.rank());
  require_reach(from, at, by, "gather");
  Tensor out = empty_tensor(index.layout.shape(), x.dtype);
  log_copy(CopyReason::Gather, x, out.layout, out.dtype);
  if (by.layout.size() > 0) {
    kernels::index::gather_along(with_an_axis(out).operand(), from.operand(), by.operand(), at);
  }
  return out;
}

Tensor picked_where(const Tensor& x, const Tensor& mask) {
  require_shape("indexing by a mask", x.layout.shape(), mask.layout.shape(), kSameShape);
  const kernels::index::Masked found(mask.operand());
  Tensor out = empty_tensor(Dims{found.count()}, x.dtype);
  log_copy(CopyReason::Gather, x, out.layout, out.dtype);
  found.take(out.operand(), x.operand());
  return out;
}

void put_along(const Tensor& out, Index axis, const Tensor& index, const Tensor& source, Combine how,
               const char* operation) {
  require_positions(index);
  require_same_dtype(out, source, operation);
  require_combination(out.dtype, how, operation);
  check_writable(out, operation);
  const Tensor to = with_an_axis(out), by = unaliased(out, with_an_axis(index));
  const int at = normal_axis(axis, to.layout.rank());
  if (by.layout.size() == 0) return;
  require_reach(to, at, by, operation);
  const Tensor from = unaliased(out, with_an_axis(source));
  require_reach(from, -1, by, operation);
  const Tensor part = covered(from, by);
  log_copy(CopyReason::Assign, part, part.layout, out.dtype);
  kernels::index::scatter_along(to.operand(), part.operand(), by.operand(), at, how);
  out.storage->bump_version("scatter_");  // not before: positions out of bounds are refused
}

void put_flat(const Tensor& out, const Tensor& index, const Tensor& source, Combine how,
              const char* operation) {
  require_positions(index);
  require_same_dtype(out, source, operation);
  check_writable(out, operation);
  require_shape(operation, index.layout.shape(), source.layout.shape(), kSameShape);
  const Tensor by = unaliased(out, index), from = unaliased(out, source);
  log_copy(CopyReason::Assign, from, from.layout, out.dtype);
  kernels::index::scatter_flat(out.operand(), from.operand(), by.operand(), how);
  out.storage->bump_version("put_");
}

void put_where(const Tensor& out, const Tensor& mask, const Tensor& source, bool longer,
               const char* operation) {
  require_same_dtype(out, source, operation);
  require_shape(operation, out.layout.shape(), mask.layout.shape(), kSameShape);
  if (source.layout.rank() != 1) {
    throw errors::shape_mismatch(operation, Dims{source.layout.size()}, source.layout.shape(),
                                 ".reshape(-1) first");
  }
  check_writable(out, operation);
  const Tensor by = unaliased(out, mask), from = unaliased(out, source);
  const kernels::index::Masked found(by.operand());
  const Index given = from.layout.length(0);
  if (longer ? given < found.count() : given != found.count()) {
    throw errors::shape_mismatch(operation, Dims{found.count()}, from.layout.shape(),
                                 "give one element for each that the mask selects");
  }
  log_copy(CopyReason::Assign, from, from.layout, out.dtype);
  found.put(out.operand(), from.operand());
  out.storage->bump_version("masked_scatter_");
}

}  // namespace strided
