// Packed numbers to half types, a vector at a time: rounded to odd into float32 (dtype/half.hpp), then to nearest. The
// same bits as element by element, which compilers do not vectorise.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "dtype/half.hpp"
#include "kernels/fill_loops.hpp"
#include "simd/vector.hpp"

namespace strided::kernels::convert::STRIDED_ISA {

// Which numbers have vector code on this level; kLanes elements at a time.
template <class From>
struct FloatsForHalf {
  static constexpr Index kLanes = 0;  // none
};

#if defined(__AVX512DQ__) && defined(__AVX512VL__)

// Rounded towards zero; then the last bit says whether that changed anything. GCC warns of intrinsics without a mask
// that they read an operand that is not set.
inline constexpr int kTowardsZero = _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC;
inline constexpr __mmask8 kEight = 0xff;  // all of eight lanes

[[gnu::always_inline]] inline __m512i marked_inexact(__m512 floats, __mmask16 inexact) {
  const __m512i bits = _mm512_castps_si512(floats);
  return _mm512_mask_or_epi32(bits, inexact, bits, _mm512_set1_epi32(1));
}

// Two times eight; convert(at, floats) returns which of them are to be marked as inexact.
template <class Convert>
[[gnu::always_inline]] inline __m512i sixteen_floats(const std::byte* in, Convert&& convert) {
  __m256 low, high;
  const __mmask8 first = convert(in, low), second = convert(in + 64, high);
  const __m512 floats = _mm512_insertf32x8(_mm512_castps256_ps512(low), high, 1);
  return marked_inexact(floats, _mm512_kunpackb(second, first));
}

template <>
struct FloatsForHalf<double> {
  static constexpr Index kLanes = 16;
  template <class Half>
  [[gnu::always_inline]] static __m512i load(const std::byte* in) {
    if constexpr (std::is_same_v<Half, float16>) {
      // Where a float is normal, what it leaves out is the last 29 bits. All others are 0 as float16.
      return sixteen_floats(in, [](const std::byte* at, __m256& out) {
        const __m512d x = _mm512_loadu_pd(at);
        out = _mm512_maskz_cvt_roundpd_ps(kEight, x, kTowardsZero);
        return _mm512_test_epi64_mask(_mm512_castpd_si512(x), _mm512_set1_epi64((1 << 29) - 1));
      });
    }
    // To round to nearest twice is wrong only where the float is a tie of bfloat16, which is seldom. On Zen 4 this is
    // 1.5 times as fast as to look for what the floats leave out.
    const __m512i floats = sixteen_floats(in, [](const std::byte* at, __m256& out) {
      out = _mm512_maskz_cvtpd_ps(kEight, _mm512_loadu_pd(at));
      return __mmask8{0};
    });
    const __m512i rest = _mm512_maskz_slli_epi32(__mmask16(-1), floats, 16);
    const __mmask16 ties = _mm512_cmpeq_epi32_mask(rest, _mm512_set1_epi32(std::numeric_limits<std::int32_t>::min()));
    return __builtin_expect(ties == 0, true) ? floats : compared(in);
  }

 private:
  // Only a conversion back tells whether a subnormal float is exact.
  [[gnu::noinline]] static __m512i compared(const std::byte* in) {
    return sixteen_floats(in, [](const std::byte* at, __m256& out) {
      const __m512d x = _mm512_loadu_pd(at);
      out = _mm512_maskz_cvt_roundpd_ps(kEight, x, kTowardsZero);
      return _mm512_cmp_pd_mask(_mm512_maskz_cvtps_pd(kEight, out), x, _CMP_NEQ_UQ);
    });
  }
};

// Integers are small, mostly: below 2^24 they are floats.
template <class From>
struct FloatsForHalfOfLongs {
  static constexpr Index kLanes = 16;
  template <class Half>
  [[gnu::always_inline]] static __m512i load(const std::byte* in) {
    const __m512i low = _mm512_loadu_si512(in), high = _mm512_loadu_si512(in + 64);
    const bool small = (large(low) | large(high)) == 0;
    return sixteen_floats(in, [=](const std::byte* at, __m256& out) {
      const __m512i x = at == in ? low : high;
      if constexpr (std::is_signed_v<From>) out = _mm512_maskz_cvt_roundepi64_ps(kEight, x, kTowardsZero);
      else out = _mm512_maskz_cvt_roundepu64_ps(kEight, x, kTowardsZero);
      if (__builtin_expect(small, true)) return __mmask8{0};
      if constexpr (std::is_signed_v<From>) return _mm512_cmpneq_epi64_mask(_mm512_maskz_cvttps_epi64(kEight, out), x);
      else return _mm512_cmpneq_epi64_mask(_mm512_maskz_cvttps_epu64(kEight, out), x);
    });
  }

 private:
  static constexpr std::int64_t kEnd = 1 << 24;  // a float holds every integer up to here
  [[gnu::always_inline]] static __mmask8 large(__m512i x) {
    if constexpr (std::is_signed_v<From>) x = _mm512_add_epi64(x, _mm512_set1_epi64(kEnd));
    return _mm512_cmpgt_epu64_mask(x, _mm512_set1_epi64(std::is_signed_v<From> ? 2 * kEnd : kEnd));
  }
};
template <> struct FloatsForHalf<std::int64_t> : FloatsForHalfOfLongs<std::int64_t> {};
template <> struct FloatsForHalf<std::uint64_t> : FloatsForHalfOfLongs<std::uint64_t> {};

template <>
struct FloatsForHalf<std::int32_t> {
  static constexpr Index kLanes = 16;
  template <class Half>
  [[gnu::always_inline]] static __m512i load(const std::byte* in) {
    const __m512i x = _mm512_loadu_si512(in);
    const __m512 floats = _mm512_maskz_cvt_roundepi32_ps(__mmask16(-1), x, kTowardsZero);
    return marked_inexact(floats, _mm512_cmpneq_epi32_mask(_mm512_maskz_cvttps_epi32(__mmask16(-1), floats), x));
  }
};
template <>
struct FloatsForHalf<std::uint32_t> {
  static constexpr Index kLanes = 16;
  template <class Half>
  [[gnu::always_inline]] static __m512i load(const std::byte* in) {
    const __m512i x = _mm512_loadu_si512(in);
    const __m512 floats = _mm512_maskz_cvt_roundepu32_ps(__mmask16(-1), x, kTowardsZero);
    return marked_inexact(floats, _mm512_cmpneq_epi32_mask(_mm512_maskz_cvttps_epu32(__mmask16(-1), floats), x));
  }
};

[[gnu::always_inline]] inline __m512i upper_words() {
  Vector<std::uint16_t> places;
  for (int i = 0; i < 32; ++i) places[i] = static_cast<std::uint16_t>(2 * i + 1);
  return reinterpret_cast<__m512i>(places);
}

template <class Half, bool kHasNan>
[[gnu::always_inline]] inline void store_halves(std::byte* out, __m512i floats) {
  if constexpr (std::is_same_v<Half, float16>) {
    store_vector(out, _mm512_maskz_cvtps_ph(__mmask16(-1), _mm512_castsi512_ps(floats), _MM_FROUND_TO_NEAREST_INT));
  } else {
    // Half the last place, or just below it where the place is even. NaNs are quiet already and stay as they are.
    const __m512i odd = _mm512_and_epi32(_mm512_maskz_srli_epi32(__mmask16(-1), floats, 16), _mm512_set1_epi32(1));
    const __m512i half = _mm512_add_epi32(odd, _mm512_set1_epi32(0x7fff));
    __mmask16 numbers = __mmask16(-1);
    if constexpr (kHasNan) {
      const __m512 x = _mm512_castsi512_ps(floats);
      numbers = _mm512_cmp_ps_mask(x, x, _CMP_ORD_Q);
    }
    const __m512i rounded = _mm512_mask_add_epi32(floats, numbers, floats, half);
    const __m512i halves = _mm512_maskz_permutexvar_epi16(__mmask32(-1), upper_words(), rounded);
    store_vector(out, _mm512_maskz_extracti64x4_epi64(kEight, halves, 0));
  }
}

#elif defined(__AVX2__)

// Rounded to nearest, taken back one step where that went away from zero; the last bit says whether that is exact.
template <>
struct FloatsForHalf<double> {
  static constexpr Index kLanes = 8;
  template <class Half>
  [[gnu::always_inline]] static __m256i load(const std::byte* in) {
    return _mm256_set_m128i(four_floats(in + 32), four_floats(in));
  }

 private:
  [[gnu::always_inline]] static __m128i four_floats(const std::byte* in) {
    const __m256d magnitude = _mm256_castsi256_pd(_mm256_set1_epi64x(~(std::int64_t{1} << 63)));
    const __m256d x = _mm256_loadu_pd(reinterpret_cast<const double*>(in));
    const __m128 nearest = _mm256_cvtpd_ps(x);
    const __m256d back = _mm256_cvtps_pd(nearest);
    const __m128i too_large =
        narrow_mask(_mm256_cmp_pd(_mm256_and_pd(back, magnitude), _mm256_and_pd(x, magnitude), _CMP_GT_OQ));
    const __m128i inexact = narrow_mask(_mm256_cmp_pd(back, x, _CMP_NEQ_UQ));
    const __m128i truncated = _mm_add_epi32(_mm_castps_si128(nearest), too_large);
    return _mm_or_si128(truncated, _mm_srli_epi32(inexact, 31));
  }
  [[gnu::always_inline]] static __m128i narrow_mask(__m256d mask) {
    const __m256 words = _mm256_castpd_ps(mask);
    return _mm_castps_si128(_mm_shuffle_ps(_mm256_castps256_ps128(words), _mm256_extractf128_ps(words, 1), 0x88));
  }
};

template <class Half, bool kHasNan>
[[gnu::always_inline]] inline void store_halves(std::byte* out, __m256i floats) {
  if constexpr (std::is_same_v<Half, float16>) {
    store_vector(out, _mm256_cvtps_ph(_mm256_castsi256_ps(floats), _MM_FROUND_TO_NEAREST_INT));
  } else {
    const Vector<std::uint32_t> bits = reinterpret_cast<Vector<std::uint32_t>>(floats);
    const __m256 x = _mm256_castsi256_ps(floats);
    const auto nan = reinterpret_cast<Vector<std::uint32_t>>(_mm256_cmp_ps(x, x, _CMP_UNORD_Q));
    const auto rounded = (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
    const auto halves = reinterpret_cast<__m256i>((rounded & ~nan) | ((bits >> 16 | 0x40) & nan));
    const __m128i low = _mm256_castsi256_si128(halves), high = _mm256_extracti128_si256(halves, 1);
    store_vector(out, _mm_packus_epi32(low, high));
  }
}

#endif

// n packed elements; the last ones as a vector of their own, which is filled up with zeros.
template <class Half, class From>
  requires(FloatsForHalf<From>::kLanes > 0)
[[gnu::always_inline]] inline void convert_packed(Index n, std::byte* out, const std::byte* in) {
  constexpr Index kLanes = FloatsForHalf<From>::kLanes, kSize = sizeof(From), kHalf = sizeof(Half);
  const auto convert = [](std::byte* to, const std::byte* from) __attribute__((always_inline)) {
    store_halves<Half, std::is_floating_point_v<From>>(to, FloatsForHalf<From>::template load<Half>(from));
  };
  for (; n >= kLanes; n -= kLanes) {
    convert(out, in);
    out += kLanes * kHalf;
    in += kLanes * kSize;
  }
  if (n == 0) return;
  alignas(64) std::byte numbers[kLanes * kSize] = {}, halves[kLanes * kHalf];
  for (Index at = 0; at < n * kSize; at += 64) copy_short(numbers + at, in + at, std::min<Index>(64, n * kSize - at));
  convert(halves, numbers);
  copy_short(out, halves, n * kHalf);
}

}  // namespace strided::kernels::convert::STRIDED_ISA
