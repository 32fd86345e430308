// Units of 256 numbers of some rows times the same numbers of some vectors, kind by kind.
//
// Several rows share what is read of the activations. A kind has two functions: in which order it wants the
// activations, and adding one unit to the sums. Sums stay in lanes until a row ends.
#pragma once

#include "quantized_vectors.hpp"
#include "unpacked.hpp"

namespace strided::STRIDED_ISA {

inline constexpr std::uint8_t kInOrder[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

template <Index kRows, Index kVectors>
struct UnitSums {
  Sums of[kRows][kVectors];
  Eight added[kRows][kVectors];
};

// ---- nibbles, a scale for 32 of them ----

template <BlockKind kind>
struct NibbleBlocks {
  static constexpr Index kBlock = format_of(kind).bytes;
  static constexpr Index kUnit = 8 * kBlock;
  static constexpr bool kFive = kind == BlockKind::Q5_0 || kind == BlockKind::Q5_1;
  static constexpr Index kHead = adds(kind) ? 4 : 2;
  static constexpr Index kNibbles = kHead + (kFive ? 4 : 0);
  static constexpr int kMiddle = adds(kind) ? 0 : kFive ? 16 : 8;
  static constexpr int kTogether = kWide / 16;  // blocks whose nibbles fill a vector

  // The first halves of those blocks, then the second halves.
  static constexpr struct Order {
    std::uint8_t pieces[16];
    constexpr Order() : pieces() {
      for (int i = 0; i < 16; ++i) {
        const int group = i / (2 * kTogether), half = i / kTogether % 2, block = i % kTogether;
        pieces[i] = static_cast<std::uint8_t>(2 * (group * kTogether + block) + half);
      }
    }
  } kOrder{};
  static const std::uint8_t* order() { return kOrder.pieces; }

  template <Index kRows, Index kVectors>
  [[gnu::always_inline]] static void add(const std::byte* a, Index a_row, const ActivationUnit* x,
                                         Index x_row, UnitSums<kRows, kVectors>& sums) {
    Eight scale[kRows][kVectors];
    for (Index r = 0; r < kRows; ++r) {
      const TwoEights both_scales = block_scales<kBlock>(a + r * a_row);
      for (Index v = 0; v < kVectors; ++v) {
        scale[r][v] = _mm256_mul_ps(both_scales.first, eight_at(x[v * x_row].scales));
        if constexpr (adds(kind)) {
          sums.added[r][v] =
              _mm256_fmadd_ps(both_scales.second, eight_at(x[v * x_row].sums), sums.added[r][v]);
        }
      }
    }
#pragma GCC unroll 4
    for (int group = 0; group < 8 / kTogether; ++group) {
      Ints first[kVectors], second[kVectors], before[kVectors];
      for (Index v = 0; v < kVectors; ++v) {
        const std::int8_t* const numbers = x[v * x_row].numbers + 2 * kWide * group;
        first[v] = ints_at(numbers);
        second[v] = ints_at(numbers + kWide);
        before[v] = before_pair(kMiddle, first[v], second[v]);
      }
#pragma GCC unroll 4
      for (Index r = 0; r < kRows; ++r) {
        const std::byte* const blocks = a + r * a_row + group * kTogether * kBlock;
        const Ints nibbles = pieces_at(blocks + kNibbles, kBlock);
        Ints lower = lower_nibbles(nibbles), upper = upper_nibbles(nibbles);
        if constexpr (kFive) {
          const Ints bits = pieces_at(blocks + kHead, kBlock);
          lower = with_fifth_bits<0>(lower, bits);
          upper = with_fifth_bits<2>(upper, bits);
        }
#pragma GCC unroll 4
        for (Index v = 0; v < kVectors; ++v) {
          const Ints products = pair_products(before[v], lower, first[v], upper, second[v]);
          sums.of[r][v] = plus_scaled(sums.of[r][v], products, spread<4>(scale[r][v], group * kTogether));
        }
      }
    }
  }
};

// ---- whole bytes, a scale for 32 of them ----

struct ByteBlocks {
  static constexpr Index kBlock = 34;
  static constexpr Index kUnit = 8 * kBlock;
  static constexpr int kTogether = kWide / 32;
  static const std::uint8_t* order() { return kInOrder; }

  template <Index kRows, Index kVectors>
  [[gnu::always_inline]] static void add(const std::byte* a, Index a_row, const ActivationUnit* x,
                                         Index x_row, UnitSums<kRows, kVectors>& sums) {
    Eight scale[kRows][kVectors];
    for (Index r = 0; r < kRows; ++r) {
      const Eight own = _mm256_cvtph_ps(gathered_halves<kBlock>(a + r * a_row));
      for (Index v = 0; v < kVectors; ++v) scale[r][v] = _mm256_mul_ps(own, eight_at(x[v * x_row].scales));
    }
#pragma GCC unroll 8
    for (int group = 0; group < 8 / kTogether; ++group) {
      Ints numbers[kVectors], before[kVectors];
      for (Index v = 0; v < kVectors; ++v) {
        numbers[v] = ints_at(x[v * x_row].numbers + kWide * group);
        before[v] = before_signed(numbers[v]);
      }
#pragma GCC unroll 4
      for (Index r = 0; r < kRows; ++r) {
        const std::byte* const block = a + r * a_row + group * kTogether * kBlock + 2;
#if defined(__AVX512VNNI__)
        const Ints q = halves_at(block, block + kBlock);
#else
        const Ints q = ints_at(block);
#endif
#pragma GCC unroll 4
        for (Index v = 0; v < kVectors; ++v) {
          const Ints products = signed_products(before[v], q, numbers[v]);
          sums.of[r][v] = plus_scaled(sums.of[r][v], products, spread<8>(scale[r][v], group * kTogether));
        }
      }
    }
  }
};

// ---- blocks of 256 with scales of their own ----

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
  static constexpr Index kUnit = kBlock;
  static constexpr int kParts = 256 / kWide;
  using Open = OpenBlock<kind>;
  static const std::uint8_t* order() { return Open::kOrder; }

  template <Index kRows, Index kVectors>
  [[gnu::always_inline]] static void add(const std::byte* a, Index a_row, const ActivationUnit* x,
                                         Index x_row, UnitSums<kRows, kVectors>& sums) {
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
        const ActivationUnit& unit = x[v * x_row];
        sums.of[r][v] = plus_scaled(sums.of[r][v], total[v], every_sum(block.scale() * unit.scales[0]));
        if constexpr (adds(kind)) {
          sums.added[r][v] = _mm256_fmadd_ps(block.added(), eight_at(unit.sums), sums.added[r][v]);
        }
      }
    }
  }
};

}  // namespace strided::STRIDED_ISA
