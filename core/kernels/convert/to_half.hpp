// Packed numbers to half types, two vectors of floats at a time: rounded to odd into float32 (dtype/half.hpp), then to
// nearest. The same bits as element by element, which compilers do not vectorise.
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "dtype/half.hpp"
#include "kernels/fill_loops.hpp"
#include "simd/vector.hpp"

namespace strided::kernels::convert::STRIDED_ISA {

using FloatBits = Vector<std::uint32_t>;
inline constexpr Index kFloats = kVectorBytes / 4;  // in a vector

// FloatsForHalf<From>::load<Half>(in) returns the floats of kFloats numbers, where this level has vector code for them.
template <class From>
struct FloatsForHalf;
template <class From>
concept HasFloatsForHalf = requires { sizeof(FloatsForHalf<From>); };

#if defined(__AVX2__)

// Doubles that are rounded to a half type as those at `in` are, and that floats hold: the first bits, and one below
// them and below the half of the last place, which says whether anything was left out.
template <class Half>
[[gnu::always_inline]] inline Vector<double> shortened(const std::byte* in) {
  constexpr int kPlaces = std::is_same_v<Half, float16> ? 10 : 7;
  constexpr std::uint64_t kRest = (std::uint64_t{1} << (52 - kPlaces - 2)) - 1;
  const auto x = load_vector<Vector<std::uint64_t>>(in);
  return reinterpret_cast<Vector<double>>((x | ((x & kRest) + kRest)) & ~kRest);  // the sum carries unless it adds 0
}

#endif

#if defined(__AVX512DQ__) && defined(__AVX512VL__)

// GCC warns of intrinsics without a mask that they read an operand that is not set.
inline constexpr int kTowardsZero = _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC;
inline constexpr __mmask8 kEight = 0xff;  // all of eight lanes

template <>
struct FloatsForHalf<double> {
  template <class Half>
  [[gnu::always_inline]] static FloatBits load(const std::byte* in) {
    const __m256 low = _mm512_maskz_cvtpd_ps(kEight, shortened<Half>(in));
    const __m256 high = _mm512_maskz_cvtpd_ps(kEight, shortened<Half>(in + 64));
    return reinterpret_cast<FloatBits>(_mm512_insertf32x8(_mm512_castps256_ps512(low), high, 1));
  }
};

// Rounded towards zero; then the last bit says whether that changed anything.
[[gnu::always_inline]] inline FloatBits marked_inexact(__m512 floats, __mmask16 inexact) {
  const __m512i bits = _mm512_castps_si512(floats);
  return reinterpret_cast<FloatBits>(_mm512_mask_or_epi32(bits, inexact, bits, _mm512_set1_epi32(1)));
}

// Integers are small, mostly: below 2^24 they are floats.
template <class From>
struct FloatsForHalfOfLongs {
  template <class Half>
  [[gnu::always_inline]] static FloatBits load(const std::byte* in) {
    const __m512i low = _mm512_loadu_si512(in), high = _mm512_loadu_si512(in + 64);
    const bool small = (large(low) | large(high)) == 0;
    const auto convert = [=](__m512i x, __m256& out) {
      if constexpr (std::is_signed_v<From>) out = _mm512_maskz_cvt_roundepi64_ps(kEight, x, kTowardsZero);
      else out = _mm512_maskz_cvt_roundepu64_ps(kEight, x, kTowardsZero);
      if (__builtin_expect(small, true)) return __mmask8{0};
      if constexpr (std::is_signed_v<From>) return _mm512_cmpneq_epi64_mask(_mm512_maskz_cvttps_epi64(kEight, out), x);
      else return _mm512_cmpneq_epi64_mask(_mm512_maskz_cvttps_epu64(kEight, out), x);
    };
    __m256 first, second;
    const __mmask8 inexact = convert(low, first), more = convert(high, second);
    const __m512 floats = _mm512_insertf32x8(_mm512_castps256_ps512(first), second, 1);
    return marked_inexact(floats, _mm512_kunpackb(more, inexact));
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
  template <class Half>
  [[gnu::always_inline]] static FloatBits load(const std::byte* in) {
    const __m512i x = _mm512_loadu_si512(in);
    const __m512 floats = _mm512_maskz_cvt_roundepi32_ps(__mmask16(-1), x, kTowardsZero);
    return marked_inexact(floats, _mm512_cmpneq_epi32_mask(_mm512_maskz_cvttps_epi32(__mmask16(-1), floats), x));
  }
};
template <>
struct FloatsForHalf<std::uint32_t> {
  template <class Half>
  [[gnu::always_inline]] static FloatBits load(const std::byte* in) {
    const __m512i x = _mm512_loadu_si512(in);
    const __m512 floats = _mm512_maskz_cvt_roundepu32_ps(__mmask16(-1), x, kTowardsZero);
    return marked_inexact(floats, _mm512_cmpneq_epi32_mask(_mm512_maskz_cvttps_epu32(__mmask16(-1), floats), x));
  }
};

// The upper (which = 1) or lower words of two vectors.
template <int which>
[[gnu::always_inline]] inline __m512i words_of(FloatBits a, FloatBits b) {
  Vector<std::uint16_t> places;
  for (int i = 0; i < 32; ++i) places[i] = static_cast<std::uint16_t>(2 * i + which);
  return _mm512_permutex2var_epi16(reinterpret_cast<__m512i>(a), reinterpret_cast<__m512i>(places),
                                   reinterpret_cast<__m512i>(b));
}

template <class Half, bool kHasNan>
[[gnu::always_inline]] inline void store_halves(std::byte* out, FloatBits a, FloatBits b) {
  if constexpr (std::is_same_v<Half, float16>) {
    for (const FloatBits floats : {a, b}) {
      store_vector(out, _mm512_maskz_cvtps_ph(__mmask16(-1), reinterpret_cast<__m512>(floats), _MM_FROUND_TO_NEAREST_INT));
      out += 32;
    }
  } else {
    // Up where the lower word is above the half of the last place, or is that half and the place is odd. NaNs are quiet
    // already and stay as they are.
    const __m512i upper = words_of<1>(a, b), lower = words_of<0>(a, b);
    const __m512i odd = _mm512_and_si512(upper, _mm512_set1_epi16(1));
    const __m512i least = _mm512_sub_epi16(_mm512_set1_epi16(std::int16_t(-0x8000)), odd);
    __mmask32 up = _mm512_cmpgt_epu16_mask(lower, least);
    if constexpr (kHasNan) {
      const __m512i magnitude = _mm512_and_si512(upper, _mm512_set1_epi16(0x7fff));
      up = _mm512_mask_cmple_epi16_mask(up, magnitude, _mm512_set1_epi16(0x7f80));
    }
    store_vector(out, _mm512_mask_add_epi16(upper, up, upper, _mm512_set1_epi16(1)));
  }
}

#elif defined(__AVX2__)

template <>
struct FloatsForHalf<double> {
  template <class Half>
  [[gnu::always_inline]] static FloatBits load(const std::byte* in) {
    const __m128 low = _mm256_cvtpd_ps(shortened<Half>(in)), high = _mm256_cvtpd_ps(shortened<Half>(in + 32));
    return reinterpret_cast<FloatBits>(_mm256_set_m128(high, low));
  }
};

[[gnu::always_inline]] inline __m256i rounded_words(FloatBits bits) {
  const __m256 x = reinterpret_cast<__m256>(bits);
  const auto nan = reinterpret_cast<FloatBits>(_mm256_cmp_ps(x, x, _CMP_UNORD_Q));
  const auto rounded = (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
  return reinterpret_cast<__m256i>((rounded & ~nan) | (bits >> 16 & nan));
}

template <class Half, bool kHasNan>
[[gnu::always_inline]] inline void store_halves(std::byte* out, FloatBits a, FloatBits b) {
  if constexpr (std::is_same_v<Half, float16>) {
    for (const FloatBits floats : {a, b}) {
      store_vector(out, _mm256_cvtps_ph(reinterpret_cast<__m256>(floats), _MM_FROUND_TO_NEAREST_INT));
      out += 16;
    }
  } else {
    // Packed by halves of 16 bytes.
    const __m256i halves = _mm256_packus_epi32(rounded_words(a), rounded_words(b));
    store_vector(out, _mm256_permute4x64_epi64(halves, 0b11'01'10'00));
  }
}

#endif

// n packed elements; the last ones as vectors of their own, which are filled up with zeros.
template <class Half, HasFloatsForHalf From>
[[gnu::always_inline]] inline void convert_packed(Index n, std::byte* out, const std::byte* in) {
  constexpr Index kTogether = 2 * kFloats, kSize = sizeof(From), kHalf = sizeof(Half);
  const auto convert = [](std::byte* to, const std::byte* from) __attribute__((always_inline)) {
    using Floats = FloatsForHalf<From>;
    store_halves<Half, std::is_floating_point_v<From>>(to, Floats::template load<Half>(from),
                                                       Floats::template load<Half>(from + kFloats * kSize));
  };
  for (; n >= kTogether; n -= kTogether) {
    convert(out, in);
    out += kTogether * kHalf;
    in += kTogether * kSize;
  }
  if (n == 0) return;
  alignas(64) std::byte numbers[kTogether * kSize] = {}, halves[kTogether * kHalf];
  for (Index at = 0; at < n * kSize; at += 64) copy_short(numbers + at, in + at, std::min<Index>(64, n * kSize - at));
  convert(halves, numbers);
  copy_short(out, halves, n * kHalf);
}

}  // namespace strided::kernels::convert::STRIDED_ISA
