// exp, log, tanh and what is made of them, for float32, without branches: the compiler turns loops
// over them into vectors of any width, with the same bits for every instruction set. The error is
// below 1 ulp (tanh: 1.3, sigmoid: 2.4); silu and gelu_tanh are 0 where the result would be smaller
// than 1e-37. Polynomials from S. Moshier's Cephes library (expf.c, logf.c, tanhf.c).
#pragma once

#include <cstdint>
#include <limits>

#include "op_list.hpp"

namespace strided::STRIDED_ISA {

// Bits are unsigned: what comes out for NaN and negative numbers is discarded, but must not overflow.
inline std::uint32_t bits_of(float x) { return __builtin_bit_cast(std::uint32_t, x); }
inline float float_of_bits(std::uint32_t bits) { return __builtin_bit_cast(float, bits); }
inline float power_of_two(std::int32_t n) {
  return float_of_bits((static_cast<std::uint32_t>(n) + 127) << 23);
}

// exp(x) = 2^n exp(r) with n = round(x / ln 2) and |r| <= ln 2 / 2.
inline float exp_of(float x) {
  constexpr float kLowest = -104.0f, kHighest = 89.0f;  // 0 and infinity from there on
  constexpr float kRound = 12582912.0f;  // 1.5 * 2^23: in the sum, the last bit of the mantissa is 1
  x = x < kLowest ? kLowest : x;
  x = x > kHighest ? kHighest : x;  // NaN passes both
  const float sum = x * 1.44269504f + kRound;
  const float whole = sum - kRound;
  const auto n = static_cast<std::int32_t>(bits_of(sum) - bits_of(kRound));
  const float r = x - whole * 0.693359375f - whole * -2.12194440e-4f;  // the first product is exact
  float p = 1.9875691500e-4f;
  p = p * r + 1.3981999507e-3f;
  p = p * r + 8.3334519073e-3f;
  p = p * r + 4.1665795894e-2f;
  p = p * r + 1.6666665459e-1f;
  p = p * r + 5.0000001201e-1f;
  p = p * (r * r) + r + 1.0f;
  // In two steps: 2^n alone may be too large or too small for a float.
  const std::int32_t half = n >> 1;
  return p * power_of_two(half) * power_of_two(n - half);
}

// log(x) = e ln 2 + log(1 + t) with x = 2^e (1 + t) and sqrt(1/2) <= 1 + t < sqrt(2).
inline float log_of(float x) {
  constexpr float kInf = std::numeric_limits<float>::infinity();
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  constexpr float kSmallest = std::numeric_limits<float>::min();
  constexpr std::uint32_t kRootHalf = 0x3f3504f3;  // the bits of sqrt(1/2)
  const bool subnormal = x < kSmallest;
  const std::uint32_t bits = bits_of(subnormal ? x * 8388608.0f : x) - kRootHalf;
  const std::int32_t exponent = (static_cast<std::int32_t>(bits) >> 23) - (subnormal ? 23 : 0);
  const float t = float_of_bits((bits & 0x007fffff) + kRootHalf) - 1.0f;
  const float e = static_cast<float>(exponent);
  float p = 7.0376836292e-2f;
  p = p * t - 1.1514610310e-1f;
  p = p * t + 1.1676998740e-1f;
  p = p * t - 1.2420140846e-1f;
  p = p * t + 1.4249322787e-1f;
  p = p * t - 1.6668057665e-1f;
  p = p * t + 2.0000714765e-1f;
  p = p * t - 2.4999993993e-1f;
  p = p * t + 3.3333331174e-1f;
  const float square = t * t;
  const float y = p * t * square + e * -2.12194440e-4f - 0.5f * square;
  const float result = t + y + e * 0.693359375f;
  const float special = x == 0 ? -kInf : x == kInf ? kInf : kNan;
  return ((x > 0) & (x < kInf)) ? result : special;
}

// An odd polynomial near 0; beyond, 1 - 2 / (exp(2|x|) + 1) loses nothing.
inline float tanh_of(float x) {
  const float size = __builtin_fabsf(x);
  const float square = x * x;
  float p = -5.70498872745e-3f;
  p = p * square + 2.06390887954e-2f;
  p = p * square - 5.37397155531e-2f;
  p = p * square + 1.33314422036e-1f;
  p = p * square - 3.33332819422e-1f;
  const float near = p * square * size + size;
  const float far = 1.0f - 2.0f / (exp_of(2.0f * size) + 1.0f);
  return __builtin_copysignf(size < 0.625f ? near : far, x);
}

template <Op op>
struct FloatMath {
  float operator()(float x) const {
    if constexpr (op == Op::Exp) return exp_of(x);
    else if constexpr (op == Op::Log) return log_of(x);
    else if constexpr (op == Op::Tanh) return tanh_of(x);
    else if constexpr (op == Op::Sigmoid) return 1.0f / (1.0f + exp_of(-x));
    else if constexpr (op == Op::Silu) return x / (1.0f + exp_of(-x));
    else if constexpr (op == Op::GeluTanh) {  // x (1 + tanh(u)) / 2 = x / (1 + exp(-2u))
      return x / (1.0f + exp_of(-1.59576912f * (x + 0.044715f * x * x * x)));
    }
  }
};

}  // namespace strided::STRIDED_ISA
