// What the ops that call libm or divide integers compute on bool, integers, float32 and float64.
//
// libm follows C's Annex F, which is the array API's table of special cases nearly everywhere; where
// the two part (floor_divide, remainder) the lines below follow the array API.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <type_traits>

#include "op_list.hpp"

namespace strided {

template <class T> bool is_negative(T x) {
  if constexpr (std::is_signed_v<T>) return x < 0; else return false;
}

// GCC 12 crashes on a vectorised std::signbit(float).
template <class T> bool sign_bit(T x) {
  if constexpr (std::is_integral_v<T>) return is_negative(x);
  else if constexpr (sizeof(T) == 4) return std::bit_cast<std::int32_t>(x) < 0;
  else return std::bit_cast<std::int64_t>(x) < 0;
}

// Integer quotients: x / 0 and x % 0 are 0, the smallest number divided by -1 wraps to itself.
template <class T> T truncated_quotient(T a, T b) {
  if (b == 0) return 0;
  if (std::is_signed_v<T> && b == static_cast<T>(-1)) {
    return static_cast<T>(std::uint64_t{0} - static_cast<std::uint64_t>(a));
  }
  return static_cast<T>(a / b);
}
template <class T> T truncated_remainder(T a, T b) {
  if (b == 0 || (std::is_signed_v<T> && b == static_cast<T>(-1))) return 0;
  return static_cast<T>(a % b);
}

// The quotient rounded down, so that x == y * floor_divide(x, y) + remainder(x, y).
template <class T> T floor_quotient(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    const bool inexact = truncated_remainder(a, b) != 0;
    return static_cast<T>(truncated_quotient(a, b) - (inexact && is_negative(a) != is_negative(b)));
  } else {
    if (b == 0 || !std::isfinite(a) || !std::isfinite(b)) return std::floor(a / b);
    // a / b may round up to a whole number; a - rest is a multiple of b up to rounding.
    const T rest = std::fmod(a, b);
    const T exact = (a - rest) / b - (rest != 0 && (rest < 0) != (b < 0) ? T{1} : T{0});
    return exact == 0 ? std::copysign(T{0}, a / b) : std::nearbyint(exact);
  }
}

// Python's %: the result has the sign of the divisor, zero included.
template <class T> T floor_remainder(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    const T rest = truncated_remainder(a, b);
    return static_cast<T>(rest != 0 && is_negative(rest) != is_negative(b) ? rest + b : rest);
  } else {
    const T rest = std::fmod(a, b);
    if (rest == 0) return std::copysign(T{0}, b);
    return (rest < 0) != (b < 0) ? rest + b : rest;
  }
}

// By repeated squaring, wrapping. A negative exponent leaves 1 and -1; all else is a fraction, so 0.
template <class T> T integer_power(T base, T exponent) {
  if (is_negative(exponent)) {
    if (base == 1) return 1;
    if (base == static_cast<T>(-1)) return exponent % 2 == 0 ? T{1} : base;
    return 0;
  }
  std::uint64_t result = 1, square = static_cast<std::uint64_t>(base);
  for (auto left = static_cast<std::uint64_t>(exponent); left != 0; left >>= 1, square *= square) {
    if (left & 1) result *= square;
  }
  return static_cast<T>(result);
}

// log(exp(a) + exp(b)) without overflow; equal infinities do not become NaN.
template <class T> T log_of_sum(T a, T b) {
  if (a == b) return a + std::numbers::ln2_v<T>;
  return (a > b ? a : b) + std::log1p(std::exp(-std::abs(a - b)));
}

template <Op op>
struct RealMath {
  template <class T> using Carrier = T;

  template <class T> auto operator()(T x) const {
    if constexpr (op == Op::Positive || op == Op::Conj) return x;
    else if constexpr (op == Op::Signbit) return sign_bit(x);
    else if constexpr (op == Op::Sign) {
      return x > 0 ? T{1} : is_negative(x) ? static_cast<T>(-1) : x == 0 ? T{0} : x;
    } else if constexpr (op == Op::Angle) return std::atan2(T{0}, x);
    else if constexpr (op == Op::Deg2rad) return x * (std::numbers::pi_v<T> / 180);
    else if constexpr (op == Op::Rad2deg) return x * (180 / std::numbers::pi_v<T>);
    else if constexpr (op == Op::Sigmoid) return 1 / (1 + std::exp(-x));
    else if constexpr (op == Op::Silu) return x / (1 + std::exp(-x));
    else if constexpr (op == Op::Softplus) return log_of_sum(x, T{0});
    else if constexpr (op == Op::Gelu) {
      return x / 2 * std::erfc(-x / std::numbers::sqrt2_v<T>);  // = x (1 + erf(x / sqrt 2)) / 2
    } else if constexpr (op == Op::GeluTanh) {  // x (1 + tanh(u)) / 2 = x / (1 + exp(-2u))
      constexpr T kScale = std::numbers::sqrt2_v<T> * std::numbers::inv_sqrtpi_v<T>;
      return x / (1 + std::exp(-2 * kScale * (x + static_cast<T>(0.044715) * x * x * x)));
    } else return libm(x);
  }

  template <class T> T operator()(T a, T b) const {
    if constexpr (op == Op::FloorDivide) return floor_quotient(a, b);
    else if constexpr (op == Op::Remainder) return floor_remainder(a, b);
    else if constexpr (op == Op::Fmod && std::is_integral_v<T>) return truncated_remainder(a, b);
    else if constexpr (op == Op::Fmod) return std::fmod(a, b);
    else if constexpr (op == Op::Pow && std::is_integral_v<T>) return integer_power(a, b);
    else if constexpr (op == Op::Pow) return std::pow(a, b);
    // fmin and fmax pass over NaN; for integers they are minimum and maximum.
    else if constexpr (op == Op::Fmin) return (a <= b || b != b) ? a : b;
    else if constexpr (op == Op::Fmax) return (a >= b || b != b) ? a : b;
    else if constexpr (op == Op::Atan2) return std::atan2(a, b);
    else if constexpr (op == Op::Hypot) return std::hypot(a, b);
    else if constexpr (op == Op::Logaddexp) return log_of_sum(a, b);
    else if constexpr (op == Op::Copysign) return std::copysign(a, b);
    else if constexpr (op == Op::Nextafter) return std::nextafter(a, b);
  }

 private:
  template <class T> static T libm(T x) {
    if constexpr (op == Op::Exp) return std::exp(x);
    else if constexpr (op == Op::Exp2) return std::exp2(x);
    else if constexpr (op == Op::Expm1) return std::expm1(x);
    else if constexpr (op == Op::Log) return std::log(x);
    else if constexpr (op == Op::Log2) return std::log2(x);
    else if constexpr (op == Op::Log10) return std::log10(x);
    else if constexpr (op == Op::Log1p) return std::log1p(x);
    else if constexpr (op == Op::Sin) return std::sin(x);
    else if constexpr (op == Op::Cos) return std::cos(x);
    else if constexpr (op == Op::Tan) return std::tan(x);
    else if constexpr (op == Op::Asin) return std::asin(x);
    else if constexpr (op == Op::Acos) return std::acos(x);
    else if constexpr (op == Op::Atan) return std::atan(x);
    else if constexpr (op == Op::Sinh) return std::sinh(x);
    else if constexpr (op == Op::Cosh) return std::cosh(x);
    else if constexpr (op == Op::Tanh) return std::tanh(x);
    else if constexpr (op == Op::Asinh) return std::asinh(x);
    else if constexpr (op == Op::Acosh) return std::acosh(x);
    else if constexpr (op == Op::Atanh) return std::atanh(x);
    else if constexpr (op == Op::Erf) return std::erf(x);
    else if constexpr (op == Op::Erfc) return std::erfc(x);
    else if constexpr (op == Op::Lgamma) return std::lgamma(x);
  }
};

}  // namespace strided
