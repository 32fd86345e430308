// asinh, acosh and atanh, by log.
#pragma once

#include "log.hpp"

namespace strided::kernels::elementwise::STRIDED_ISA {

// log1p(u); from kLarge on, log(2 a) instead, a being the argument of the function.
template <class T> inline constexpr T kLarge = kSingle<T> ? T(0x1p13) : T(0x1p28);
template <class T> [[gnu::always_inline]] inline T log1p_or_double(T u, T a) {
  const bool large = a > kLarge<T>;
  const T y = T{1} + u;
  const T rest = large ? T{0} : lost_beside_one(u, y), e = large ? T{3} : T{0};
  return log_of_sum(large ? T{0.25} * a : y, rest, e);  // 2 a = 2^3 a / 4
}

// asinh(a) = log1p(a + a^2 / (1 + sqrt(1 + a^2)))
template <class T> [[gnu::always_inline]] inline T asinh_of(T x) {
  const T a = abs_of(x), square = a * a;
  const T u = a + square / (T{1} + sqrt_of(T{1} + square));
  return a < kInfinity<T> ? signed_as(log1p_or_double(u, a), x) : x;
}

// acosh(x) = log1p(t + sqrt(t (t + 2))) with t = x - 1
template <class T> [[gnu::always_inline]] inline T acosh_of(T x) {
  const T t = x - T{1};
  const T l = log1p_or_double(t + sqrt_of(fused(t, t, T{2} * t)), x);
  return x < kInfinity<T> ? (x >= T{1} ? l : kNan<T>) : x;
}

// log(above / below) / 2. The quotient is 2^e m, and tanh(log(m) / 2) is a difference over a sum of the
// two, so that one division does. Where e is 0, `near` is that tanh, exactly; `above_rest` and
// `below_rest` are what rounding took from the two.
template <class T>
[[gnu::always_inline]] inline T half_log_of_quotient(T above, T above_rest, T below, T below_rest,
                                                     T near) {
  using Bits = BitsOf<T>;
  constexpr Bits kHalf = Bits{1} << (kMantissa<T> - 1);
  const Bits up = (bits_of(above) - bits_of(below) + kHalf) & ~Split<T>::kLow;
  const T e = whole_above<T>(up);
  const T lowered = from_bits<T>(bits_of(above) - up), down = from_bits<T>(bits_of(T{1}) - up);
  const T difference = (lowered - below) + fused(down, above_rest, -below_rest);
  const T s = up == 0 ? near : difference / (lowered + below);
  const T z = s * s;
  const T tail = fused(s * z, T{0.5} * fitted::log(z), e * (T{0.5} * kLn2Low<T>));
  return fused(e, T{0.5} * kLn2High<T>, s + tail);
}

// atanh(a) = log((1 + a) / (1 - a)) / 2
template <class T> [[gnu::always_inline]] inline T atanh_of(T x) {
  const T a = abs_of(x);
  const T above = T{1} + a, below = T{1} - a;
  const T y = half_log_of_quotient(above, (T{1} - above) + a, below, (T{1} - below) - a, a);
  return signed_as(a < T{1} ? y : (a == T{1} ? kInfinity<T> : kNan<T>), x);
}

// logit(x) = log(x / (1 - x)); numbers below the normal ones are enlarged first.
template <class T> [[gnu::always_inline]] inline T logit_of(T x) {
  constexpr T kScale = static_cast<T>(BitsOf<T>{2} << kMantissa<T>);
  constexpr T kLogScale = T(kMantissa<T> + 1) * T(0x1.62e42fefa39efp-1);
  const bool small = x < kSmallestNormal<T>;
  const T above = small ? x * kScale : x, less = small ? kLogScale : T{0};
  const T below = T{1} - x;
  const T near = fused(T{2}, x, T{-1});
  const T y = T{2} * half_log_of_quotient(above, T{0}, below, (T{1} - below) - x, near);
  const T inside = ((x > 0) & (x < T{1})) ? y - less : kNan<T>;
  return x == 0 ? -kInfinity<T> : (x == T{1} ? kInfinity<T> : inside);
}

}  // namespace strided::kernels::elementwise::STRIDED_ISA
