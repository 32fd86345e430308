// What the ops that call libm compute on float32 and float64, and a few on integers that need a loop.
//
// libm follows C's Annex F, which is the array API's table of special cases nearly everywhere; where
// the two part (floor_divide, remainder) the lines below follow the array API.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <type_traits>
#include <utility>

#include "kernels/op_list.hpp"

namespace strided::kernels::elementwise {

// The quotient rounded down, so that x == y * floor_divide(x, y) + remainder(x, y).
template <class T> T floor_quotient(T a, T b) {
  if (b == 0 || !std::isfinite(a) || !std::isfinite(b)) return std::floor(a / b);
  // a / b may round up to a whole number; a - rest is a multiple of b up to rounding.
  const T rest = std::fmod(a, b);
  const T exact = (a - rest) / b - (rest != 0 && (rest < 0) != (b < 0) ? T{1} : T{0});
  return exact == 0 ? std::copysign(T{0}, a / b) : std::nearbyint(exact);
}

// Python's %: the result has the sign of the divisor, zero included.
template <class T> T floor_remainder(T a, T b) {
  const T rest = std::fmod(a, b);
  if (rest == 0) return std::copysign(T{0}, b);
  return (rest < 0) != (b < 0) ? rest + b : rest;
}

template <class T> bool is_negative(T x) {
  if constexpr (std::is_signed_v<T>) return x < 0; else return false;
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

template <class T> auto size_of_integer(T x) {
  using U = std::make_unsigned_t<T>;
  const U sign = static_cast<U>(U{0} - static_cast<U>(is_negative(x)));
  return static_cast<U>((static_cast<U>(x) ^ sign) - sign);
}
// Of the sizes, by Euclid's algorithm. That of the smallest number wraps to itself.
template <class T> T greatest_divisor(T a, T b) {
  using W = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
  W x = size_of_integer(a), y = size_of_integer(b);
  while (y != 0) x = std::exchange(y, x % y);
  return static_cast<T>(x);
}
template <class T> T least_multiple(T a, T b) {
  const auto divisor = size_of_integer(greatest_divisor(a, b));
  if (divisor == 0) return 0;
  return static_cast<T>(static_cast<std::uint64_t>(size_of_integer(a) / divisor) * size_of_integer(b));
}

// std::lgamma writes the sign to a variable that all threads share; these do not.
inline float log_gamma(float x) {
  int sign;
  return __builtin_lgammaf_r(x, &sign);
}
inline double log_gamma(double x) {
  int sign;
  return __builtin_lgamma_r(x, &sign);
}

// The derivative of lgamma: by its recurrence up to 6, by reflection below 0, then by Stirling's series.
template <class T> T digamma_of(T number) {
  double x = static_cast<double>(number), sum = 0;
  if (x == 0) return std::copysign(std::numeric_limits<T>::infinity(), -number);
  if (x < 0) {
    if (x == std::floor(x)) return std::numeric_limits<T>::quiet_NaN();
    sum = -std::numbers::pi / std::tan(std::numbers::pi * std::remainder(x, 1.0));
    x = 1 - x;
  }
  for (; x < 10; x += 1) sum -= 1 / x;
  const double z = 1 / (x * x);
  const double series = z * (1.0 / 12 - z * (1.0 / 120 - z * (1.0 / 252 - z * (1.0 / 240 -
                        z * (1.0 / 132 - z * (691.0 / 32760 - z / 12))))));
  return static_cast<T>(sum + std::log(x) - 0.5 / x - (std::isinf(x) ? 0 : series));
}

template <Op op>
struct RealMath {
  template <class T> using Carrier = T;

  template <class T> auto operator()(T x) const {
    if constexpr (op == Op::Angle) return std::atan2(T{0}, x);
    else if constexpr (op == Op::Digamma) return digamma_of(x);
    // By way of long double: beside a large exponent, the digits of its argument count.
    else if constexpr (op == Op::Gelu) {  // x (1 + erf(x / sqrt 2)) / 2
      return static_cast<T>(x / 2 * std::erfc(-x / std::numbers::sqrt2_v<long double>));
    } else if constexpr (op == Op::GeluTanh) {  // x (1 + tanh(u)) / 2 = x / (1 + exp(-2u))
      const long double wide = x;
      constexpr long double kRoot = std::numbers::sqrt2_v<long double>;
      constexpr long double kScale = kRoot * std::numbers::inv_sqrtpi_v<long double>;
      const long double u = kScale * (wide + 0.044715L * wide * wide * wide);
      return static_cast<T>(wide / (1 + std::exp(-2 * u)));
    } else return libm(x);
  }

  template <class T> T operator()(T a, T b) const {
    if constexpr (op == Op::FloorDivide) return floor_quotient(a, b);
    else if constexpr (op == Op::Remainder) return floor_remainder(a, b);
    else if constexpr (op == Op::Fmod) return std::fmod(a, b);
    else if constexpr (op == Op::Pow && std::is_integral_v<T>) return integer_power(a, b);
    else if constexpr (op == Op::Pow || op == Op::FloatPower) return std::pow(a, b);
    else if constexpr (op == Op::Gcd) return greatest_divisor(a, b);
    else if constexpr (op == Op::Lcm) return least_multiple(a, b);
    else if constexpr (op == Op::Atan2) return std::atan2(a, b);
    else if constexpr (op == Op::Hypot) return std::hypot(a, b);
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
    else if constexpr (op == Op::Lgamma) return log_gamma(x);
  }
};

}  // namespace strided::kernels::elementwise
