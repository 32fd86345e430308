// Smallest and largest elements: the dtypes that have an order, and how the loops are asked for them.
//
// The loops know only the largest, of signed integers and floats. Before they compare, they flip bits of
// the elements: all of an integer's, or the sign of a float, to look for the smallest; the highest of an
// unsigned integer, which then has the order of a signed one. NaN stays what it is.
#pragma once

#include <cstring>
#include <limits>
#include <string>

#include "dtype/dtype.hpp"
#include "errors.hpp"
#include "layout/dims.hpp"

namespace strided::kernels::reduce {

// Raises DTypeMismatch for complex numbers.
inline void require_order(DType dtype) {
  if (!is_complex(dtype)) return;
  throw errors::dtype_mismatch("min/max", std::string(name_of(dtype)),
                               "complex numbers have no order", "use .abs(), .real or .imag");
}

// How elements of a dtype that is not complex are compared.
struct Ordered {
  DType loop;  // what the loops take them for
  DType held;  // what comes out, once bits are flipped back: float32 of half types
  bool has_sign;

  explicit Ordered(DType dtype) : loop(dtype), held(dtype), has_sign(true) {
    if (is_floating(dtype)) {
      if (is_half(dtype)) held = DType::Float32;
      return;
    }
    constexpr DType kSigned[] = {DType::Int8, DType::Int16, DType::Int32, DType::Int64};
    const int size = itemsize(dtype);
    loop = kSigned[size == 1 ? 0 : size == 2 ? 1 : size == 4 ? 2 : 3];
    has_sign = kind_of(dtype) == Kind::Signed;
  }

  // Calls f(Type<T>{}) with what the loops give.
  template <class F>
  void visit(F&& f) const {
    switch (loop) {
      case DType::Int8: return f(Type<std::int8_t>{});
      case DType::Int16: return f(Type<std::int16_t>{});
      case DType::Int32: return f(Type<std::int32_t>{});
      case DType::Int64: return f(Type<std::int64_t>{});
      case DType::Float64: return f(Type<double>{});
      default: return f(Type<float>{});
    }
  }
};

// The larger of two numbers, or of each two in vectors. A NaN is larger than every number. Always inlined, as loops of
// all instruction sets use it.
template <class X>
[[gnu::always_inline]] inline X larger_of(X a, X b) {
  const X beyond = b > a ? b : a;  // a, if either is a NaN
  return b != b ? b : beyond;
}

template <class T>
struct Order {
  static constexpr int kBits = 8 * static_cast<int>(sizeof(T));
  static constexpr std::uint64_t kAll = ~std::uint64_t{0} >> (64 - kBits);
  static constexpr std::uint64_t kSign = std::uint64_t{1} << (kBits - 1);
  // What the loops flip.
  static std::uint64_t flip(bool largest, bool has_sign) {
    const std::uint64_t reversed = std::is_floating_point_v<T> ? kSign : kAll;
    return (largest ? 0 : reversed) ^ (has_sign ? 0 : kSign);
  }
  // What the loops leave out to look at sizes.
  static constexpr std::uint64_t kSize = std::is_floating_point_v<T> ? kAll ^ kSign : kAll;

  static constexpr T none() {  // nothing is smaller
    using Limits = std::numeric_limits<T>;
    return Limits::has_infinity ? -Limits::infinity() : Limits::lowest();
  }
  static bool same(T a, T b) { return a == b || (a != a && b != b); }

  // n values as they were before the loops flipped bits.
  static void flip_back(T* values, Index n, std::uint64_t flip) {
    if (flip == 0) return;
    for (Index i = 0; i < n; ++i) {
      std::uint64_t bits = 0;
      std::memcpy(&bits, values + i, sizeof(T));
      bits ^= flip;
      std::memcpy(values + i, &bits, sizeof(T));
    }
  }
};

}  // namespace strided::kernels::reduce
