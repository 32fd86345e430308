// The ground that the vectorised functions stand on: bits of a number, fused products, polynomials.
//
// Everything in this folder is arithmetic without branches on one number, float or double, so that the
// compiler turns a loop over it into vectors of any width. `fused` rounds once where the instruction set
// can; where it cannot, only functions whose bound allows for two roundings are used (see kFuses).
// All functions are always inlined: a copy that the linker could share between instruction sets would
// run on the wrong processor.
#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>

#include "simd/fused_products.hpp"
#include "simd/integer_of_size.hpp"

namespace strided::kernels::elementwise::STRIDED_ISA {

inline constexpr bool kFuses = kFusesProducts;

// Whether vectors of 64-bit integers can be shifted with their sign and converted to double.
#if defined(__AVX512DQ__) || defined(__ARM_NEON)
inline constexpr bool kHasLongs = true;
#else
inline constexpr bool kHasLongs = false;
#endif

template <class T> inline constexpr bool kSingle = sizeof(T) == 4;

template <class T> inline constexpr int kMantissa = std::numeric_limits<T>::digits - 1;  // bits
template <class T> inline constexpr int kBias = std::numeric_limits<T>::max_exponent - 1;
template <class T> inline constexpr T kInfinity = std::numeric_limits<T>::infinity();
template <class T> inline constexpr T kNan = std::numeric_limits<T>::quiet_NaN();
template <class T> inline constexpr T kSmallestNormal = std::numeric_limits<T>::min();
// ln 2 in two parts: an exponent times the first is exact.
template <class T> inline constexpr T kLn2High = kSingle<T> ? T(0x1.62ep-1) : T(0x1.62e42feep-1);
template <class T> inline constexpr T kLn2Low =
    kSingle<T> ? T(0x1.0bfbe8p-15) : T(0x1.a39ef35793c76p-33);

// Bits are unsigned: what comes out for NaN is discarded, but must not overflow.
template <class T> [[gnu::always_inline]] constexpr BitsOf<T> bits_of(T x) {
  return __builtin_bit_cast(BitsOf<T>, x);
}
template <class T> [[gnu::always_inline]] inline T from_bits(BitsOf<T> bits) {
  return __builtin_bit_cast(T, bits);
}

// a b + c
template <class T>
[[gnu::always_inline]] inline T fused(T a, std::type_identity_t<T> b, std::type_identity_t<T> c) {
  if constexpr (!kFuses) return a * b + c;
  else if constexpr (kSingle<T>) return __builtin_fmaf(a, b, c);
  else return __builtin_fma(a, b, c);
}

template <class T> [[gnu::always_inline]] inline T abs_of(T x) {
  if constexpr (kSingle<T>) return __builtin_fabsf(x); else return __builtin_fabs(x);
}
template <class T> [[gnu::always_inline]] inline T signed_as(T size, T sign) {
  if constexpr (kSingle<T>) return __builtin_copysignf(size, sign);
  else return __builtin_copysign(size, sign);
}

// Integers in the order of the numbers from `low` on, which is not negative; numbers below it come after
// all others, NaN too. So low <= x < high where rank_from(x, low) < rank_from(high, low).
template <class T> [[gnu::always_inline]] constexpr SignedOf<T> rank_from(T x, T low) {
  constexpr BitsOf<T> kTop = BitsOf<T>{1} << (8 * sizeof(T) - 1);
  return static_cast<SignedOf<T>>(bits_of(x) + (kTop - bits_of(low)));
}

// Builtins stand in for <cmath>, whose inline functions would be shared between instruction sets.
template <class T> [[gnu::always_inline]] inline T sqrt_of(T x) {
  if constexpr (kSingle<T>) return __builtin_sqrtf(x); else return __builtin_sqrt(x);
}
template <class T> [[gnu::always_inline]] inline T floor_of(T x) {
  if constexpr (kSingle<T>) return __builtin_floorf(x); else return __builtin_floor(x);
}
template <class T> [[gnu::always_inline]] inline T ceil_of(T x) {
  if constexpr (kSingle<T>) return __builtin_ceilf(x); else return __builtin_ceil(x);
}
template <class T> [[gnu::always_inline]] inline T trunc_of(T x) {
  if constexpr (kSingle<T>) return __builtin_truncf(x); else return __builtin_trunc(x);
}
// Halves to even, in the rounding mode every process starts with.
template <class T> [[gnu::always_inline]] inline T round_of(T x) {
  if constexpr (kSingle<T>) return __builtin_nearbyintf(x); else return __builtin_nearbyint(x);
}

// Whether the highest bit is set. Asked as a comparison: GCC 12 does not vectorise a truth value that is
// made from one bit.
template <class Bits> [[gnu::always_inline]] inline bool is_below(Bits bits) {
  return static_cast<std::make_signed_t<Bits>>(bits) < 0;
}

// The smaller of two numbers that are not negative; NaN counts as large.
template <class T> [[gnu::always_inline]] inline T limited(T a, T end) {
  const auto x = static_cast<SignedOf<T>>(bits_of(a)), y = static_cast<SignedOf<T>>(bits_of(end));
  return from_bits<T>(static_cast<BitsOf<T>>(x < y ? x : y));
}

// The value of a polynomial, lowest power first.
template <class T> [[gnu::always_inline]] inline T polynomial(T, std::type_identity_t<T> c) {
  return c;
}
template <class T, class... More>
[[gnu::always_inline]] inline T polynomial(T u, std::type_identity_t<T> c, More... more) {
  return fused(polynomial(u, more...), u, c);
}

// The same by even and odd powers apart: half as many roundings (and waits) follow each other.
template <class T> [[gnu::always_inline]] inline T every_other(T, T c) { return c; }
template <class T> [[gnu::always_inline]] inline T every_other(T, T c, T) { return c; }
template <class T, class... More>
[[gnu::always_inline]] inline T every_other(T square, T c, T, More... more) {
  return fused(every_other(square, more...), square, c);
}
template <class T, class... More>
[[gnu::always_inline]] inline T by_halves(T u, T c, More... more) {
  const T square = u * u;
  return fused(every_other(square, more...), u, every_other(square, c, more...));
}

// The nearest integer n to x * scale, which must be far smaller than 2^23 (2^52): as a number, and with
// `lift` added in the low bits of an integer. In the sum with 1.5 * 2^23 the last bit stands for 1.
template <class T> struct Rounded {
  T n;
  BitsOf<T> low;
};
template <int lift = 0, class T>
[[gnu::always_inline]] inline Rounded<T> rounded(T x, T scale) {
  constexpr T kShift = static_cast<T>(BitsOf<T>{3} << (kMantissa<T> - 1)) + lift;
  const T sum = fused(x, scale, kShift);
  return {sum - kShift, bits_of(sum)};
}
// 2^(n + lift - bias)
template <class T> [[gnu::always_inline]] inline T power_of_two(BitsOf<T> low) {
  return from_bits<T>(low << kMantissa<T>);
}

}  // namespace strided::kernels::elementwise::STRIDED_ISA
