// Dot products of blocks of 256 numbers, some rows by some vectors (Q4_K, Q5_K, Q6_K).
//
// The parts of a block have whole numbers as scales: products are scaled and added up as whole numbers, and become
// floats once per block.
#pragma once

#include "quantized_small_blocks.hpp"

namespace strided::kernels::quantized::STRIDED_ISA {

// A block of such a kind, opened: part p are kWide numbers, with the scale of each.
template <BlockKind kind>
class OpenBlock;

// Lane i is scale[lower] in the first half of a vector and scale[upper] in the second.
[[gnu::always_inline]] inline Ints two_scales(Ints scales, int lower, int upper) {
  const int l = lower, u = upper;
#if defined(__AVX512VNNI__)
  return _mm512_maskz_permutexvar_epi32(
      0xffff, _mm512_setr_epi32(l, l, l, l, l, l, l, l, u, u, u, u, u, u, u, u), scales);
#else
  return _mm256_permutevar8x32_epi32(scales, _mm256_setr_epi32(l, l, l, l, u, u, u, u));
#endif
}

// Moves bits to the left within 32 bits (to the right where negative), differently in the two halves.
[[gnu::always_inline]] inline Ints moved(Ints bits, int lower, int upper) {
#if defined(__AVX512VNNI__)
  const long long l = (lower & 31) * 0x100000001LL, u = (upper & 31) * 0x100000001LL;
  return _mm512_maskz_rolv_epi32(0xffff, bits, _mm512_setr_epi64(l, l, l, l, u, u, u, u));
#else
  (void)upper;
  return lower >= 0 ? _mm256_slli_epi16(bits, lower) : _mm256_srli_epi16(bits, -lower);
#endif
}

// 32 bytes, twice where a vector has 64.
[[gnu::always_inline]] inline Ints repeated_at(const std::byte* at) {
#if defined(__AVX512VNNI__)
  return _mm512_maskz_broadcast_i64x4(0xff, _mm256_loadu_si256(reinterpret_cast<const __m256i*>(at)));
#else
  return ints_at(at);
#endif
}

// Q4_K and Q5_K. Of 64 bytes the lower nibbles are numbers 0-31 and 64-95, the upper ones what is between
// and behind.
template <BlockKind kind>
  requires(kind == BlockKind::Q4_K || kind == BlockKind::Q5_K)
class OpenBlock<kind> {
 public:
  static constexpr int kMiddle = 0;
#if defined(__AVX512VNNI__)
  static constexpr std::uint8_t kOrder[16] = {0, 1, 4, 5, 2, 3, 6, 7, 8, 9, 12, 13, 10, 11, 14, 15};
#else
  static constexpr const std::uint8_t (&kOrder)[16] = kInOrder;
#endif

  [[gnu::always_inline]] explicit OpenBlock(const std::byte* at) : at_(at) {
    const SixBits bits = six_bits(at + 4);
    const auto bytes = [](std::uint64_t x) { return _mm_cvtsi64_si128(static_cast<long long>(x)); };
    const __m256i scales = _mm256_cvtepu8_epi32(bytes(bits.scales));
#if defined(__AVX512VNNI__)
    scales_ = _mm512_castsi256_si512(scales);
#else
    scales_ = _mm256_or_si256(scales, _mm256_slli_epi32(scales, 16));
#endif
    const Eight numbers = _mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(bytes(bits.subtracted)));
    added_ = _mm256_mul_ps(numbers, _mm256_set1_ps(-half_at(at + 2)));
    if constexpr (kFive) fifth_ = repeated_at(at + 16);
  }

  float scale() const { return half_at(at_); }
  Eight added() const { return added_; }

  // The sub-blocks of 32 that part p is made of.
  static constexpr int lower_of(int p) { return kWide == 64 ? p / 2 * 4 + p % 2 : p; }
  static constexpr int upper_of(int p) { return kWide == 64 ? lower_of(p) + 2 : p; }

  [[gnu::always_inline]] Ints part(int p) const {
    const Ints nibbles = ints_at(at_ + (kFive ? 48 : 16) + kWide * (p / 2));
    Ints q = p % 2 == 0 ? lower_nibbles(nibbles) : upper_nibbles(nibbles);
    if constexpr (kFive) {
      q = either(q, both(moved(fifth_, 4 - lower_of(p), 4 - upper_of(p)), every_byte(16)));
    }
    return q;
  }
  [[gnu::always_inline]] Ints part_scale(int p) const {
    return two_scales(scales_, lower_of(p), upper_of(p));
  }

 private:
  static constexpr bool kFive = kind == BlockKind::Q5_K;
  const std::byte* at_;
  Ints scales_, fifth_;
  Eight added_;
};

template <>
class OpenBlock<BlockKind::Q6_K> {
 public:
  static constexpr int kMiddle = 32;
  static constexpr const std::uint8_t (&kOrder)[16] = kInOrder;

  [[gnu::always_inline]] explicit OpenBlock(const std::byte* at) : at_(at) {
    const __m128i scales = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at + 192));
#if defined(__AVX512VNNI__)
    // Products are taken as 16 bits: what is above a scale must be zero.
    scales_ = both(_mm512_maskz_cvtepi8_epi32(0xffff, scales), _mm512_set1_epi32(0xffff));
#else
    const __m256i words = _mm256_cvtepi8_epi16(scales);
    scales_[0] = _mm256_unpacklo_epi16(words, words);  // of 0-3 and 8-11
    scales_[1] = _mm256_unpackhi_epi16(words, words);  // of 4-7 and 12-15
#endif
  }

  float scale() const { return half_at(at_ + 208); }
  Eight added() const { return _mm256_setzero_ps(); }

  [[gnu::always_inline]] Ints part(int p) const {
#if defined(__AVX512VNNI__)
    const int half = p / 2;
    const Ints nibbles = ints_at(at_ + 64 * half), two = repeated_at(at_ + 128 + 32 * half);
    const Ints upper = p % 2 == 0 ? moved(two, 4, 2) : moved(two, 0, -2);
    const Ints lower = p % 2 == 0 ? lower_nibbles(nibbles) : upper_nibbles(nibbles);
#else
    const int half = p / 4, quarter = p % 4;
    const Ints nibbles = ints_at(at_ + 64 * half + 32 * (quarter % 2));
    const Ints upper = moved(ints_at(at_ + 128 + 32 * half), 4 - 2 * quarter, 0);
    const Ints lower = quarter < 2 ? lower_nibbles(nibbles) : upper_nibbles(nibbles);
#endif
    return either(lower, both(upper, every_byte(48)));
  }
  [[gnu::always_inline]] Ints part_scale(int p) const {
#if defined(__AVX512VNNI__)
    const int s = 4 * p;
    return _mm512_maskz_permutexvar_epi32(0xffff,
                                          _mm512_setr_epi32(s, s, s, s, s + 1, s + 1, s + 1, s + 1, s + 2, s + 2,
                                                            s + 2, s + 2, s + 3, s + 3, s + 3, s + 3),
                                          scales_);
#else
    const int first = p / 4 * 4 + p % 2 * 2;
    return two_scales(scales_[p / 2 % 2], first, first + 1);
#endif
  }

 private:
  const std::byte* at_;
#if defined(__AVX512VNNI__)
  Ints scales_;
#else
  Ints scales_[2];
#endif
};

template <BlockKind kind>
struct LargeBlocks {
  static constexpr Index kBlock = format_of(kind).bytes;
  static constexpr Index kSuperblock = kBlock;
  static constexpr int kParts = 256 / kWide;
  using Open = OpenBlock<kind>;
  static const std::uint8_t* order() { return Open::kOrder; }

  template <Index kRows, Index kVectors>
  [[gnu::always_inline]] static void add(const std::byte* a, Index a_row, const ActivationBlock* x,
                                         Index x_row, BlockSums<kRows, kVectors>& sums) {
    Ints before[kParts][kVectors];
    for (int p = 0; p < kParts; ++p) {
      for (Index v = 0; v < kVectors; ++v) {
        before[p][v] = before_one(Open::kMiddle, ints_at(x[v * x_row].numbers + kWide * p));
      }
    }
#pragma GCC unroll 4
    for (Index r = 0; r < kRows; ++r) {
      const Open block(a + r * a_row);
      Ints total[kVectors];
      for (Index v = 0; v < kVectors; ++v) total[v] = no_ints();
#pragma GCC unroll 8
      for (int p = 0; p < kParts; ++p) {
        const Ints q = block.part(p), scale = block.part_scale(p);
#pragma GCC unroll 4
        for (Index v = 0; v < kVectors; ++v) {
          const Ints numbers = ints_at(x[v * x_row].numbers + kWide * p);
          total[v] = scaled_products(total[v], before[p][v], q, numbers, scale);
        }
      }
      for (Index v = 0; v < kVectors; ++v) {
        const ActivationBlock& superblock = x[v * x_row];
        sums.of[r][v] = plus_scaled(sums.of[r][v], total[v], every_sum(block.scale() * superblock.scales[0]));
        if constexpr (adds(kind)) {
          sums.added[r][v] = _mm256_fmadd_ps(block.added(), eight_at(superblock.sums), sums.added[r][v]);
        }
      }
    }
  }
};

}  // namespace strided::kernels::quantized::STRIDED_ISA
