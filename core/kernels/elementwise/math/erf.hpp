// erf, erfc and gelu.
//
// For a >= 0, erfc(a) = exp(-a^2) / (L + A / B) with a line L = sqrt(pi) a + 7/8 and polynomials A and B.
// The line is close to the whole, so that the errors of A / B hardly count, nor those of B in
// B / (L B + A). a^2 is taken with the digits that rounding loses. Near 0, erf has its own polynomial.
#pragma once

#include "activations.hpp"

namespace strided::kernels::elementwise::STRIDED_ISA {

// exp(-a b), with the digits that rounding takes from the product
template <bool near = false, class T>
[[gnu::always_inline]] inline Decay<T, near> decay_of_product(T a, T b) {
  const T product = a * b;
  return Decay<T, near>(product, fused(-a, b, product));
}

// erfc(a) for a >= 0
template <class T> [[gnu::always_inline]] inline T erfc_beyond(T a) {
  constexpr T kRootPi = kSingle<T> ? T(0x1.c5bf8ap+0) : T(0x1.c5bf891b4ef6bp+0);
  const T line = fused(a, kRootPi, T{0.875}), below = fitted::erfc_below(a);
  return decay_of_product(a, a).quotient(below, fused(line, below, fitted::erfc_above(a)));
}

template <class T> [[gnu::always_inline]] inline T erfc_of(T x) {
  const T y = erfc_beyond(limited(abs_of(x), kSingle<T> ? T(10.1) : T(27.3)));
  const T z = x < 0 ? T{2} - y : y;
  return x == x ? z : x;
}

template <class T> [[gnu::always_inline]] inline T erf_of(T x) {
  constexpr T kTwoOverRootPi = kSingle<T> ? T(0x1.20dd76p+0) : T(0x1.20dd750429b6dp+0);
  const T a = limited(abs_of(x), kSingle<T> ? T(4) : T(6));
  const T z = a * a;
  const T near = a * fused(z, fitted::erf(z), kTwoOverRootPi);
  const T y = signed_as(a < T(0.7) ? near : T{1} - erfc_beyond(a), x);
  return x == x ? y : x;
}

// a Phi(-a) with Phi(-a) = erfc(a / sqrt 2) / 2
template <bool near, class T> [[gnu::always_inline]] inline T gelu_tail(T a) {
  constexpr T kRootTwoPi = kSingle<T> ? T(0x1.40d932p+1) : T(0x1.40d931ff62706p+1);
  const T line = fused(a, kRootTwoPi, T{1.75}), below = fitted::normal_below(a);
  const auto decay = decay_of_product<near>(T{0.5} * a, a);
  return decay.quotient(a * below, fused(line, below, fitted::normal_above(a)));
}
// x Phi(x); near 0, exp(-x^2 / 2) is normal.
template <class T> inline constexpr T kGeluNear = kSingle<T> ? T(13) : T(37.5);
template <class T> [[gnu::always_inline]] inline T gelu_near(T x) {
  return positive_part(x) - gelu_tail<true>(abs_of(x));
}
template <class T> [[gnu::always_inline]] inline T gelu_of(T x) {
  return positive_part(x) - gelu_tail<false>(limited(abs_of(x), kSingle<T> ? T(14.45) : T(38.6)));
}

}  // namespace strided::kernels::elementwise::STRIDED_ISA
