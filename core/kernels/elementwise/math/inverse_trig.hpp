// asin, acos, atan and atan2.
//
// All choices are made before the polynomial: between two choices by one condition, GCC would compute
// everything twice.
#pragma once

#include "fitted.hpp"

namespace strided::kernels::elementwise::STRIDED_ISA {

template <class T> inline constexpr T kQuarterPi =
    kSingle<T> ? T(0x1.921fb6p-1) : T(0x1.921fb54442d18p-1);
template <class T> inline constexpr T kQuarterPiRest =
    kSingle<T> ? T(-0x1.777a5cp-26) : T(0x1.1a62633145c07p-55);

// base pi/4 + factor p
template <class T> [[gnu::always_inline]] inline T angle_of(T base, T factor, T p) {
  return fused(base, kQuarterPi<T>, fused(base, kQuarterPiRest<T>, factor * p));
}

// asin(s) for s up to 1/2, where z = s^2
template <class T> [[gnu::always_inline]] inline T asin_near(T s, T z) {
  return fused(s * z, fitted::asin(z), s);
}

// Beyond 1/2, asin(a) = pi/2 - 2 asin(sqrt((1 - a) / 2)).
template <class T> [[gnu::always_inline]] inline T asin_of(T x) {
  const T a = abs_of(x);
  const bool far = a > T{0.5};
  const T z = far ? fused(a, T{-0.5}, T{0.5}) : a * a;
  const T s = far ? sqrt_of(z) : a;
  const T base = far ? T{2} : T{0}, factor = far ? T{-2} : T{1};
  return signed_as(angle_of(base, factor, asin_near(s, z)), x);
}

// acos(x) = pi/2 - asin(x)
template <class T> [[gnu::always_inline]] inline T acos_of(T x) {
  const T a = abs_of(x);
  const bool far = a > T{0.5};
  const T z = far ? fused(a, T{-0.5}, T{0.5}) : a * a;
  const T s = far ? sqrt_of(z) : a;
  const T middle = far ? T{2} : T{0}, size = far ? T{2} : T{-1};
  const T base = T{2} - signed_as(middle, x), factor = signed_as(T{1}, x) * size;
  return angle_of(base, factor, asin_near(s, z));
}

// The angle of the point (below, above) for 0 <= above <= below: atan of the quotient, rotated back by
// pi/4 where that brings it closer to 0. `base` and `factor` say what becomes of it.
template <class T> [[gnu::always_inline]] inline T octant(T above, T below, T base, T factor) {
  constexpr T kEighth = kSingle<T> ? T(0x1.a8279ap-2) : T(0x1.a827999fcef32p-2);  // tan(pi/8)
  const bool back = above > kEighth * below;
  const T high = back ? above - below : above, low = back ? above + below : below;
  const T eighths = back ? T{1} : T{0};
  const T z = high / low;
  const T square = z * z;
  const T p = fused(z * square, fitted::atan(square), z);
  return angle_of(fused(factor, eighths, base), factor, p);
}

template <class T> [[gnu::always_inline]] inline T atan_of(T x) {
  const T a = abs_of(x);
  const bool steep = a > T{1};
  const T above = steep ? T{1} : a, below = steep ? a : T{1};
  const T base = steep ? T{2} : T{0}, factor = steep ? T{-1} : T{1};
  return signed_as(octant(above, below, base, factor), x);
}

template <class T> [[gnu::always_inline]] inline T atan2_of(T y, T x) {
  const T a = abs_of(y), b = abs_of(x);
  const bool steep = a > b;
  const T base = steep ? T{2} : T{0}, factor = steep ? T{-1} : T{1};
  T above = steep ? b : a, below = steep ? a : b;
  // Large ones would overflow in a sum, subnormal ones have too few digits for products; two infinities count
  // as equal, two zeros as 0 over 1.
  constexpr T kSmall = kSingle<T> ? T(0x1p-100) : T(0x1p-900), kUp = kSingle<T> ? T(0x1p64) : T(0x1p200);
  const T up = below < kSmall ? kUp : T{1};
  const T scale = below > T(0x1p100) ? T(0x1p-4) : up;
  const bool endless = (a == kInfinity<T>) & (b == kInfinity<T>);
  below = ((below == 0) | endless) ? T{1} : below * scale;
  above = endless ? T{1} : above * scale;
  const T one = signed_as(T{1}, x);  // left of 0, the angle is taken from pi
  const T angle = octant(above, below, fused(one, base, T{2} - T{2} * one), factor * one);
  return signed_as(angle, y);
}

}  // namespace strided::kernels::elementwise::STRIDED_ISA
