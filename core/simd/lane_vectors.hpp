// Elements of any dtype as lanes of vectors of another one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#include "dtype/half.hpp"
#include "layout/dims.hpp"
#include "registers.hpp"

namespace strided::STRIDED_ISA {

template <class T>
inline constexpr Index kLanes = kVectorBytes / static_cast<Index>(sizeof(T));

// One part of a complex number: the real (0) or the imaginary one (1).
template <class T, int which>
struct Part {
  T parts[2];
};
template <class From>
inline constexpr int kPart = -1;
template <class T, int which>
inline constexpr int kPart<Part<T, which>> = which;

template <class V, std::size_t... lane>
[[gnu::always_inline]] inline V every_second(const V& a, const V& b, int first,
                                             std::index_sequence<lane...>) {
  return first == 0 ? __builtin_shufflevector(a, b, 2 * lane...)
                    : __builtin_shufflevector(a, b, 2 * lane + 1 ...);
}

// `count` contiguous elements of type From as lanes. float16 only where the processor converts it.
template <class T, class From, Index count>
[[gnu::always_inline]] inline Vector<T, count> load_lanes(const std::byte* at) {
  using Lanes = Vector<T, count>;
  if constexpr (kPart<From> >= 0) {
    // Both parts are read, from the real one on, so that nothing behind the last number is.
    const std::byte* const first = at - kPart<From> * static_cast<Index>(sizeof(T));
    return every_second(load_vector<Lanes>(first), load_vector<Lanes>(first + sizeof(Lanes)), kPart<From>,
                        std::make_index_sequence<count>{});
  } else if constexpr (sizeof(From) == sizeof(T)) {
    return load_vector<Lanes>(at);
  } else if constexpr (std::is_integral_v<From>) {
    static_assert(sizeof(From) == 1 && sizeof(T) == 2);
    using Wide = std::conditional_t<std::is_signed_v<From>, std::int16_t, std::uint16_t>;
    const auto narrow = load_vector<Vector<From, count>>(at);
    return reinterpret_cast<Lanes>(__builtin_convertvector(narrow, Vector<Wide, count>));
  } else if constexpr (std::is_same_v<From, bfloat16>) {
    return read_bfloat16<count>(at);
  } else {
    static_assert(std::is_same_v<From, float16>);
#if defined(__AVX512F__)
    if constexpr (count == 16) {
      // The masked form: older compilers warn about the plain one.
      return reinterpret_cast<Lanes>(_mm512_maskz_cvtph_ps(0xffff, load_vector<__m256i>(at)));
    }
#endif
#if defined(__F16C__)
    if constexpr (count == 8) return reinterpret_cast<Lanes>(_mm256_cvtph_ps(load_vector<__m128i>(at)));
    if constexpr (count == 4) return reinterpret_cast<Lanes>(_mm_cvtph_ps(_mm_loadu_si64(at)));
#endif
  }
}

template <class T, class From>
[[gnu::always_inline]] inline T load_lane(const std::byte* at) {
  if constexpr (sizeof(From) == sizeof(T) || kPart<From> >= 0) {
    T value;
    std::memcpy(&value, at, sizeof(T));
    return value;
  } else {
    From value;
    std::memcpy(&value, at, sizeof(From));
    return static_cast<T>(value);
  }
}

// Lanes of 16 bits wrap like the others: as ints, which C++ would make of them, they could overflow.
template <class T>
[[gnu::always_inline]] inline T multiply_lanes(T a, T b) {
  if constexpr (std::is_same_v<T, std::uint16_t>) return static_cast<T>(std::uint32_t(a) * b);
  else return a * b;
}

// The first lanes of a vector; neither reads nor writes beyond them.
#if defined(__AVX512BW__)
inline constexpr bool kHasMasks = true;

template <class T>
using Mask = std::conditional_t<sizeof(T) == 2, __mmask32,
                                std::conditional_t<sizeof(T) == 4, __mmask16, __mmask8>>;

// 1 <= count <= kLanes<T>
template <class T>
[[gnu::always_inline]] inline Mask<T> mask_of(Index count) {
  return static_cast<Mask<T>>(0xffffffffu >> (32 - count));
}
template <class T>
[[gnu::always_inline]] inline Vector<T> load_masked(const std::byte* at, Mask<T> mask) {
  if constexpr (sizeof(T) == 2) return reinterpret_cast<Vector<T>>(_mm512_maskz_loadu_epi16(mask, at));
  else if constexpr (sizeof(T) == 4) return reinterpret_cast<Vector<T>>(_mm512_maskz_loadu_epi32(mask, at));
  else return reinterpret_cast<Vector<T>>(_mm512_maskz_loadu_epi64(mask, at));
}
template <class T>
[[gnu::always_inline]] inline void store_masked(std::byte* at, Vector<T> value, Mask<T> mask) {
  const auto bits = reinterpret_cast<__m512i>(value);
  if constexpr (sizeof(T) == 2) _mm512_mask_storeu_epi16(at, mask, bits);
  else if constexpr (sizeof(T) == 4) _mm512_mask_storeu_epi32(at, mask, bits);
  else _mm512_mask_storeu_epi64(at, mask, bits);
}
#else
inline constexpr bool kHasMasks = false;
#endif

}  // namespace strided::STRIDED_ISA
