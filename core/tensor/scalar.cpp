#include "scalar.hpp"

#include <cmath>
#include <cstring>
#include <limits>
#include <string>

#include "errors.hpp"
#include "dtype/element.hpp"

namespace strided {
namespace {

template <class T> inline constexpr bool is_complex_type = false;
template <class T> inline constexpr bool is_complex_type<std::complex<T>> = true;
template <class T>
inline constexpr bool is_half_type = std::is_same_v<T, float16> || std::is_same_v<T, bfloat16>;

template <class T>
T convert(const Scalar& scalar) {
  const bool whole = scalar.kind == ScalarKind::Bool || scalar.kind == ScalarKind::Int;
  if constexpr (std::is_same_v<T, bool>) {
    return whole ? scalar.integer != 0 : (scalar.real != 0 || scalar.imag != 0);
  } else if constexpr (std::is_integral_v<T>) {
    return whole ? static_cast<T>(scalar.integer) : static_cast<T>(scalar.real);
  } else {
    std::complex<double> value(scalar.real, scalar.imag);
    if (whole) {
      value = scalar.above_int64 ? static_cast<double>(static_cast<std::uint64_t>(scalar.integer))
                                 : static_cast<double>(scalar.integer);
    }
    if constexpr (is_complex_type<T>) {
      return T(static_cast<typename T::value_type>(value.real()),
               static_cast<typename T::value_type>(value.imag()));
    } else if constexpr (is_half_type<T>) {
      if (!whole) return T(rounded_to_odd(value.real()));
      return T(scalar.above_int64 ? rounded_to_odd(static_cast<std::uint64_t>(scalar.integer))
                                  : rounded_to_odd(scalar.integer));
    } else {
      return static_cast<T>(value.real());
    }
  }
}

}  // namespace

DType Scalar::own_dtype() const {
  switch (kind) {
    case ScalarKind::Bool: return DType::Bool;
    case ScalarKind::Int: return above_int64 ? DType::UInt64 : kDefaultInt;
    case ScalarKind::Float: return kDefaultFloat;
    case ScalarKind::Complex: break;
  }
  return DType::Complex64;
}

bool Scalar::fits(DType dtype) const {
  if (!is_integral(dtype) || kind == ScalarKind::Bool) return true;
  if (kind != ScalarKind::Int) {
    // Truncation is fine, leaving the range is not (and would be undefined).
    const double whole = std::trunc(real);
    const int bits = 8 * itemsize(dtype) - (kind_of(dtype) == Kind::Signed ? 1 : 0);
    const double limit = std::ldexp(1.0, bits);
    return whole < limit && whole >= (kind_of(dtype) == Kind::Signed ? -limit : 0.0);
  }
  return visit(dtype, [&]<class T>(Type<T>) {
    if constexpr (std::is_integral_v<T>) {
      if (above_int64) return std::is_same_v<T, std::uint64_t>;
      if constexpr (std::is_unsigned_v<T>) {
        return integer >= 0 &&
               static_cast<std::uint64_t>(integer) <= std::numeric_limits<T>::max();
      } else {
        return integer >= std::numeric_limits<T>::min() && integer <= std::numeric_limits<T>::max();
      }
    } else {
      return true;
    }
  });
}

void Scalar::store(DType dtype, void* place) const {
  if (kind == ScalarKind::Complex && !is_complex(dtype)) {
    throw errors::dtype_mismatch("store", "complex into " + std::string(name_of(dtype)),
                                 "the imaginary part would be lost", "pass value.real");
  }
  if (!fits(dtype)) {
    const std::string shown = kind != ScalarKind::Int ? std::to_string(real)
                              : above_int64 ? std::to_string(static_cast<std::uint64_t>(integer))
                                            : std::to_string(integer);
    throw errors::invalid_argument("value", shown,
                                   "must fit in " + std::string(name_of(dtype)) +
                                       "; convert the tensor to a wider dtype with .to()");
  }
  visit(dtype, [&]<class T>(Type<T>) {
    const T value = convert<T>(*this);
    std::memcpy(place, &value, sizeof(T));
  });
}

Scalar load_scalar(DType dtype, const void* place) {
  return visit(dtype, [&]<class T>(Type<T>) -> Scalar {
    const T value = load<T>(static_cast<const std::byte*>(place));
    if constexpr (std::is_same_v<T, bool>) {
      return Scalar::of(value);
    } else if constexpr (std::is_same_v<T, std::uint64_t>) {
      const auto bits = static_cast<std::int64_t>(value);
      return bits < 0 ? Scalar::of_bits(value) : Scalar::of(bits);
    } else if constexpr (std::is_integral_v<T>) {
      return Scalar::of(static_cast<std::int64_t>(value));
    } else if constexpr (is_complex_type<T>) {
      return Scalar::of(std::complex<double>(value));
    } else if constexpr (is_half_type<T>) {
      return Scalar::of(static_cast<double>(static_cast<float>(value)));
    } else {
      return Scalar::of(static_cast<double>(value));
    }
  });
}

}  // namespace strided
