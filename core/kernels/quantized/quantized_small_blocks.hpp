// Dot products of superblocks of 256 numbers, some rows by some vectors, for kinds whose blocks have 32.
//
// Several rows share what is read of the activations. A kind has two functions: in which order it wants the
// activations, and adding one superblock to the sums. Accumulators keep their lanes until a row ends.
#pragma once

#include "quantized_vectors.hpp"
#include "unpacked.hpp"

namespace strided::kernels::quantized::STRIDED_ISA {

template <Index kRows, Index kVectors>
struct BlockSums {
  Sums of[kRows][kVectors];
  Eight added[kRows][kVectors];
};

// ---- nibbles, a scale for 32 of them ----

template <BlockKind kind>
struct NibbleBlocks {
  static constexpr Index kBlock = format_of(kind).bytes;
  static constexpr Index kSuperblock = 8 * kBlock;
  static constexpr bool kFive = kind == BlockKind::Q5_0 || kind == BlockKind::Q5_1;
  static constexpr Index kHead = adds(kind) ? 4 : 2;
  static constexpr Index kNibbles = kHead + (kFive ? 4 : 0);
  static constexpr int kMiddle = adds(kind) ? 0 : kFive ? 16 : 8;
  static constexpr int kTogether = kWide / 16;  // blocks whose nibbles fill a vector

  // The first halves of those blocks, then the second halves.
  static constexpr struct Order {
    std::uint8_t runs[16];
    constexpr Order() : runs() {
      for (int i = 0; i < 16; ++i) {
        const int group = i / (2 * kTogether), half = i / kTogether % 2, block = i % kTogether;
        runs[i] = static_cast<std::uint8_t>(2 * (group * kTogether + block) + half);
      }
    }
  } kOrder{};
  static const std::uint8_t* order() { return kOrder.runs; }

  template <Index kRows, Index kVectors>
  [[gnu::always_inline]] static void add(const std::byte* a, Index a_row, const ActivationBlock* x,
                                         Index x_row, BlockSums<kRows, kVectors>& sums) {
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
        const Ints nibbles = gathered_16(blocks + kNibbles, kBlock);
        Ints lower = lower_nibbles(nibbles), upper = upper_nibbles(nibbles);
        if constexpr (kFive) {
          const Ints bits = gathered_16(blocks + kHead, kBlock);
          lower = with_fifth_bits<0>(lower, bits);
          upper = with_fifth_bits<2>(upper, bits);
        }
#pragma GCC unroll 4
        for (Index v = 0; v < kVectors; ++v) {
          const Ints products = pair_products(before[v], lower, first[v], upper, second[v]);
          sums.of[r][v] = plus_scaled(sums.of[r][v], products, broadcast<4>(scale[r][v], group * kTogether));
        }
      }
    }
  }
};

// ---- whole bytes, a scale for 32 of them ----

struct ByteBlocks {
  static constexpr Index kBlock = format_of(BlockKind::Q8_0).bytes;
  static constexpr Index kSuperblock = 8 * kBlock;
  static constexpr int kTogether = kWide / 32;
  static const std::uint8_t* order() { return kInOrder; }

  template <Index kRows, Index kVectors>
  [[gnu::always_inline]] static void add(const std::byte* a, Index a_row, const ActivationBlock* x,
                                         Index x_row, BlockSums<kRows, kVectors>& sums) {
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
          sums.of[r][v] = plus_scaled(sums.of[r][v], products, broadcast<8>(scale[r][v], group * kTogether));
        }
      }
    }
  }
};

}  // namespace strided::kernels::quantized::STRIDED_ISA
