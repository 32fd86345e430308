// Vectors of small integers and how their products are added up: by one instruction where the processor has
// it (VNNI), by two on AVX2. Only for the instruction sets that have either.
#pragma once

#include "quantized_loops.hpp"
#include "simd/vector.hpp"

namespace strided::kernels::quantized::STRIDED_ISA {

using Eight = __m256;  // a float for each 32 numbers of a superblock

[[gnu::always_inline]] inline Eight eight_at(const float* at) { return _mm256_loadu_ps(at); }

// Eight halves that lie kStep bytes apart.
template <Index kStep>
[[gnu::always_inline]] inline __m128i gathered_halves(const std::byte* at) {
  short halves[8];
  for (Index i = 0; i < 8; ++i) std::memcpy(&halves[i], at + i * kStep, 2);
  return _mm_setr_epi16(halves[0], halves[1], halves[2], halves[3], halves[4], halves[5], halves[6],
                        halves[7]);
}

[[gnu::always_inline]] inline float sum_of_eight(Eight eight) {
  const __m128 four = _mm_add_ps(_mm256_castps256_ps128(eight), _mm256_extractf128_ps(eight, 1));
  const __m128 two = _mm_add_ps(four, _mm_movehl_ps(four, four));
  return _mm_cvtss_f32(_mm_add_ss(two, _mm_movehdup_ps(two)));
}

struct TwoEights {
  Eight first, second;
};

#if defined(__AVX512VNNI__)

inline constexpr Index kWide = 64;
using Ints = __m512i;
using Sums = __m512;

[[gnu::always_inline]] inline Ints no_ints() { return _mm512_setzero_si512(); }
[[gnu::always_inline]] inline Sums no_sums() { return _mm512_setzero_ps(); }
[[gnu::always_inline]] inline Ints ints_at(const void* at) { return _mm512_loadu_si512(at); }
[[gnu::always_inline]] inline Ints every_byte(int value) { return _mm512_set1_epi8(static_cast<char>(value)); }
[[gnu::always_inline]] inline Ints both(Ints a, Ints b) { return _mm512_and_si512(a, b); }
[[gnu::always_inline]] inline Ints either(Ints a, Ints b) { return _mm512_or_si512(a, b); }
[[gnu::always_inline]] inline Ints lower_nibbles(Ints a) { return both(a, every_byte(15)); }
[[gnu::always_inline]] inline Ints upper_nibbles(Ints a) { return both(_mm512_srli_epi16(a, 4), every_byte(15)); }

// 16 bytes from each of four places.
[[gnu::always_inline]] inline Ints gathered_16(const std::byte* at, Index step) {
  const auto run = [&](Index i) {
    return _mm_loadu_si128(reinterpret_cast<const __m128i*>(at + i * step));
  };
  const __m256i first = _mm256_inserti128_si256(_mm256_castsi128_si256(run(0)), run(1), 1);
  const __m256i second = _mm256_inserti128_si256(_mm256_castsi128_si256(run(2)), run(3), 1);
  return _mm512_maskz_inserti64x4(0xff, _mm512_castsi256_si512(first), second, 1);
}
// 32 bytes from each of two places.
[[gnu::always_inline]] inline Ints halves_at(const std::byte* first, const std::byte* second) {
  const auto half = [](const std::byte* at) { return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(at)); };
  return _mm512_maskz_inserti64x4(0xff, _mm512_castsi256_si512(half(first)), half(second), 1);
}

// Adds 16 to the bytes whose bit is set: two of the first four bytes of every 16, from `from` on.
template <int from>
[[gnu::always_inline]] inline Ints with_fifth_bits(Ints q, Ints bits) {
  constexpr std::int64_t kFirst = 0x0101010101010101 * from, kSecond = 0x0101010101010101 * (from + 1);
  const Ints places = _mm512_set_epi64(kSecond, kFirst, kSecond, kFirst, kSecond, kFirst, kSecond, kFirst);
  const Ints masks = _mm512_set1_epi64(static_cast<long long>(0x8040201008040201));
  const __mmask64 set = _mm512_test_epi8_mask(_mm512_shuffle_epi8(bits, places), masks);
  return _mm512_mask_add_epi8(q, set, q, every_byte(16));
}

// What products begin with when `middle` is to be subtracted from every unsigned number.
[[gnu::always_inline]] inline Ints before_pair(int middle, Ints x, Ints y) {
  if (middle == 0) return no_ints();
  const Ints all = every_byte(middle);
  return _mm512_sub_epi32(no_ints(), _mm512_dpbusd_epi32(_mm512_dpbusd_epi32(no_ints(), all, x), all, y));
}
[[gnu::always_inline]] inline Ints before_one(int middle, Ints x) {
  if (middle == 0) return no_ints();
  return _mm512_sub_epi32(no_ints(), _mm512_dpbusd_epi32(no_ints(), every_byte(middle), x));
}

// (p - middle) * x + (q - middle) * y, four neighbours added up.
[[gnu::always_inline]] inline Ints pair_products(Ints before, Ints p, Ints x, Ints q, Ints y) {
  return _mm512_dpbusd_epi32(_mm512_dpbusd_epi32(before, p, x), q, y);
}
// sum + scale * (q - middle) * x; products of four numbers fit in 16 bits.
[[gnu::always_inline]] inline Ints scaled_products(Ints sum, Ints before, Ints q, Ints x, Ints scale) {
  return _mm512_dpwssd_epi32(sum, _mm512_dpbusd_epi32(before, q, x), scale);
}
// q * x of signed numbers.
[[gnu::always_inline]] inline Ints before_signed(Ints x) { return before_one(128, x); }
[[gnu::always_inline]] inline Ints signed_products(Ints before, Ints q, Ints x) {
  return _mm512_dpbusd_epi32(before, _mm512_xor_si512(q, every_byte(128)), x);
}

[[gnu::always_inline]] inline Sums plus_scaled(Sums sum, Ints ints, Sums scale) {
  return _mm512_fmadd_ps(_mm512_maskz_cvtepi32_ps(0xffff, ints), scale, sum);
}
// Half of a vector. (Older compilers warn about the instructions themselves.)
[[gnu::always_inline]] inline Eight lower_half(Sums a) {
  return reinterpret_cast<Eight>(__builtin_shufflevector(a, a, 0, 1, 2, 3, 4, 5, 6, 7));
}
[[gnu::always_inline]] inline Eight upper_half(Sums a) {
  return reinterpret_cast<Eight>(__builtin_shufflevector(a, a, 8, 9, 10, 11, 12, 13, 14, 15));
}
[[gnu::always_inline]] inline Sums every_sum(float value) { return _mm512_set1_ps(value); }
[[gnu::always_inline]] inline float total(Sums sum, Eight more) {
  return sum_of_eight(_mm256_add_ps(_mm256_add_ps(lower_half(sum), upper_half(sum)), more));
}

// Lane i of the result is scale[first + i / kEach].
template <int kEach>
[[gnu::always_inline]] inline Sums broadcast(Eight scale, int first) {
  const auto at = [&](int i) { return first + i / kEach; };
  const Ints places = _mm512_setr_epi32(at(0), at(1), at(2), at(3), at(4), at(5), at(6), at(7), at(8), at(9),
                                        at(10), at(11), at(12), at(13), at(14), at(15));
  return _mm512_maskz_permutexvar_ps(0xffff, places, _mm512_castps256_ps512(scale));
}

// The scales of eight blocks, and what the next two bytes hold.
template <Index kStep>
[[gnu::always_inline]] inline TwoEights block_scales(const std::byte* at) {
  if constexpr (3 * kStep + 4 <= 64) {
    constexpr short h = kStep / 2;
    const auto place = [](int i, int next) {
      return static_cast<short>(i % 4 * h + i / 4 * 32 + next);
    };
    const Ints places = _mm512_castsi256_si512(_mm256_setr_epi16(
        place(0, 0), place(1, 0), place(2, 0), place(3, 0), place(4, 0), place(5, 0), place(6, 0), place(7, 0),
        place(0, 1), place(1, 1), place(2, 1), place(3, 1), place(4, 1), place(5, 1), place(6, 1),
        place(7, 1)));
    const Ints halves = _mm512_permutex2var_epi16(ints_at(at), places, ints_at(at + 4 * kStep));
    const __m512 floats = _mm512_maskz_cvtph_ps(0xffff, _mm512_maskz_extracti64x4_epi64(0xff, halves, 0));
    return {lower_half(floats), upper_half(floats)};
  } else {
    return {_mm256_cvtph_ps(gathered_halves<kStep>(at)), _mm256_cvtph_ps(gathered_halves<kStep>(at + 2))};
  }
}

#elif defined(__AVX2__)

inline constexpr Index kWide = 32;
using Ints = __m256i;
using Sums = __m256;

[[gnu::always_inline]] inline Ints no_ints() { return _mm256_setzero_si256(); }
[[gnu::always_inline]] inline Sums no_sums() { return _mm256_setzero_ps(); }
[[gnu::always_inline]] inline Ints ints_at(const void* at) {
  return _mm256_loadu_si256(static_cast<const __m256i*>(at));
}
[[gnu::always_inline]] inline Ints every_byte(int value) { return _mm256_set1_epi8(static_cast<char>(value)); }
[[gnu::always_inline]] inline Ints both(Ints a, Ints b) { return _mm256_and_si256(a, b); }
[[gnu::always_inline]] inline Ints either(Ints a, Ints b) { return _mm256_or_si256(a, b); }
[[gnu::always_inline]] inline Ints lower_nibbles(Ints a) { return both(a, every_byte(15)); }
[[gnu::always_inline]] inline Ints upper_nibbles(Ints a) { return both(_mm256_srli_epi16(a, 4), every_byte(15)); }

// 16 bytes from each of two places.
[[gnu::always_inline]] inline Ints gathered_16(const std::byte* at, Index step) {
  const auto run = [&](Index i) {
    return _mm_loadu_si128(reinterpret_cast<const __m128i*>(at + i * step));
  };
  return _mm256_inserti128_si256(_mm256_castsi128_si256(run(0)), run(1), 1);
}

// Adds 16 to the bytes whose bit is set: two of the first four bytes of every 16, from `from` on.
template <int from>
[[gnu::always_inline]] inline Ints with_fifth_bits(Ints q, Ints bits) {
  constexpr std::int64_t kFirst = 0x0101010101010101 * from, kSecond = 0x0101010101010101 * (from + 1);
  const Ints places = _mm256_setr_epi64x(kFirst, kSecond, kFirst, kSecond);
  const Ints masks = _mm256_set1_epi64x(static_cast<long long>(0x8040201008040201));
  const Ints set = _mm256_cmpeq_epi8(both(_mm256_shuffle_epi8(bits, places), masks), masks);
  return either(q, both(set, every_byte(16)));
}

// Products of neighbours stay in 16 bits: no number is above 63, no activation above 127.
[[gnu::always_inline]] inline Ints before_pair(int middle, Ints x, Ints y) {
  if (middle == 0) return no_ints();
  const Ints all = every_byte(middle);
  return _mm256_add_epi16(_mm256_maddubs_epi16(all, x), _mm256_maddubs_epi16(all, y));
}
[[gnu::always_inline]] inline Ints before_one(int middle, Ints x) {
  return middle == 0 ? no_ints() : _mm256_maddubs_epi16(every_byte(middle), x);
}

// (p - middle) * x + (q - middle) * y, four neighbours added up.
[[gnu::always_inline]] inline Ints pair_products(Ints before, Ints p, Ints x, Ints q, Ints y) {
  const Ints two = _mm256_add_epi16(_mm256_maddubs_epi16(p, x), _mm256_maddubs_epi16(q, y));
  return _mm256_madd_epi16(_mm256_sub_epi16(two, before), _mm256_set1_epi16(1));
}
// sum + scale * (q - middle) * x
[[gnu::always_inline]] inline Ints scaled_products(Ints sum, Ints before, Ints q, Ints x, Ints scale) {
  const Ints two = _mm256_sub_epi16(_mm256_maddubs_epi16(q, x), before);
  return _mm256_add_epi32(sum, _mm256_madd_epi16(two, scale));
}
// q * x of signed numbers: the sign of q goes over to x.
[[gnu::always_inline]] inline Ints before_signed(Ints) { return no_ints(); }
[[gnu::always_inline]] inline Ints signed_products(Ints, Ints q, Ints x) {
  const Ints two = _mm256_maddubs_epi16(_mm256_abs_epi8(q), _mm256_sign_epi8(x, q));
  return _mm256_madd_epi16(two, _mm256_set1_epi16(1));
}

[[gnu::always_inline]] inline Sums plus_scaled(Sums sum, Ints ints, Sums scale) {
  return _mm256_fmadd_ps(_mm256_cvtepi32_ps(ints), scale, sum);
}
[[gnu::always_inline]] inline Sums every_sum(float value) { return _mm256_set1_ps(value); }
[[gnu::always_inline]] inline float total(Sums sum, Eight more) { return sum_of_eight(_mm256_add_ps(sum, more)); }

// Lane i of the result is scale[first + i / kEach].
template <int kEach>
[[gnu::always_inline]] inline Sums broadcast(Eight scale, int first) {
  const auto at = [&](int i) { return first + i / kEach; };
  return _mm256_permutevar8x32_ps(
      scale, _mm256_setr_epi32(at(0), at(1), at(2), at(3), at(4), at(5), at(6), at(7)));
}

// The scales of eight blocks, and what the next two bytes hold.
template <Index kStep>
[[gnu::always_inline]] inline TwoEights block_scales(const std::byte* at) {
  return {_mm256_cvtph_ps(gathered_halves<kStep>(at)), _mm256_cvtph_ps(gathered_halves<kStep>(at + 2))};
}

#endif

}  // namespace strided::kernels::quantized::STRIDED_ISA
