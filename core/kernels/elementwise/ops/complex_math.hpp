// What the ops compute on complex numbers.
//
// Special values are those of C's Annex G, which <complex> follows, but where the array API (2025.12)
// says otherwise: tanh(inf + yj), and so tan, and expm1(-0 + 0j).
// Products use the textbook formula, as NumPy does: it vectorises, and infinities times zero are NaN.
#pragma once

#include <cmath>
#include <complex>
#include <limits>
#include <numbers>
#include <type_traits>

#include "kernels/op_list.hpp"

namespace strided::kernels::elementwise {

template <class T> using Complex = std::complex<T>;

template <class T> Complex<T> product(Complex<T> a, Complex<T> b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

// z / |z|. An infinite part outweighs a finite one; two infinite parts have no direction.
template <class T> Complex<T> direction(Complex<T> z) {
  constexpr T kNan = std::numeric_limits<T>::quiet_NaN();
  const T size = std::abs(z);
  if (size == 0) return {};
  if (std::isnan(z.real()) || std::isnan(z.imag())) return {kNan, kNan};
  if (!std::isinf(z.real()) && !std::isinf(z.imag())) {
    // |z| of finite parts may overflow; halving them first does not change the direction.
    return std::isinf(size) ? direction(z * T{0.5}) : z / size;
  }
  if (std::isinf(z.real()) && std::isinf(z.imag())) return {kNan, kNan};
  return std::isinf(z.real()) ? Complex<T>{std::copysign(T{1}, z.real()), 0}
                              : Complex<T>{0, std::copysign(T{1}, z.imag())};
}

// exp(z) - 1 = expm1(x) cos(y) - 2 sin(y/2)^2  +  i exp(x) sin(y): no cancellation near 0.
template <class T> Complex<T> expm1_of(Complex<T> z) {
  const T x = z.real(), y = z.imag();
  // The array API wants 0 + 0j of -0 + 0j: adding a zero takes the sign off, and changes nothing else.
  if (y == 0) return {std::expm1(x) + T{0}, y};
  if (!std::isfinite(x)) return std::exp(z) - T{1};
  const T half = std::sin(y / 2);
  return {std::expm1(x) * std::cos(y) - 2 * half * half, std::exp(x) * std::sin(y)};
}

// log(1 + z); near 0, |1 + z|^2 - 1 = x (2 + x) + y^2 keeps the digits that 1 + z would lose.
template <class T> Complex<T> log1p_of(Complex<T> z) {
  const T x = z.real(), y = z.imag();
  const bool small = std::abs(x) < T{0.5} && std::abs(y) < T{0.5};
  const T real = small ? std::log1p(x * (2 + x) + y * y) / 2 : std::log(std::hypot(1 + x, y));
  return {real, std::atan2(y, 1 + x)};
}

// At infinity the imaginary part is a zero with the sign of y; Annex G gives it that of sin(2y).
template <class T> Complex<T> tanh_of(Complex<T> z) {
  if (!std::isinf(z.real())) return std::tanh(z);
  return {std::copysign(T{1}, z.real()), std::copysign(T{0}, z.imag())};
}

// tan(z) = -i tanh(iz).
template <class T> Complex<T> tan_of(Complex<T> z) {
  if (!std::isinf(z.imag())) return std::tan(z);
  const Complex<T> rotated = tanh_of(Complex<T>{-z.imag(), z.real()});
  return {rotated.imag(), -rotated.real()};
}

template <class T> bool is_finite(Complex<T> z) {
  return std::isfinite(z.real()) && std::isfinite(z.imag());
}

// Whole exponents by repeated squaring, which is exact where the products are; otherwise
// exp(b log a), with the powers of 0 settled first.
template <class T> Complex<T> power(Complex<T> a, Complex<T> b) {
  constexpr T kLargestWhole = 100;  // errors double with every squaring: beyond it, exp and log have no larger ones
  const T n = b.real();
  if (b == T{0}) return T{1};
  if (a == T{0} && n > 0 && b.imag() == 0) return T{0};
  if (b.imag() != 0 || n != std::trunc(n) || std::abs(n) > kLargestWhole) return std::pow(a, b);
  Complex<T> result{1}, square = a;
  for (int left = static_cast<int>(std::abs(n)); left != 0; left >>= 1) {
    if (left & 1) result = product(result, square);
    if (left > 1) square = product(square, square);
  }
  if (!is_finite(result)) return std::pow(a, b);
  return n > 0 ? result : T{1} / result;
}

template <Op op>
struct ComplexMath {
  template <class Z> using Carrier = Z;

  template <class T> auto operator()(Complex<T> z) const {
    if constexpr (op == Op::Absolute) return std::abs(z);
    else if constexpr (op == Op::Angle) return std::arg(z);
    else if constexpr (op == Op::LogicalNot) return z == T{0};
    else if constexpr (op == Op::Isnan) return std::isnan(z.real()) || std::isnan(z.imag());
    else if constexpr (op == Op::Isinf) return std::isinf(z.real()) || std::isinf(z.imag());
    else if constexpr (op == Op::Isfinite) return is_finite(z);
    else return one_input(z);
  }

  template <class T> auto operator()(Complex<T> a, Complex<T> b) const {
    if constexpr (op == Op::Equal) return a == b;
    else if constexpr (op == Op::NotEqual) return a != b;
    else if constexpr (op == Op::LogicalAnd) return a != T{0} && b != T{0};
    else if constexpr (op == Op::LogicalOr) return a != T{0} || b != T{0};
    else if constexpr (op == Op::LogicalXor) return (a != T{0}) != (b != T{0});
    else if constexpr (op == Op::Add) return a + b;
    else if constexpr (op == Op::Subtract) return a - b;
    else if constexpr (op == Op::Multiply) return product(a, b);
    else if constexpr (op == Op::Divide) return a / b;
    else if constexpr (op == Op::Pow || op == Op::FloatPower) return power(a, b);
  }

  template <class A, class T> Complex<T> operator()(A a, Complex<T> b, Complex<T> c) const {
    if constexpr (op == Op::Where) return a ? b : c;
    else if constexpr (op == Op::Lerp) {
      return std::abs(c) < T{0.5} ? a + product(c, b - a) : b - product(b - a, T{1} - c);
    } else if constexpr (op == Op::Addcmul) return a + product(b, c);
    else if constexpr (op == Op::Addcdiv) return a + b / c;
  }

 private:
  template <class T> static Complex<T> one_input(Complex<T> z) {
    if constexpr (op == Op::Negative) return -z;
    else if constexpr (op == Op::Positive) return z;
    else if constexpr (op == Op::Conj) return std::conj(z);
    else if constexpr (op == Op::Sign) return direction(z);
    else if constexpr (op == Op::Square) return product(z, z);
    else if constexpr (op == Op::Reciprocal) return T{1} / z;
    else if constexpr (op == Op::Round) return {std::nearbyint(z.real()), std::nearbyint(z.imag())};
    else if constexpr (op == Op::Sqrt) return std::sqrt(z);
    else if constexpr (op == Op::Rsqrt) return T{1} / std::sqrt(z);
    else if constexpr (op == Op::Exp) return std::exp(z);
    else if constexpr (op == Op::Exp2) return std::exp(z * std::numbers::ln2_v<T>);
    else if constexpr (op == Op::Expm1) return expm1_of(z);
    else if constexpr (op == Op::Log) return std::log(z);
    else if constexpr (op == Op::Log2) return std::log(z) * std::numbers::log2e_v<T>;
    else if constexpr (op == Op::Log10) return std::log(z) * std::numbers::log10e_v<T>;
    else if constexpr (op == Op::Log1p) return log1p_of(z);
    else return trigonometric(z);
  }

  template <class T> static Complex<T> trigonometric(Complex<T> z) {
    if constexpr (op == Op::Sin) return std::sin(z);
    else if constexpr (op == Op::Cos) return std::cos(z);
    else if constexpr (op == Op::Tan) return tan_of(z);
    else if constexpr (op == Op::Asin) return std::asin(z);
    else if constexpr (op == Op::Acos) return std::acos(z);
    else if constexpr (op == Op::Atan) return std::atan(z);
    else if constexpr (op == Op::Sinh) return std::sinh(z);
    else if constexpr (op == Op::Cosh) return std::cosh(z);
    else if constexpr (op == Op::Tanh) return tanh_of(z);
    else if constexpr (op == Op::Asinh) return std::asinh(z);
    else if constexpr (op == Op::Acosh) return std::acosh(z);
    else if constexpr (op == Op::Atanh) return std::atanh(z);
  }
};

}  // namespace strided::kernels::elementwise
