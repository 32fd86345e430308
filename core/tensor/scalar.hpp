// A Python number on its way into a kernel: it has a kind but no width until it meets a tensor.
#pragma once

#include <complex>
#include <cstdint>

#include "dtype/dtype.hpp"
#include "dtype/promotion.hpp"

namespace strided {

// A plain record, not set until it is made by one of the `of` functions: operands have space for one,
// and clearing it would cost as much as adding four floats.
struct Scalar {
  ScalarKind kind;
  // Integers outside int64 but inside uint64 are kept as their bits, with `above_int64` set.
  bool above_int64;
  std::int64_t integer;
  double real;
  double imag;

  static Scalar of(bool value) { return {ScalarKind::Bool, false, value, 0, 0}; }
  static Scalar of(std::int64_t value) { return {ScalarKind::Int, false, value, 0, 0}; }
  static Scalar of(double value) { return {ScalarKind::Float, false, 0, value, 0}; }
  static Scalar of(std::complex<double> value) {
    return {ScalarKind::Complex, false, 0, value.real(), value.imag()};
  }
  static Scalar of_bits(std::uint64_t value) {
    return {ScalarKind::Int, true, static_cast<std::int64_t>(value), 0, 0};
  }

  // The dtype it takes when it stands alone: bool, int64, float32, complex64.
  DType own_dtype() const;
  // True when the number lies within the range of an integer dtype (other dtypes hold any).
  bool fits(DType dtype) const;
  // Writes it as an element of `dtype`; raises InvalidArgument when an integer does not fit.
  void store(DType dtype, void* place) const;
};

// The element at `place` as a scalar of its kind.
Scalar load_scalar(DType dtype, const void* place);

}  // namespace strided
