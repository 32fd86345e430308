// What a kernel is given: where the storage starts, the layout over it, the element type.
#pragma once

#include <cstddef>

#include "dtype/dtype.hpp"
#include "layout/layout.hpp"

namespace strided {

struct Operand {
  std::byte* storage;
  const Layout* layout;
  DType dtype;

  std::byte* first() const { return storage + layout->offset() * itemsize(dtype); }
};

}  // namespace strided
