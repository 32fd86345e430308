// What is exact, or nearly: remainders and floor quotients, hypot, neighbours.
#pragma once

#include "real.hpp"

namespace strided::kernels::elementwise::STRIDED_ISA {

// a = whole b + rest with 0 <= rest < b, for positive ones. The quotient may round up to a whole number,
// hence the correction; the fused product is exact, as rest has no digits below those of a and b.
template <class T> struct Division {
  T whole, rest;
  [[gnu::always_inline]] Division(T a, T b) {
    const T quotient = trunc_of(a / b);
    const T left = fused(-quotient, b, a);
    whole = left < 0 ? quotient - T{1} : quotient;
    rest = left < 0 ? left + b : left;
  }
};
// It holds for quotients below this, and finite divisors.
template <class T> inline constexpr T kWholeEnd = static_cast<T>(BitsOf<T>{1} << (kMantissa<T> - 1));

// What truncated division leaves; has the sign of a.
template <class T> [[gnu::always_inline]] inline T fmod_of(T a, T b) {
  return signed_as(Division<T>(abs_of(a), abs_of(b)).rest, a);
}

// What floor division leaves, by what truncated division leaves; has the sign of b, zero included.
template <class T> [[gnu::always_inline]] inline T remainder_by(T rest, T b) {
  const T moved = (rest < 0) != (b < 0) ? rest + b : rest;
  return rest == 0 ? signed_as(T{0}, b) : moved;
}

// The quotient rounded down, so that a == b * floor_divide(a, b) + remainder(a, b).
template <class T> [[gnu::always_inline]] inline T floor_quotient_of(T a, T b) {
  const Division<T> by(abs_of(a), abs_of(b));
  const bool apart = is_below(bits_of(a) ^ bits_of(b));
  const T down = by.rest == 0 ? -by.whole : T{-1} - by.whole;
  return apart ? down : by.whole;
}
// The same by what truncated division leaves, for any a and b.
template <class T> [[gnu::always_inline]] inline T floor_quotient_by(T rest, T a, T b) {
  if (!(abs_of(a) < kInfinity<T> && abs_of(b) < kInfinity<T> && b != 0)) return floor_of(a / b);
  // a - rest is a multiple of b up to rounding.
  const T exact = (a - rest) / b - (rest != 0 && (rest < 0) != (b < 0) ? T{1} : T{0});
  return exact == 0 ? signed_as(T{0}, a / b) : round_of(exact);
}

// sqrt(x^2 + y^2), both scaled by a power of two near the larger one.
template <class T> [[gnu::always_inline]] inline T hypot_of(T x, T y) {
  using Bits = BitsOf<T>;
  constexpr Bits kOne = Bits{1} << kMantissa<T>, kMost = Bits{2 * kBias<T> - 2} * kOne;
  const T a = abs_of(x), b = abs_of(y);
  const T large = a > b ? a : b, small = a > b ? b : a;
  const Bits exponent = bits_of(large) & ~(kOne - 1);
  const Bits lifted = exponent < kOne ? kOne : exponent;
  const Bits scale = lifted < kMost ? lifted : kMost;
  const T down = from_bits<T>(Bits{2 * kBias<T>} * kOne - scale);
  const T p = large * down, q = small * down;
  const T root = sqrt_of(fused(p, p, q * q)) * from_bits<T>(scale);
  return ((a == kInfinity<T>) | (b == kInfinity<T>)) ? kInfinity<T> : root;
}

// The neighbour of x in the direction of y.
template <class T> [[gnu::always_inline]] inline T next_after(T x, T y) {
  using Bits = BitsOf<T>;
  const Bits step = (y > x) == (x > 0) ? Bits{1} : ~Bits{0};
  const T next = x == 0 ? signed_as(from_bits<T>(1), y) : from_bits<T>(bits_of(x) + step);
  const T moved = x == y ? y : next;
  return ((x == x) & (y == y)) ? moved : x + y;
}

}  // namespace strided::kernels::elementwise::STRIDED_ISA
