// Sort keys: elements as unsigned numbers in the same order. Sorting and selecting need to know no more of a dtype.
//
//   exact key   key(x) < key(y) when x comes before y; the element can be made from it again, but
//               -0.0 comes before 0.0, and a NaN loses its sign
//   tied key    elements that count as equal (-0.0 and 0.0, all NaN) have equal keys
// NaN comes after all numbers. Always inlined: loops for several instruction sets use these.
#pragma once

#include <cstdint>
#include <type_traits>

#include "simd/integer_of_size.hpp"
#include "dtype/dtype.hpp"

namespace strided::kernels::sort {

enum class Ties : bool { Distinct, Equal };  // exact keys, tied keys

// The unsigned type that holds a key: no narrower than 32 bits.
template <class T>
using KeyOf = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;

// Calls run(Key{}) for the type that holds keys of this dtype.
template <class Run>
decltype(auto) with_key(DType dtype, Run&& run) {
  if (itemsize(dtype) == 8) return run(std::uint64_t{});
  return run(std::uint32_t{});
}

// The bits of infinity; everything above it, without the sign, is a NaN.
template <class T>
constexpr BitsOf<T> infinity_bits() {
  if constexpr (std::is_same_v<T, float16>) return 0x7c00;
  else if constexpr (std::is_same_v<T, bfloat16>) return 0x7f80;
  else if constexpr (std::is_same_v<T, float>) return 0x7f800000u;
  else return 0x7ff0000000000000u;
}

template <class T>
inline constexpr bool is_float_element = !std::is_integral_v<T>;

template <class T>
struct SortKey {
  using Bits = BitsOf<T>;
  using Key = KeyOf<T>;
  static constexpr Bits kSign = static_cast<Bits>(Bits{1} << (8 * sizeof(T) - 1));

  template <Ties ties>
  [[gnu::always_inline]] static Key of(Bits bits) {
    if constexpr (std::is_same_v<T, bool>) {
      return bits != 0;
    } else if constexpr (!is_float_element<T>) {
      return std::is_signed_v<T> ? static_cast<Bits>(bits ^ kSign) : bits;
    } else {
      const Bits size = static_cast<Bits>(bits & ~kSign);
      const bool nan = size > infinity_bits<T>();
      const Bits above = static_cast<Bits>(size | kSign);
      const Bits positive = static_cast<Bits>(bits | kSign);
      const Bits negative = static_cast<Bits>(~bits);
      if constexpr (ties == Ties::Distinct) {
        return nan ? above : bits < kSign ? positive : negative;
      } else {
        const Bits number = bits <= kSign ? positive : negative;  // -0.0 is bits == kSign
        return nan ? static_cast<Bits>(~Bits{0}) : number;
      }
    }
  }

  // Not 0 if elements that count as equal may differ in their bits, with this one among them. (Without a
  // branch: the loop around it is to be vectorised.)
  template <Ties ties>
  [[gnu::always_inline]] static Bits ambiguity(Bits bits) {
    if constexpr (!is_float_element<T>) {
      return 0;
    } else {
      const Bits negative_zero = bits == kSign;
      const Bits nan = static_cast<Bits>(bits & ~kSign) > infinity_bits<T>();
      return ties == Ties::Distinct ? negative_zero : static_cast<Bits>(negative_zero | nan);
    }
  }

  // The element with an exact key.
  [[gnu::always_inline]] static Bits element(Key key) {
    const Bits bits = static_cast<Bits>(key);
    if constexpr (std::is_same_v<T, bool>) return bits;
    else if constexpr (!is_float_element<T>) {
      return std::is_signed_v<T> ? static_cast<Bits>(bits ^ kSign) : bits;
    } else {
      return bits >= kSign ? static_cast<Bits>(bits ^ kSign) : static_cast<Bits>(~bits);
    }
  }
};

}  // namespace strided::kernels::sort
