// Smallest and largest elements: the dtypes that have an order, and what wins. A NaN beats every number.
#pragma once

#include <limits>

#include "errors.hpp"
#include "reduce_walks.hpp"

namespace strided {

// The dtype that elements are compared in; one of few, each of which holds all values of those that are
// compared in it. Raises DTypeMismatch for complex numbers.
inline DType ordered_dtype(DType dtype) {
  switch (dtype) {
    case DType::Bool: case DType::UInt8: return DType::UInt8;
    case DType::Int8: case DType::Int16: case DType::UInt16: case DType::Int32: return DType::Int32;
    case DType::UInt32: case DType::Int64: return DType::Int64;
    case DType::UInt64: return DType::UInt64;
    case DType::Float16: case DType::BFloat16: case DType::Float32: return DType::Float32;
    case DType::Float64: return DType::Float64;
    case DType::Complex64: case DType::Complex128: break;
  }
  throw errors::dtype_mismatch("min/max", std::string(name_of(dtype)),
                               "complex numbers have no order", "use .abs(), .real or .imag");
}

// Calls f(Type<T>{}) for a dtype that ordered_dtype has given.
template <class F>
void visit_ordered(DType dtype, F&& f) {
  switch (dtype) {
    case DType::UInt8: return f(Type<std::uint8_t>{});
    case DType::Int32: return f(Type<std::int32_t>{});
    case DType::Int64: return f(Type<std::int64_t>{});
    case DType::UInt64: return f(Type<std::uint64_t>{});
    case DType::Float32: return f(Type<float>{});
    default: return f(Type<double>{});
  }
}

template <class T, bool kLargest>
struct Extreme {
  using Element = T;
  using Part = T;
  using Value = T;
  using Total = PlainTotal<Extreme>;
  // Fewer lanes than 32 are unrolled by GCC, which then no longer sees that they do the same.
  static constexpr Index kLanes = sizeof(T) == 1 ? 64 : 32;
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
