// The activations of neural networks that are made of exp and log, each by exp(-|u|): it never overflows.
#pragma once

#include "exp.hpp"
#include "log.hpp"

namespace strided::kernels::elementwise::STRIDED_ISA {

// x where it is positive, NaN too, else -0: what is taken off it keeps its sign. For -infinity it is NaN,
// as the product of x and its vanishing factor would be.
template <class T> [[gnu::always_inline]] inline T positive_part(T x) {
  return x < 0 ? x * T{0} : x;
}

// 1 / (1 + exp(-x)) = exp(x) / (1 + exp(x))
template <class T> [[gnu::always_inline]] inline T sigmoid_of(T x) {
  const Decay<T> decay(limited(abs_of(x), ExpRange<T>::kEnd));
  const T e = decay.times(T{1}), sum = T{1} + e;
  T up = T{1} / sum;
  if constexpr (!kSingle<T>) up = fused(up * up, (sum - T{1}) - e, up);  // what the sum has lost
  const T y = x < 0 ? decay.times(up) : up;
  return x == x ? y : x;
}

// Where exp(-x) is normal.
template <class T> [[gnu::always_inline]] inline T sigmoid_near(T x) {
  return T{1} / (T{1} + exp_near(-x));
}

// x sigmoid(x)
template <class T> [[gnu::always_inline]] inline T silu_near(T x) {
  return x / (T{1} + exp_near(-x));
}
template <class T> [[gnu::always_inline]] inline T silu_of(T x) {
  const T a = limited(abs_of(x), ExpRange<T>::kEnd);
  const Decay<T> decay(a);
  return positive_part(x) - decay.times(a / (T{1} + decay.times(T{1})));
}

// x (1 + tanh(u)) / 2 = x sigmoid(2 u). 2 u = x (b + c x^2) needs more digits than a number has.
template <class T> [[gnu::always_inline]] inline T gelu_tanh_of(T x) {
  constexpr T kB = kSingle<T> ? T(0x1.988454p+0) : T(0x1.9884533d43651p+0);
  constexpr T kBRest = kSingle<T> ? T(-0x1.857936p-25) : T(-0x1.cbc0d30ebfd15p-54);
  constexpr T kC = kSingle<T> ? T(0x1.2444f2p-4) : T(0x1.2444f2a4d8b4bp-4);
  constexpr T kCRest = kSingle<T> ? T(0x1.49b16ap-29) : T(-0x1.6c843a29d1c70p-61);
  const T a = limited(abs_of(x), kSingle<T> ? T(10.9) : T(21.6));
  const T square = a * a, square_rest = fused(a, a, -square);
  const T bent = square * kC, slope = bent + kB, part = slope - bent;
  const T slope_rest = ((bent - (slope - part)) + (kB - part)) + fused(square, kC, -bent) +
                       fused(square_rest, kC, fused(square, kCRest, kBRest));
  const T twice = a * slope;
  const Decay<T> decay(twice, fused(-a, slope, twice) - a * slope_rest);
  return positive_part(x) - decay.times(a / (T{1} + decay.times(T{1})));
}

// log(1 + exp(-d)) for d >= 0
template <class T> [[gnu::always_inline]] inline T log1p_decay(T d) {
  const T e = Decay<T>(limited(d, ExpRange<T>::kEnd)).times(T{1});
  const T y = T{1} + e;
  // y is at most 2, so that its exponent is 0 or 1.
  const bool high = y > T{2} * kRootHalf<T>;
  const T rest = e - (y - T{1});
  const T t = high ? fused(y, T{0.5}, T{-1}) : y - T{1};
  const T low = high ? T{0.5} * rest : rest, base = high ? kLn2High<T> : T{0};
  return base + log_near_one(t + low, high ? kLn2Low<T> : T{0});
}
template <class T> [[gnu::always_inline]] inline T softplus_of(T x) {
  return (x < 0 ? T{0} : x) + log1p_decay(abs_of(x));
}
// log(exp(a) + exp(b)); equal infinities do not become NaN.
template <class T> [[gnu::always_inline]] inline T logaddexp_of(T a, T b) {
  const T d = a == b ? T{0} : a - b;
  const T y = (a < b ? b : a) + log1p_decay(abs_of(d));
  return d == d ? y : d;
}
// log2(2^a + 2^b)
template <class T> [[gnu::always_inline]] inline T logaddexp2_of(T a, T b) {
  const T d = a == b ? T{0} : a - b;
  const T l = log1p_decay(abs_of(d) * static_cast<T>(0x1.62e42fefa39efp-1));
  const T y = fused(l, static_cast<T>(kLog2e), a < b ? b : a);
  return d == d ? y : d;
}

}  // namespace strided::kernels::elementwise::STRIDED_ISA
