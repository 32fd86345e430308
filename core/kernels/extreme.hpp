// Smallest and largest elements: the dtypes that have an order, and what wins. A NaN beats every number.
#pragma once

#include <limits>

#include "errors.hpp"
#include "reduce_walks.hpp"

namespace strided {

// The dtype that elements are compared in. Raises DTypeMismatch for complex numbers.
inline DType ordered_dtype(DType dtype) {
  if (is_complex(dtype)) {
    throw errors::dtype_mismatch("min/max", std::string(name_of(dtype)),
                                 "complex numbers have no order", "use .abs(), .real or .imag");
  }
  if (dtype == DType::Bool) return DType::UInt8;
  return is_half(dtype) ? DType::Float32 : dtype;
}

// Calls f(Type<T>{}) for a dtype that ordered_dtype has given.
template <class F>
void visit_ordered(DType dtype, F&& f) {
  visit(dtype, [&]<class T>(Type<T> type) {
    if constexpr (std::is_arithmetic_v<T> && !std::is_same_v<T, bool>) f(type);
  });
}

template <class T, bool kLargest>
struct Extreme {
  using Element = T;
  using Part = T;
  using Value = T;
  using Total = PlainTotal<Extreme>;
  Part none() const {
    using Limits = std::numeric_limits<T>;
    if constexpr (Limits::has_infinity) return kLargest ? -Limits::infinity() : Limits::infinity();
    else return kLargest ? Limits::lowest() : Limits::max();
  }
  Part take(Part part, T x) const { return join(part, x); }
  Part join(Part a, Part b) const {
    const Part beyond = (kLargest ? b > a : b < a) ? b : a;  // a, if either is a NaN
    return b != b ? b : beyond;
  }
};

}  // namespace strided
