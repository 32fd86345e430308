#include "tensor.hpp"

#include "layout/bounds.hpp"
#include "errors.hpp"
#include "memory/heap.hpp"

namespace strided {
namespace {

Index checked_bytes(Index count, DType dtype) {
  Index nbytes = 0;
  if (!multiply(count, itemsize(dtype), nbytes)) {
    throw errors::out_of_memory(std::numeric_limits<Index>::max());
  }
  return nbytes;
}

// The layout in bytes, measured from `origin`, with the bytes of one item as the last axis.
Layout byte_layout(const Tensor& x, const std::byte* origin) {
  const int rank = x.layout.rank();
  Layout bytes = Layout::uninitialised(rank + 1, x.data() - origin);
  for (int axis = 0; axis < rank; ++axis) {
    bytes.set_axis(axis, x.layout.length(axis), scaled(x.layout.stride(axis), x.item(), 1));
  }
  bytes.set_axis(rank, x.item(), 1);
  return bytes;
}

}  // namespace

Tensor empty_tensor(Span shape, DType dtype, bool zeroed) {
  const Index nbytes = checked_bytes(checked_size(shape), dtype);
  return {allocate(static_cast<std::size_t>(nbytes), zeroed), Layout::row_major_unchecked(shape, 0), dtype};
}

Tensor empty_tensor_in_order(Span shape, Span order, DType dtype) {
  const Index nbytes = checked_bytes(checked_size(shape), dtype);
  return {allocate(static_cast<std::size_t>(nbytes)), Layout::ordered(shape, order), dtype};
}

bool ranges_touch(const Tensor& a, const Tensor& b) {
  const Bounds reach_a = bounds_of(a.layout);
  const Bounds reach_b = bounds_of(b.layout);
  if (reach_a.empty() || reach_b.empty()) return false;
  const std::byte* begin_a = a.storage->data() + reach_a.lowest * a.item();
  const std::byte* end_a = a.storage->data() + (reach_a.highest + 1) * a.item();
  const std::byte* begin_b = b.storage->data() + reach_b.lowest * b.item();
  const std::byte* end_b = b.storage->data() + (reach_b.highest + 1) * b.item();
  return begin_a < end_b && begin_b < end_a;
}

Overlap overlap_of(const Tensor& a, const Tensor& b, Index work) {
  if (a.storage == b.storage) return overlaps(a.layout, a.item(), b.layout, b.item(), work);
  if (!ranges_touch(a, b)) return Overlap::No;
  if (a.layout.rank() == kMaxRank || b.layout.rank() == kMaxRank) return Overlap::TooHard;
  const std::byte* origin = a.storage->data();
  return overlaps(byte_layout(a, origin), 1, byte_layout(b, origin), 1, work);
}

bool same_places(const Tensor& a, const Tensor& b) {
  if (a.data() != b.data() || a.item() != b.item() || a.layout.rank() != b.layout.rank()) return false;
  for (int axis = 0; axis < a.layout.rank(); ++axis) {
    if (a.layout.length(axis) != b.layout.length(axis)) return false;
    if (a.layout.length(axis) > 1 && a.layout.stride(axis) != b.layout.stride(axis)) return false;
  }
  return true;
}

}  // namespace strided
