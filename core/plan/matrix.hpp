// A matrix as product kernels see it: element (i, j) lies i * row + j * column elements behind the first.
#pragma once

#include <cstddef>

#include "dtype/dtype.hpp"
#include "layout/bounds.hpp"

namespace strided {

// The dtype of the parts of complex numbers; other dtypes stay.
constexpr DType real_dtype(DType dtype) {
  if (dtype == DType::Complex64) return DType::Float32;
  return dtype == DType::Complex128 ? DType::Float64 : dtype;
}

struct Matrix {
  std::byte* data;
  DType dtype;
  Index rows, columns;
  Index row, column;  // strides in elements, of either sign or zero

  Index item() const { return itemsize(dtype); }
  std::byte* at(Index i, Index j) const { return data + (i * row + j * column) * item(); }
  // In bytes; a stride that nothing steps along and that is too large for that stays as it is.
  Index row_step() const { return scaled(row, item(), 1); }
  Index column_step() const { return scaled(column, item(), 1); }
  Matrix transposed() const { return {data, dtype, columns, rows, column, row}; }
  Matrix block(Index i, Index j, Index height, Index width) const {
    return {at(i, j), dtype, height, width, row, column};
  }
  // The elements of a row (of a column) are contiguous.
  bool runs_along() const { return column == 1 || columns <= 1; }
  bool runs_down() const { return row == 1 || rows <= 1; }

  // A complex matrix is two real ones, of every second number.
  int planes() const { return is_complex(dtype) ? 2 : 1; }
  Matrix plane(int which) const {
    if (planes() == 1) return *this;
    const DType part = real_dtype(dtype);
    return {data + which * itemsize(part), part, rows, columns, scaled(row, 2, 1), scaled(column, 2, 1)};
  }
};

// Do elements of these dtypes have the same bits? (Signed and unsigned integers wrap alike.)
constexpr bool same_bits(DType a, DType b) {
  return a == b || (is_integral(a) && is_integral(b) && itemsize(a) == itemsize(b));
}

}  // namespace strided
