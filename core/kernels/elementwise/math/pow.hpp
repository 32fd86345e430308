// x^y = 2^(y log2 |x|), with log2 in two parts: its error is multiplied by y.
#pragma once

#include "log.hpp"

namespace strided::kernels::elementwise::STRIDED_ISA {

// A number as a sum of two, the second of which is what rounding took from the first.
template <class T> struct Two {
  T high, low;
};
template <class T> [[gnu::always_inline]] inline Two<T> in_two(T large, T small) {
  const T high = large + small;
  return {high, (large - high) + small};
}
template <class T> [[gnu::always_inline]] inline Two<T> product_in_two(T a, T b) {
  const T high = a * b;
  return {high, fused(a, b, -high)};
}

// log2(2^e (1 + t)) = e + 2 / ln 2 atanh(s), s = t / (2 + t). `brief` is for floats whose power is
// between 2^-96 and 2^96.
template <bool brief, class T> [[gnu::always_inline]] inline Two<T> log2_in_two(const Split<T>& x) {
  constexpr T kC = kSingle<T> ? T(0x1.715476p+1) : T(0x1.71547652b82fep+1);  // 2 / ln 2
  constexpr T kCRest = kSingle<T> ? T(0x1.4ae0cp-25) : T(0x1.777d0ffda0d24p-55);
  const T inverse = T{1} / (T{2} + x.t);
  const T s = x.t * inverse;
  const T s_rest = fused(-s, x.t, fused(-s, T{2}, x.t)) * inverse;  // t - s (2 + t), exactly
  const T z = s * s;
  const auto [first, first_low] = product_in_two(kC, s);
  const T first_rest = fused(kC, s_rest, fused(kCRest, s, first_low));
  const auto [high, low] = in_two(x.e, first);
  if constexpr (brief) {
    const auto [second, second_low] = product_in_two(s * z, fitted::pow_log2(z));
    const auto [total, total_low] = in_two(high, second);
    return {total, (low + total_low) + (second_low + first_rest)};
  } else {  // the term of s^3 in two parts from the start
    constexpr T kThird = kSingle<T> ? T(0x1.ec709ep-1) : T(0x1.ec709dc3a03fdp-1);  // 2 / (3 ln 2)
    constexpr T kThirdRest = kSingle<T> ? T(-0x1.e2fe02p-28) : T(0x1.d27f05548af0cp-55);
    const T z_rest = fused(s, s, -z) + T{2} * s * s_rest;
    const auto [cube, cube_low] = product_in_two(s, z);
    const T cube_rest = fused(s, z_rest, fused(s_rest, z, cube_low));
    const auto [second, second_low] = product_in_two(kThird, cube);
    const T second_rest = fused(kThird, cube_rest, fused(kThirdRest, cube, second_low));
    const auto [total, total_low] = in_two(high, second);
    const T tail = fused(cube * z, fitted::pow_log2_far(z), second_rest + first_rest);
    return in_two(total, low + (total_low + tail));
  }
}

// y log2 = n + r, with n in the low bits of an integer beside a lift
template <int lift, class T> [[gnu::always_inline]] inline T exp2_part(T w, T rest, BitsOf<T>& low) {
  const auto [n, bits] = rounded<lift>(w, T{1});
  const T r = (w - n) + rest;
  low = bits;
  return fused(r, fitted::exp2(r), T{1});
}

// 2^(y log2) where that is a normal number.
template <class T> [[gnu::always_inline]] inline T normal_power(const Two<T>& log2, T y) {
  const auto [product, product_low] = product_in_two(y, log2.high);
  BitsOf<T> low;
  const T p = exp2_part<kBias<T>>(product, fused(y, log2.low, product_low), low);
  return p * power_of_two<T>(low);
}
// What |y log2 x| does not exceed, for a positive normal x: log2 x is e, up to 1/2.
template <class T> [[gnu::always_inline]] inline T largest_exponent(T x, T y) {
  return abs_of(y) * (abs_of(Split<T>(x).e) + T{0.5});
}

// 2^(y log2) of any size, 0 and infinity too.
template <class T> [[gnu::always_inline]] inline T any_power(const Two<T>& log2, T y) {
  constexpr T kEnd = kSingle<T> ? T(160) : T(1100);
  const auto [product, product_low] = product_in_two(y, log2.high);
  const bool inside = abs_of(product) < kEnd;
  const T w = inside ? product : signed_as(kEnd, product);
  const T rest = inside ? fused(y, log2.low, product_low) : T{0};
  // In two steps: 2^n alone may be too large or too small. The lift keeps both exponents positive.
  BitsOf<T> low;
  const T p = exp2_part<2 * kBias<T>>(w, rest, low);
  constexpr BitsOf<T> kLow = (BitsOf<T>{1} << (kSingle<T> ? 10 : 13)) - 1;
  const BitsOf<T> lifted = low & kLow, half = lifted >> 1;
  return p * power_of_two<T>(half) * power_of_two<T>(lifted - half);
}

// What C's Annex F says about zeros, infinities, NaN and negative numbers; else `power` of the size.
template <class T> [[gnu::always_inline]] inline T power_of_any(T x, T y, T power) {
  const T a = abs_of(x);
  const bool endless = abs_of(y) == kInfinity<T>;
  const T grown = (a > T{1}) == (y > 0) ? kInfinity<T> : T{0};
  power = ((a == 0) | (a == kInfinity<T>) | endless) ? grown : power;
  const bool whole = trunc_of(y) == y;
  const T half = T{0.5} * y;
  power = (whole & (trunc_of(half) != half)) ? signed_as(power, x) : power;
  power = ((x < 0) & (a < kInfinity<T>) & !whole) ? kNan<T> : power;
  power = ((x == x) & (y == y)) ? power : x + y;
  return ((y == 0) | (x == T{1}) | ((x == T{-1}) & endless)) ? T{1} : power;
}

// x^(twice / 2), for the few exponents that are one or two operations.
template <int twice, class T> [[gnu::always_inline]] inline T power_by(T x) {
  if constexpr (twice == -2) return T{1} / x;
  else if constexpr (twice == 1) return x == -kInfinity<T> ? kInfinity<T> : sqrt_of(x) + T{0};
  else if constexpr (twice == 2) return x;
  else if constexpr (twice == 4) return x * x;
  else return x * x * x;
}
// The same for the elements that have such an exponent, else `power`.
template <class T> [[gnu::always_inline]] inline T simple_power(T x, T y, T power) {
  power = y == T{-1} ? power_by<-2>(x) : power;
  power = y == T{0.5} ? power_by<1>(x) : power;
  power = y == T{1} ? power_by<2>(x) : power;
  power = y == T{2} ? power_by<4>(x) : power;
  return y == T{3} ? power_by<6>(x) : power;
}
// True for those exponents and some others.
template <class T> [[gnu::always_inline]] inline bool may_be_simple(T y) {
  return (trunc_of(y + y) == y + y) & (abs_of(y) <= T{3});
}

}  // namespace strided::kernels::elementwise::STRIDED_ISA
