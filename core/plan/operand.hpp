// What a kernel is given: where the storage starts, the layout over it, the element type.
#pragma once

#include <cstddef>
#include <span>

#include "dtype/dtype.hpp"
#include "layout/bounds.hpp"
#include "layout/layout.hpp"

namespace strided {

struct Operand {
  std::byte* storage;
  const Layout* layout;
  DType dtype;

  std::byte* first() const { return storage + layout->byte_offset(itemsize(dtype)); }
  // Bytes from one index of an axis to the next. Only a stride that nothing steps along can be too large for that
  // (an axis of length 1, an empty layout): it stays as it is.
  Index step(int axis) const { return scaled(layout->stride(axis), itemsize(dtype), 1); }
};

// Operands that are taken together. By their places: a copy of one that was made just before stalls the processor.
using OperandList = std::span<const Operand* const>;

}  // namespace strided
