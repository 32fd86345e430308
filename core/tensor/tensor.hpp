// Tensor: a Layout over a shared Storage, with an element type. A value: copying one makes a view.
#pragma once

#include <limits>

#include "dtype/dtype.hpp"
#include "plan/operand.hpp"
#include "layout/bounds.hpp"
#include "layout/layout.hpp"
#include "layout/overlap.hpp"
#include "memory/storage.hpp"

namespace strided {

struct Tensor {
  StorageRef storage;
  Layout layout;
  DType dtype = kDefaultFloat;

  Index item() const { return itemsize(dtype); }
  // Of the elements as they are counted; repeated ones (stride 0) may be more than fit.
  Index nbytes() const {
    Index count;
    return multiply(layout.size(), item(), count) ? count : std::numeric_limits<Index>::max();
  }
  Index storage_size() const { return static_cast<Index>(storage->nbytes()) / item(); }
  std::byte* data() const { return storage->data() + layout.byte_offset(item()); }
  Operand operand() const { return {storage->data(), &layout, dtype}; }
  // Bytes from one index of an axis to the next (see Operand).
  Index step(int axis) const { return operand().step(axis); }
};

// Fresh memory, row-major or with the axes in `order` (slowest first). Raises when the size overflows.
Tensor empty_tensor(Span shape, DType dtype, bool zeroed = false);
Tensor empty_tensor_in_order(Span shape, Span order, DType dtype);

// Do two tensors share a byte? By address, so that two storages over one foreign buffer are seen too.
Overlap overlap_of(const Tensor& a, const Tensor& b, Index work = kOverlapWork);
// Only whether the address ranges touch.
bool ranges_touch(const Tensor& a, const Tensor& b);
// The same elements at the same places in the same order.
bool same_places(const Tensor& a, const Tensor& b);

}  // namespace strided
