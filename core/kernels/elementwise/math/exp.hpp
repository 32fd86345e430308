// exp and what is made of it: exp2, expm1, the hyperbolic functions.
//
// exp(x) = 2^n exp(r) with n = round(x / ln 2) and |r| <= ln 2 / 2.
#pragma once

#include "fitted.hpp"

namespace strided::kernels::elementwise::STRIDED_ISA {

template <class T> struct ExpRange {
  static constexpr T kLog2e = kSingle<T> ? T(0x1.715476p+0) : T(0x1.71547652b82fep+0);
  static constexpr T kEnd = kSingle<T> ? T(110) : T(753);  // x exp(-x) is 0 from there on
  static constexpr T kLast = kSingle<T> ? T(0x1.62e42ep+6) : T(0x1.62e42fefa39efp+9);  // exp is finite
  static constexpr T kGone = kSingle<T> ? T(20) : T(40);  // beside 1, exp(-x) is nothing
  static constexpr T kNormal = kSingle<T> ? T(87) : T(708);  // exp(x) and exp(-x) are normal numbers
  static constexpr T kHalfway = kSingle<T> ? T(40) : T(350);
};

// x = n ln 2 + r + rest, where rest is what rounding takes from r.
template <class T> struct Reduced {
  T r, rest;
  BitsOf<T> low;  // n and a lift
};
template <int lift = 0, class T> [[gnu::always_inline]] inline Reduced<T> reduced(T x) {
  const auto [n, low] = rounded<lift>(x, ExpRange<T>::kLog2e);
  const T high = fused(n, -kLn2High<T>, x);
  const T r = fused(n, -kLn2Low<T>, high);
  return {r, fused(n, -kLn2Low<T>, high - r), low};
}

// exp(r) - 1 - r
template <class T> [[gnu::always_inline]] inline T exp_rest(T r) { return r * r * fitted::exp(r); }

// p 2^n where that may be subnormal, which `tiny` says; p is not 0 and not NaN.
template <class T> [[gnu::always_inline]] inline T lowered(T p, BitsOf<T> n, bool tiny) {
  const BitsOf<T> bits = bits_of(p) + (n << kMantissa<T>);
  const T lifted = from_bits<T>(bits + (BitsOf<T>{64} << kMantissa<T>));
  return tiny ? lifted * T(0x1p-64) : from_bits<T>(bits);
}

// exp(x) where it is normal
template <class T> [[gnu::always_inline]] inline T exp_near(T x) {
  const auto [r, rest, n] = reduced(x);
  return from_bits<T>(bits_of(fused(r * r, fitted::exp(r), r) + T{1}) + (n << kMantissa<T>));
}
// exp(x) for x that is not above 0, or NaN: exactly 0 where it would not be normal.
template <class T> [[gnu::always_inline]] inline T exp_below(T x) {
  constexpr T kEnd = -ExpRange<T>::kNormal;
  const T y = exp_near(x > kEnd ? x : kEnd);
  return x > kEnd ? y : (x == x ? T{0} : x);
}
template <class T> [[gnu::always_inline]] inline T exp_of(T x) {
  using Range = ExpRange<T>;
  const auto [r, rest, n] = reduced(x > -Range::kEnd ? x : -Range::kEnd);
  const T y = lowered(fused(r * r, fitted::exp(r), r) + T{1}, n, x < -Range::kEnd / 2);
  return x <= Range::kLast ? y : x + kInfinity<T>;  // infinity, or NaN
}

template <class T> [[gnu::always_inline]] inline T exp2_near(T x) {
  const auto [whole, n] = rounded(x, T{1});
  const T r = x - whole;
  return from_bits<T>(bits_of(fused(r, fitted::exp2(r), T{1})) + (n << kMantissa<T>));
}
template <class T> [[gnu::always_inline]] inline T exp2_of(T x) {
  constexpr T kEnd = kSingle<T> ? T{-151} : T{-1076};
  const T y = x > kEnd ? x : kEnd;
  const auto [whole, n] = rounded(y, T{1});
  const T r = y - whole;
  const T p = lowered(fused(r, fitted::exp2(r), T{1}), n, x < kEnd / 2);
  return x < T{kBias<T> + 1} ? p : x + kInfinity<T>;
}

// x 2^n for whole n. Of three factors the largest comes last, lest it rounds twice on the way down.
template <class T> [[gnu::always_inline]] inline T times_power(T x, T n) {
  constexpr T kLow = 1 - kBias<T>, kHigh = kBias<T>;
  const auto within = [](T m) { return m < kLow ? kLow : m > kHigh ? kHigh : m; };
  const auto power = [](T m) { return power_of_two<T>(rounded<kBias<T>>(m, T{1}).low); };
  const T last = within(n), middle = within(n - last), first = within(n - last - middle);
  return x * power(first) * power(middle) * power(last);
}
// a 2^b, exactly for whole b
template <class T> [[gnu::always_inline]] inline T ldexp_of(T a, T b) {
  const T whole = floor_of(b);
  const T y = times_power(a * exp2_of(b - whole), whole);
  const T end = b > 0 ? kInfinity<T> : T{0};
  return abs_of(b) == kInfinity<T> ? a * end : y;
}

// exp(rest - a) = (1 + m) up down for a from 0 to kEnd and a small rest. Times a number, it rounds well
// even where it is subnormal itself, since the smallest factor comes last. `near` says that it is normal.
template <class T, bool near = false> struct Decay {
  static constexpr int kUp = near ? 0 : kSingle<T> ? 64 : 512;
  static constexpr T kDown = near ? T{1} : kSingle<T> ? T(0x1p-64) : T(0x1p-512);
  T m, up;
  [[gnu::always_inline]] explicit Decay(T a, T rest = T{0}) {
    const auto [r, lost, low] = reduced<kBias<T> + kUp>(-a);
    const T whole = r + rest;
    if constexpr (kSingle<T>) m = fused(whole * whole, fitted::exp(whole), whole);
    else m = whole + fused(whole * whole, fitted::exp(whole), lost);
    up = power_of_two<T>(low);
  }
  [[gnu::always_inline]] T times(T x) const { return fused(x, m, x) * up * kDown; }
  [[gnu::always_inline]] T quotient(T x, T d) const { return fused(x, m, x) / d * up * kDown; }
};

// expm1(x) 2^-down for x that is limited already: 2^(n-down) expm1(r) + 2^(n-down) - 2^-down.
template <int down, class T> [[gnu::always_inline]] inline T expm1_part(T x) {
  const auto [r, rest, low] = reduced<kBias<T> - down>(x);
  const T scale = power_of_two<T>(low);
  const T first = fused(scale, r, scale - T{1} / T{1 << down});
  return fused(scale, kSingle<T> ? exp_rest(r) : exp_rest(r) + rest, first);
}

// For sizes up to kHalfway.
template <class T> [[gnu::always_inline]] inline T expm1_near(T x) {
  return signed_as(T{2} * expm1_part<1>(x), x);
}
template <class T> [[gnu::always_inline]] inline T expm1_of(T x) {
  using Range = ExpRange<T>;
  const T y = T{2} * expm1_part<1>(x > -Range::kGone ? x : -Range::kGone);
  return x <= Range::kLast ? signed_as(y, x) : x + kInfinity<T>;
}

// cosh(x) = h + 1 / (4 h) with h = exp(|x|) / 2, in two steps: 2^n may be too large.
template <class T> [[gnu::always_inline]] inline T cosh_near(T a) {
  const auto [r, rest, low] = reduced<kBias<T> - 2>(a);
  const T half = (fused(r * r, fitted::exp(r), r) + T{1}) * power_of_two<T>(low) * T{2};
  return half + T{0.25} / half;
}
template <class T> [[gnu::always_inline]] inline T cosh_of(T x) {
  const T y = cosh_near(limited(abs_of(x), ExpRange<T>::kLast + 1));
  return x == x ? y : x;
}

// sinh(x) = t + t / (2 t + 1) with t = expm1(|x|) / 2; from kGone on, t alone.
template <class T> [[gnu::always_inline]] inline T sinh_near(T x) {
  const T t = expm1_part<1>(abs_of(x));
  return signed_as(t + t / (T{2} * t + T{1}), x);
}
template <class T> [[gnu::always_inline]] inline T sinh_of(T x) {
  using Range = ExpRange<T>;
  const T a = abs_of(x);
  const T t = T{2} * expm1_part<2>(limited(a, Range::kLast + 1));
  const T small = a < Range::kGone ? t / (T{2} * t + T{1}) : T{0};
  const T y = signed_as(t + small, x);
  return x == x ? y : x;
}

// tanh(x) = h / (h + 1) with h = expm1(2|x|) / 2. In double what the sum and the quotient lose is put
// back: 1 / (h + 1) is 1 - tanh(x).
template <class T> [[gnu::always_inline]] inline T tanh_near(T x, T a) {
  const T half = expm1_part<1>(T{2} * a);
  const T sum = half + T{1};
  T y = half / sum;
  if constexpr (!kSingle<T>) {
    const T lost = fused(-y, half - (sum - T{1}), fused(-y, sum, half));
    y = fused(half < T(0x1p20) ? lost : T{0}, T{1} - y, y);
  }
  return signed_as(y, x);
}
template <class T> [[gnu::always_inline]] inline T tanh_of(T x) {
  const T y = tanh_near(x, limited(abs_of(x), ExpRange<T>::kGone / 2));
  return x == x ? y : x;
}

}  // namespace strided::kernels::elementwise::STRIDED_ISA
