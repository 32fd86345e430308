// How one element becomes another dtype.
//
//   to bool             whether it is nonzero (NaN is)
//   integer to integer  wraps
//   float to integer    truncates towards zero into int32 (for 8 and 16 bits, and int32) or int64, then
//                       wraps. What does not fit there, NaN included, becomes the smallest int32 or
//                       int64: the answer of x86 hardware, and so mostly of NumPy, on every machine.
//   to half types       through float32, rounded to odd where that is not exact: they round once
//   from half types     through float32, which is exact
//   complex to real     takes the real part
#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>

#include "dtype/half.hpp"

namespace strided::kernels::convert::STRIDED_ISA {

template <class T>
inline constexpr bool kIsHalf = std::is_same_v<T, float16> || std::is_same_v<T, bfloat16>;

// Whether the vectors of this instruction set convert to and from 64-bit integers.
#if defined(__AVX512DQ__) || defined(__ARM_NEON)
inline constexpr bool kConvertsLongs = true;
#else
inline constexpr bool kConvertsLongs = false;
#endif

template <class T> T size_of_float(T x) {
  if constexpr (sizeof(T) == 4) return __builtin_fabsf(x); else return __builtin_fabs(x);
}

template <class To, class T>
To truncated(T x) {
  using Whole = std::conditional_t<sizeof(To) <= 2 || std::is_same_v<To, std::int32_t>,
                                   std::int32_t, std::int64_t>;
  constexpr Whole kSmallest = std::numeric_limits<Whole>::min();
  constexpr T kEnd = -static_cast<T>(kSmallest);  // a power of two, hence exact
  if constexpr (std::is_same_v<To, std::uint64_t>) {
    const bool upper = (x >= kEnd) & (x < 2 * kEnd);
    const T lower = upper ? x - kEnd : x;
    const Whole whole = size_of_float(lower) < kEnd ? static_cast<Whole>(lower) : kSmallest;
    return static_cast<To>(whole) + (upper ? static_cast<To>(kSmallest) : To{0});
  } else if constexpr (std::is_same_v<To, std::uint32_t> && !kConvertsLongs) {
    // The rest modulo 2^32, in the low bits of a sum with 2^52.
    const double whole = __builtin_trunc(static_cast<double>(x));
    const double rest = whole - __builtin_floor(whole * 0x1p-32) * 0x1p32;
    const auto bits = __builtin_bit_cast(std::uint64_t, rest + 0x1p52);
    return size_of_float(x) < kEnd ? static_cast<To>(bits) : To{0};
  } else {
    return static_cast<To>(size_of_float(x) < kEnd ? static_cast<Whole>(x) : kSmallest);
  }
}

// The float32 that rounds to Half as x does. Only float64 needs care for float16: integers that no float32 holds are
// infinite there.
template <class Half, class From>
constexpr bool rounds_to_odd() {
  const bool wide_integer = std::is_integral_v<From> && sizeof(From) >= 4;
  return std::is_same_v<From, double> || (wide_integer && std::is_same_v<Half, bfloat16>);
}
template <class Half, class From>
[[gnu::always_inline]] inline float float_for(From x) {
  if constexpr (rounds_to_odd<Half, From>()) return rounded_to_odd(x);
  else return static_cast<float>(x);
}

template <class From, class To>
struct Convert {
  To operator()(From x) const {
    if constexpr (std::is_same_v<From, To>) return x;
    else if constexpr (kIsHalf<From>) return Convert<float, To>{}(static_cast<float>(x));
    else if constexpr (kIsHalf<To>) return To(float_for<To>(x));
    else if constexpr (std::is_same_v<To, bool>) return x != From{};
    // In two steps: compilers do not vectorise the one from bool to float.
    else if constexpr (std::is_same_v<From, bool>) return static_cast<To>(static_cast<std::int8_t>(x));
    else if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
      return truncated<To>(x);
    } else return static_cast<To>(x);
  }
};

// A complex number, without the functions of std::complex that instruction sets would share.
template <class T>
struct Pair {
  using value_type = T;
  T real, imag;
};

template <class From, class T>
struct Convert<From, Pair<T>> {
  Pair<T> operator()(From x) const { return {Convert<From, T>{}(x), T{0}}; }
};
template <class S, class T>
struct Convert<Pair<S>, Pair<T>> {
  Pair<T> operator()(Pair<S> z) const { return {static_cast<T>(z.real), static_cast<T>(z.imag)}; }
};
template <class S>
struct Convert<Pair<S>, bool> {
  bool operator()(Pair<S> z) const { return (z.real != S{0}) | (z.imag != S{0}); }
};

}  // namespace strided::kernels::convert::STRIDED_ISA
