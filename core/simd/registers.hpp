// One vector register: its types, reading elements into it, joining its lanes.
//
// Functions that loops of several instruction sets call are inlined always: a copy that the linker could
// share between sets would run on the wrong processor.
#pragma once

#include <cstdint>
#include <utility>

#include "dtype/element.hpp"
#include "dtype/half.hpp"
#include "vector.hpp"

namespace strided::STRIDED_ISA {

// The bits of a number P, or of a vector X of them.
template <class X, class P>
using BitsIn = std::conditional_t<std::is_arithmetic_v<X>, BitsOf<P>,
                                  Vector<BitsOf<P>, static_cast<int>(sizeof(X) / sizeof(P))>>;

// ---- the same lanes, twice as wide ----

// Intrinsics, because the compiler splits vectors for this, where one instruction does it.
template <class P, class T, int kCount>
[[gnu::always_inline]] inline Vector<P, kCount> widened(Vector<T, kCount> narrow) {
  static_assert(sizeof(P) == 2 * sizeof(T));
  using Wide = Vector<P, kCount>;
  [[maybe_unused]] constexpr bool kFloat = std::is_same_v<T, float>;
  [[maybe_unused]] constexpr bool kSigned = std::is_signed_v<T>;
  [[maybe_unused]] constexpr int kSize = sizeof(T);
#if defined(__AVX512F__)
  if constexpr (sizeof(Wide) == 64) {
    if constexpr (kFloat) {
      return __builtin_bit_cast(Wide, _mm512_maskz_cvtps_pd(0xff, __builtin_bit_cast(__m256, narrow)));
    } else {
      const auto from = __builtin_bit_cast(__m256i, narrow);
      __m512i to;
      if constexpr (kSize == 1 && kSigned) to = _mm512_maskz_cvtepi8_epi16(0xffffffff, from);
      if constexpr (kSize == 1 && !kSigned) to = _mm512_maskz_cvtepu8_epi16(0xffffffff, from);
      if constexpr (kSize == 2 && kSigned) to = _mm512_maskz_cvtepi16_epi32(0xffff, from);
      if constexpr (kSize == 2 && !kSigned) to = _mm512_maskz_cvtepu16_epi32(0xffff, from);
      if constexpr (kSize == 4 && kSigned) to = _mm512_maskz_cvtepi32_epi64(0xff, from);
      if constexpr (kSize == 4 && !kSigned) to = _mm512_maskz_cvtepu32_epi64(0xff, from);
      return __builtin_bit_cast(Wide, to);
    }
  } else
#endif
#if defined(__AVX2__)
  if constexpr (sizeof(Wide) == 32) {
    if constexpr (kFloat) {
      return __builtin_bit_cast(Wide, _mm256_cvtps_pd(__builtin_bit_cast(__m128, narrow)));
    } else {
      const auto from = __builtin_bit_cast(__m128i, narrow);
      __m256i to;
      if constexpr (kSize == 1 && kSigned) to = _mm256_cvtepi8_epi16(from);
      if constexpr (kSize == 1 && !kSigned) to = _mm256_cvtepu8_epi16(from);
      if constexpr (kSize == 2 && kSigned) to = _mm256_cvtepi16_epi32(from);
      if constexpr (kSize == 2 && !kSigned) to = _mm256_cvtepu16_epi32(from);
      if constexpr (kSize == 4 && kSigned) to = _mm256_cvtepi32_epi64(from);
      if constexpr (kSize == 4 && !kSigned) to = _mm256_cvtepu32_epi64(from);
      return __builtin_bit_cast(Wide, to);
    }
  } else
#endif
  return __builtin_convertvector(narrow, Wide);
}

// ---- reading ----

template <int kCount>
[[gnu::always_inline]] inline Vector<float, kCount> read_float16(const std::byte* at) {
#if defined(__AVX512F__)
  if constexpr (kCount == 16) {
    const __m256i halves = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(at));
    return __builtin_bit_cast(Vector<float, kCount>, _mm512_maskz_cvtph_ps(0xffff, halves));
  }
#endif
#if defined(__F16C__)
  if constexpr (kCount == 8) {
    const __m128i halves = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
    return __builtin_bit_cast(Vector<float, kCount>, _mm256_cvtph_ps(halves));
  }
  if constexpr (kCount == 4) {
    return __builtin_bit_cast(Vector<float, kCount>, _mm_cvtph_ps(_mm_loadu_si64(at)));
  }
#endif
  Vector<float, kCount> floats{};
  for (int i = 0; i < kCount; ++i) floats[i] = static_cast<float>(load<float16>(at + 2 * i));
  return floats;
}

template <int kCount>
[[gnu::always_inline]] inline Vector<float, kCount> read_bfloat16(const std::byte* at) {
  using Pattern = Vector<std::uint32_t, kCount>;
  Pattern bits;
#if defined(__AVX2__)
  if constexpr (kCount == 4) {
    bits = __builtin_bit_cast(Pattern, _mm_cvtepu16_epi32(_mm_loadu_si64(at)));
  } else
#endif
  {
    Vector<std::uint16_t, kCount> halves;
    std::memcpy(&halves, at, sizeof(halves));
    bits = widened<std::uint32_t, std::uint16_t, kCount>(halves);
  }
  return __builtin_bit_cast(Vector<float, kCount>, bits << 16);
}

// kCount contiguous elements, as lanes of P.
template <class P, class T, int kCount>
[[gnu::always_inline]] inline Vector<P, kCount> read_vector(const std::byte* at) {
  if constexpr (std::is_same_v<P, T>) {
    Vector<T, kCount> elements;
    std::memcpy(&elements, at, sizeof(elements));
    return elements;
  } else if constexpr (std::is_same_v<T, float16> && std::is_same_v<P, float>) {
    return read_float16<kCount>(at);
  } else if constexpr (std::is_same_v<T, bfloat16> && std::is_same_v<P, float>) {
    return read_bfloat16<kCount>(at);
  } else if constexpr (std::is_same_v<T, float16> || std::is_same_v<T, bfloat16>) {
    return widened<P, float, kCount>(read_vector<float, T, kCount>(at));
  } else {
    return widened<P, T, kCount>(read_vector<T, T, kCount>(at));
  }
}

// ---- joining ----

template <class V, std::size_t... i>
[[gnu::always_inline]] inline auto lower_half(V v, std::index_sequence<i...>) {
  return __builtin_shufflevector(v, v, i...);
}
template <class V, std::size_t... i>
[[gnu::always_inline]] inline auto upper_half(V v, std::index_sequence<i...>) {
#if defined(__AVX2__)
  if constexpr (std::is_same_v<V, Vector<float, 8>>) {  // the compiler takes a slower way
    return __builtin_bit_cast(Vector<float, 4>, _mm256_extractf128_ps(__builtin_bit_cast(__m256, v), 1));
  } else
#endif
  return __builtin_shufflevector(v, v, (sizeof...(i) + i)...);
}

// All lanes of a vector, each with the one half a vector further.
template <class P, int kCount, class Join>
[[gnu::always_inline]] inline P join_vector(Vector<P, kCount> v, Join join) {
  if constexpr (kCount == 2) {
    return static_cast<P>(join(P(v[0]), P(v[1])));
  } else {
    using Half = std::make_index_sequence<kCount / 2>;
    return join_vector<P, kCount / 2>(join(lower_half(v, Half{}), upper_half(v, Half{})), join);
  }
}

// a + b, to the bit, by a fused product with 1: the adders are busy with widening lanes.
[[gnu::always_inline]] inline Vector<double> plus_made_wide(Vector<double> a, Vector<double> b) {
#if defined(__AVX512F__)
  return __builtin_bit_cast(Vector<double>, _mm512_fmadd_pd(__builtin_bit_cast(__m512d, b), _mm512_set1_pd(1),
                                                            __builtin_bit_cast(__m512d, a)));
#elif defined(__FMA__)
  return __builtin_bit_cast(Vector<double>, _mm256_fmadd_pd(__builtin_bit_cast(__m256d, b), _mm256_set1_pd(1),
                                                            __builtin_bit_cast(__m256d, a)));
#else
  return a + b;
#endif
}

template <class V, std::size_t... i>
[[gnu::always_inline]] inline V counting(std::index_sequence<i...>) {
  return V{static_cast<std::remove_cvref_t<decltype(V{}[0])>>(i)...};
}

}  // namespace strided::STRIDED_ISA
