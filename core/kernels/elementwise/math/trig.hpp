// sin, cos and tan: x = n pi/2 + r with pi/2 in three parts, then one polynomial for sin(r), one for cos(r).
//
// Each product with a part is fused, hence exact up to one rounding of r. That holds for |x| below
// kFarthest; loops hand larger ones to libm.
#pragma once

#include "fitted.hpp"

namespace strided::kernels::elementwise::STRIDED_ISA {

template <class T> struct Quarter {
  static constexpr T kFarthest = kSingle<T> ? T(0x1p17) : T(0x1p30);
  static constexpr T kPerQuarter = kSingle<T> ? T(0x1.45f306p-1) : T(0x1.45f306dc9c883p-1);
  // Each rounded down, so that all are positive and -0 stays -0.
  static constexpr T kFirst = kSingle<T> ? T(0x1.921fb4p+0) : T(0x1.921fb54442d18p+0);
  static constexpr T kSecond = kSingle<T> ? T(0x1.4442d0p-24) : T(0x1.1a62633145c06p-54);
  static constexpr T kThird = kSingle<T> ? T(0x1.846988p-48) : T(0x1.c1cd129024e08p-107);

  T sine, cosine;  // of r
  BitsOf<T> n;     // in the low bits
  [[gnu::always_inline]] explicit Quarter(T x) {
    const auto [whole, low] = rounded(x, kPerQuarter);
    T r = fused(whole, -kFirst, x);
    r = fused(whole, -kSecond, r);
    *this = Quarter(fused(whole, -kThird, r), low);
  }
  [[gnu::always_inline]] Quarter(T r, BitsOf<T> low) : n(low) {
    const T z = r * r;
    sine = signed_as(fused(r * z, fitted::sin(z), r), r);  // the sum alone would make 0 of -0
    cosine = fused(z, fused(z, fitted::cos(z), T{-0.5}), T{1});
  }
  [[gnu::always_inline]] bool odd() const { return is_below(n << (8 * sizeof(T) - 1)); }
};

// y, or -y where the bit is set.
template <class T> [[gnu::always_inline]] inline T negated_if(T y, BitsOf<T> n, int bit) {
  const BitsOf<T> sign = (n >> bit) << (8 * sizeof(T) - 1);
  return from_bits<T>(bits_of(y) ^ sign);
}

template <class T> [[gnu::always_inline]] inline T sin_of(T x) {
  const Quarter<T> at(x);
  return negated_if(at.odd() ? at.cosine : at.sine, at.n, 1);
}
template <class T> [[gnu::always_inline]] inline T cos_of(T x) {
  const Quarter<T> at(x);
  return negated_if(at.odd() ? at.sine : at.cosine, at.n + 1, 1);
}
template <class T> [[gnu::always_inline]] inline T tan_of(T x) {
  const Quarter<T> at(x);
  const bool odd = at.odd();
  return negated_if((odd ? at.cosine : at.sine) / (odd ? at.sine : at.cosine), at.n, 0);
}

// sin(pi x) / (pi x). Turns and quarters of one are taken off x exactly, before pi makes it inexact.
template <class T> [[gnu::always_inline]] inline T sinc_of(T x) {
  constexpr T kPi = kSingle<T> ? T(0x1.921fb6p+1) : T(0x1.921fb54442d18p+1);
  const T a = abs_of(x);
  const T part = fused(trunc_of(T{0.5} * a), T{-2}, a);
  const auto [whole, low] = rounded(part, T{2});
  const Quarter<T> at(fused(whole, T{-0.5}, part) * kPi, low);
  const T y = negated_if(at.odd() ? at.cosine : at.sine, low, 1) / (kPi * a);
  return x == 0 ? T{1} : (a < kInfinity<T> ? y : kNan<T>);
}

}  // namespace strided::kernels::elementwise::STRIDED_ISA
