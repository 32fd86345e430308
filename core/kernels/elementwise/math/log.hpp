// log and what is made of it: log2, log10, log1p.
//
// x = 2^e m with sqrt(1/2) <= m < sqrt(2); with t = m - 1 and s = t / (2 + t) = tanh(log(m) / 2),
// log(m) = 2 s + s R(s^2) = t - (t^2/2 - s (t^2/2 + R)): the second form rounds once near t = 0.
#pragma once

#include "fitted.hpp"

namespace strided::kernels::elementwise::STRIDED_ISA {

// log10 2 in two parts, like ln 2; log2 e and log10 e with what rounding has taken from them.
template <class T> inline constexpr T kLog2High = kSingle<T> ? T(0x1.344p-2) : T(0x1.34413509f8p-2);
template <class T> inline constexpr T kLog2Low =
    kSingle<T> ? T(0x1.3509f8p-18) : T(-0x1.80433b83b532ap-44);
inline constexpr double kLog2e = 0x1.71547652b82fep+0, kLog2eRest = 0x1.777d0ffda0d24p-56;
inline constexpr double kLog10e = 0x1.bcb7b1526e50ep-2, kLog10eRest = 0x1.95355baaafad3p-57;
template <class T> inline constexpr T kRootHalf =
    kSingle<T> ? T(0x1.6a09e6p-1) : T(0x1.6a09e667f3bcdp-1);

// The whole number in the bits above the mantissa, which may be negative.
template <class T> [[gnu::always_inline]] inline T whole_above(BitsOf<T> bits) {
  if constexpr (kSingle<T> || kHasLongs) {
    return static_cast<T>(static_cast<std::make_signed_t<BitsOf<T>>>(bits) >> kMantissa<T>);
  } else {  // 2048 + e in the last bits of 2^52 + 2048 + e
    constexpr double kWhole = 0x1p52;
    const BitsOf<T> lifted = (bits + (BitsOf<T>{2048} << kMantissa<T>)) >> kMantissa<T>;
    return from_bits<T>(lifted | bits_of(kWhole)) - (kWhole + 2048);
  }
}

// x / scale = 2^e (1 + t), where scale is a power of two, for positive, finite, normal x.
template <class T> struct Split {
  static constexpr BitsOf<T> kLow = (BitsOf<T>{1} << kMantissa<T>) - 1;
  BitsOf<T> above;  // the bits of x less those of sqrt(1/2): e on top, below it those of m
  T e, t;
  [[gnu::always_inline]] explicit Split(T x, T scale = T{1}) {
    above = bits_of(x) - (bits_of(scale) - bits_of(T{1}) + bits_of(kRootHalf<T>));
    t = from_bits<T>((above & kLow) + bits_of(kRootHalf<T>)) - T{1};
    e = whole_above<T>(above);
  }
};

// For numbers below the normal ones too: they are enlarged first.
template <class T> [[gnu::always_inline]] inline Split<T> split_any(T x) {
  const T scale = x < kSmallestNormal<T> ? static_cast<T>(BitsOf<T>{2} << kMantissa<T>) : T{1};
  return Split<T>(x * scale, scale);
}

// log(1 + t) + more, where more is small.
template <class T> [[gnu::always_inline]] inline T log_near_one(T t, T more = T{0}) {
  const T s = t / (T{2} + t);
  const T z = s * s;
  const T half = T{0.5} * t * t;
  return t - (half - fused(s, fused(z, fitted::log(z), half), more));
}

template <class T> [[gnu::always_inline]] inline T log_of(const Split<T>& x) {
  return fused(x.e, kLn2High<T>, log_near_one(x.t, x.e * kLn2Low<T>));
}
template <class T> [[gnu::always_inline]] inline T log2_of(const Split<T>& x) {
  if constexpr (kSingle<T>) {  // t itself is exact, so only the rest of t log2(e) is rounded
    return x.e + (x.t + fused(x.t, static_cast<T>(kLog2e - 1), x.t * x.t * fitted::log2(x.t)));
  } else {
    const T y = log_near_one(x.t);
    return x.e + fused(y, kLog2e, y * kLog2eRest);
  }
}
template <class T> [[gnu::always_inline]] inline T log10_of(const Split<T>& x) {
  const T low = x.e * kLog2Low<T>;
  if constexpr (kSingle<T>) {
    const T y = fused(x.t, static_cast<T>(kLog10e), fused(x.t * x.t, fitted::log10(x.t), low));
    return fused(x.e, kLog2High<T>, y);
  } else {
    const T y = log_near_one(x.t);
    return fused(x.e, kLog2High<T>, fused(y, kLog10e, fused(y, kLog10eRest, low)));
  }
}

// What a logarithm gives for 0, negative numbers, infinity and NaN, if not `y`.
template <class T> [[gnu::always_inline]] inline T log_of_any(T x, T y) {
  y = x == 0 ? -kInfinity<T> : y;
  y = x < 0 ? kNan<T> : y;
  return x < kInfinity<T> ? y : x;
}

// log(y + rest) + more_e ln 2, where rest is what rounding took from y; both y and 1 / y are normal, and y
// is not among the largest numbers.
template <class T> [[gnu::always_inline]] inline T log_of_sum(T y, T rest, T more_e = T{0}) {
  const Split<T> at(y);
  const T down = from_bits<T>(bits_of(T{1}) - (at.above & ~Split<T>::kLow));  // 2^-e
  const T e = at.e + more_e;
  return fused(e, kLn2High<T>, log_near_one(fused(rest, down, at.t), e * kLn2Low<T>));
}

// What rounding takes from 1 + x.
template <class T> [[gnu::always_inline]] inline T lost_beside_one(T x, T sum) {
  const T part = sum - T{1};
  return (T{1} - (sum - part)) + (x - part);
}

// For 1 + x from 2^-60 to 2^60.
template <class T> [[gnu::always_inline]] inline T log1p_near(T x) {
  const T y = T{1} + x;
  return signed_as(log_of_sum(y, lost_beside_one(x, y)), x);
}
// Larger ones lose nothing beside 1.
template <class T> [[gnu::always_inline]] inline T log1p_of(T x) {
  const T y = T{1} + x;
  const T far = log_of(Split<T>(y));
  const T l = y < T(0x1p60) ? log1p_near(x) : far;
  const T low = x == T{-1} ? -kInfinity<T> : kNan<T>;
  return x < kInfinity<T> ? (x > T{-1} ? l : low) : x;
}

}  // namespace strided::kernels::elementwise::STRIDED_ISA
