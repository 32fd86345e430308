// Packed numbers rounded to odd into float32 (dtype/half.hpp), a vector at a time: the same bits as element by element,
// which compilers do not vectorise.
#pragma once

#include "simd/vector.hpp"

namespace strided::STRIDED_ISA {

// The first elements of n, whole vectors of them; returns how many. None where the level has no vectors for it.
template <class From>
[[gnu::always_inline]] inline Index round_vectors_to_odd(Index, std::byte*, const std::byte*) {
  return 0;
}

#if defined(__AVX512DQ__) && defined(__AVX512VL__)

// Rounded towards zero; then the last bit says whether that changed anything.
inline constexpr int kTowardsZero = _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC;
inline constexpr __mmask8 kAll = 0xff;  // without a mask GCC warns of an operand that it never reads

template <class Round>
[[gnu::always_inline]] inline Index round_eights_to_odd(Index n, std::byte* out, const std::byte* in, Round&& round) {
  Index i = 0;
  for (; i + 8 <= n; i += 8) {
    const auto [floats, inexact] = round(in + i * 8);
    const __m256i bits = _mm256_castps_si256(floats);
    store_vector(out + i * 4, _mm256_mask_or_epi32(bits, inexact, bits, _mm256_set1_epi32(1)));
  }
  return i;
}
struct Truncated {
  __m256 floats;
  __mmask8 inexact;
};

template <>
[[gnu::always_inline]] inline Index round_vectors_to_odd<double>(Index n, std::byte* out, const std::byte* in) {
  return round_eights_to_odd(n, out, in, [](const std::byte* at) {
    const __m512d x = _mm512_loadu_pd(at);
    const __m256 floats = _mm512_maskz_cvt_roundpd_ps(kAll, x, kTowardsZero);
    return Truncated{floats, _mm512_cmp_pd_mask(_mm512_maskz_cvtps_pd(kAll, floats), x, _CMP_NEQ_UQ)};
  });
}
template <>
[[gnu::always_inline]] inline Index round_vectors_to_odd<std::int64_t>(Index n, std::byte* out, const std::byte* in) {
  return round_eights_to_odd(n, out, in, [](const std::byte* at) {
    const __m512i x = _mm512_loadu_si512(at);
    const __m256 floats = _mm512_maskz_cvt_roundepi64_ps(kAll, x, kTowardsZero);
    return Truncated{floats, _mm512_cmpneq_epi64_mask(_mm512_maskz_cvttps_epi64(kAll, floats), x)};
  });
}
template <>
[[gnu::always_inline]] inline Index round_vectors_to_odd<std::uint64_t>(Index n, std::byte* out, const std::byte* in) {
  return round_eights_to_odd(n, out, in, [](const std::byte* at) {
    const __m512i x = _mm512_loadu_si512(at);
    const __m256 floats = _mm512_maskz_cvt_roundepu64_ps(kAll, x, kTowardsZero);
    return Truncated{floats, _mm512_cmpneq_epi64_mask(_mm512_maskz_cvttps_epu64(kAll, floats), x)};
  });
}

#elif defined(__AVX2__)

// Rounded to nearest, taken back one step where that went away from zero; the last bit says whether that is exact.
template <>
[[gnu::always_inline]] inline Index round_vectors_to_odd<double>(Index n, std::byte* out, const std::byte* in) {
  const __m256d magnitude = _mm256_castsi256_pd(_mm256_set1_epi64x(~(std::int64_t{1} << 63)));
  Index i = 0;
  for (; i + 4 <= n; i += 4) {
    const __m256d x = _mm256_loadu_pd(reinterpret_cast<const double*>(in + i * 8));
    const __m128 nearest = _mm256_cvtpd_ps(x);
    const __m256d back = _mm256_cvtps_pd(nearest);
    const auto in_floats = [](__m256d mask) {
      const __m256 words = _mm256_castpd_ps(mask);
      return _mm_castps_si128(_mm_shuffle_ps(_mm256_castps256_ps128(words), _mm256_extractf128_ps(words, 1), 0x88));
    };
    const __m128i too_large = in_floats(
        _mm256_cmp_pd(_mm256_and_pd(back, magnitude), _mm256_and_pd(x, magnitude), _CMP_GT_OQ));
    const __m128i inexact = in_floats(_mm256_cmp_pd(back, x, _CMP_NEQ_UQ));
    const __m128i truncated = _mm_add_epi32(_mm_castps_si128(nearest), too_large);
    store_vector(out + i * 4, _mm_or_si128(truncated, _mm_srli_epi32(inexact, 31)));
  }
  return i;
}

#endif

}  // namespace strided::STRIDED_ISA
