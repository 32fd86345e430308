// Rows of quantised blocks times many vectors of int8, where the processor multiplies bytes (VNNI).
//
// 16 rows are brought to a panel: 4 numbers of a row, then 4 of the next, so that one instruction multiplies
// 4 numbers of 16 rows with those of a vector, which it reads as one element. Numbers are stored with 128
// added, because one factor must be unsigned; sums begin with what takes that back.
#if defined(__AVX512VNNI__)

#include "kernels/fill_loops.hpp"
#include "unpacked.hpp"

namespace strided::kernels::quantized::STRIDED_ISA {
namespace {

constexpr Index kRows = QuantizedTileWork::kRows;
constexpr Index kNumbers = ActivationBlock::kNumbers;
using Ints = __m512i;
using Floats = __m512;

template <BlockKind kind>
constexpr Index kGroup = kind == BlockKind::Q6_K ? 16 : 32;  // numbers that share a scale

// 256 numbers of 16 rows.
template <BlockKind kind>
struct PanelBlock {
  static constexpr Index kGroups = kNumbers / kGroup<kind>;
  std::uint8_t numbers[kNumbers / 4][kRows][4];
  float scales[kGroups][kRows];
  float added[adds(kind) ? kGroups : 1][kRows];
};

// The 4-byte elements of 16 rows of 64 bytes: element j of row i goes to element i of row j.
// (The masked forms: older compilers warn about the plain ones.)
[[gnu::always_inline]] inline void transpose(Ints (&rows)[16]) {
  Ints pairs[16];
#pragma GCC unroll 8
  for (int i = 0; i < 16; i += 2) {
    pairs[i] = _mm512_maskz_unpacklo_epi32(0xffff, rows[i], rows[i + 1]);
    pairs[i + 1] = _mm512_maskz_unpackhi_epi32(0xffff, rows[i], rows[i + 1]);
  }
  Ints quads[16];  // [4 * g + c]: column c of each 4, of rows 4g .. 4g + 3
#pragma GCC unroll 4
  for (int g = 0; g < 4; ++g) {
    quads[4 * g] = _mm512_maskz_unpacklo_epi64(0xff, pairs[4 * g], pairs[4 * g + 2]);
    quads[4 * g + 1] = _mm512_maskz_unpackhi_epi64(0xff, pairs[4 * g], pairs[4 * g + 2]);
    quads[4 * g + 2] = _mm512_maskz_unpacklo_epi64(0xff, pairs[4 * g + 1], pairs[4 * g + 3]);
    quads[4 * g + 3] = _mm512_maskz_unpackhi_epi64(0xff, pairs[4 * g + 1], pairs[4 * g + 3]);
  }
#pragma GCC unroll 4
  for (int c = 0; c < 4; ++c) {
    const Ints a = _mm512_maskz_shuffle_i32x4(0xffff, quads[c], quads[4 + c], 0x88);
    const Ints b = _mm512_maskz_shuffle_i32x4(0xffff, quads[c], quads[4 + c], 0xdd);
    const Ints d = _mm512_maskz_shuffle_i32x4(0xffff, quads[8 + c], quads[12 + c], 0x88);
    const Ints e = _mm512_maskz_shuffle_i32x4(0xffff, quads[8 + c], quads[12 + c], 0xdd);
    rows[c] = _mm512_maskz_shuffle_i32x4(0xffff, a, d, 0x88);
    rows[8 + c] = _mm512_maskz_shuffle_i32x4(0xffff, a, d, 0xdd);
    rows[4 + c] = _mm512_maskz_shuffle_i32x4(0xffff, b, e, 0x88);
    rows[12 + c] = _mm512_maskz_shuffle_i32x4(0xffff, b, e, 0xdd);
  }
}

// What rows or blocks are missing becomes zeros with the scale zero.
template <BlockKind kind>
void pack_superblock(const QuantizedTileWork& work, Index superblock, PanelBlock<kind>& to) {
  constexpr BlockFormat format = format_of(kind);
  constexpr Index kBlocks = kNumbers / format.numbers, kGroups = PanelBlock<kind>::kGroups;
  constexpr Index kStep = kGroup<kind> / 16;
  alignas(64) std::int8_t numbers[kRows][kNumbers];
  const Index blocks = std::min(kBlocks, work.blocks - superblock * kBlocks);
  if (work.rows < kRows || blocks < kBlocks) {
    std::memset(numbers, 0, sizeof(numbers));
    std::memset(&to, 0, sizeof(to));
  }
  for (Index r = 0; r < work.rows; ++r) {
    for (Index b = 0; b < blocks; ++b) {
      BlockScales scales;
      unpack<kind>(work.a + r * work.a_row + (superblock * kBlocks + b) * format.bytes,
                   numbers[r] + b * format.numbers, scales);
      for (Index g = 0; g < kGroups / kBlocks; ++g) {
        to.scales[b * (kGroups / kBlocks) + g][r] = scales.scale[g * kStep];
        if constexpr (adds(kind)) to.added[b * (kGroups / kBlocks) + g][r] = scales.added[g * kStep];
      }
    }
  }
  for (Index part = 0; part < kNumbers; part += 64) {
    Ints rows[16];
#pragma GCC unroll 16
    for (Index r = 0; r < kRows; ++r) {
      rows[r] = _mm512_xor_si512(_mm512_load_si512(numbers[r] + part), _mm512_set1_epi8(-128));
    }
    transpose(rows);
#pragma GCC unroll 16
    for (Index i = 0; i < 16; ++i) _mm512_storeu_si512(to.numbers[part / 4 + i], rows[i]);
  }
}

// All rows of a panel times vectors v .. v + kVectors.
template <BlockKind kind, Index kVectors>
void multiply(const QuantizedTileWork& work, const PanelBlock<kind>* panel, Index superblocks, Index v) {
  constexpr Index kGroups = PanelBlock<kind>::kGroups, kSteps = kGroup<kind> / 4;
  const ActivationBlock* const x = work.x + v * work.x_row;
  Floats sums[kVectors];
#pragma GCC unroll 16
  for (Index u = 0; u < kVectors; ++u) sums[u] = _mm512_setzero_ps();
  for (Index superblock = 0; superblock < superblocks; ++superblock) {
    const PanelBlock<kind>& own = panel[superblock];
    for (Index g = 0; g < kGroups; ++g) {
      Ints numbers[kSteps];
#pragma GCC unroll 8
      for (Index j = 0; j < kSteps; ++j) numbers[j] = _mm512_loadu_si512(own.numbers[g * kSteps + j]);
      const Floats scale = _mm512_loadu_ps(own.scales[g]);
#pragma GCC unroll 16
      for (Index u = 0; u < kVectors; ++u) {
        const ActivationBlock& vector = x[u * work.x_row + superblock];
        const std::int8_t* const factors = vector.numbers + g * kGroup<kind>;
        Ints products = _mm512_set1_epi32(vector.before[g]);
#pragma GCC unroll 8
        for (Index j = 0; j < kSteps; ++j) {
          std::int32_t four;
          std::memcpy(&four, factors + 4 * j, 4);
          products = _mm512_dpbusd_epi32(products, numbers[j], _mm512_set1_epi32(four));
        }
        const Index block = g * kGroup<kind> / 32;
        const Floats factor = _mm512_mul_ps(scale, _mm512_set1_ps(vector.scales[block]));
        sums[u] = _mm512_fmadd_ps(_mm512_maskz_cvtepi32_ps(0xffff, products), factor, sums[u]);
        if constexpr (adds(kind)) {
          sums[u] = _mm512_fmadd_ps(_mm512_loadu_ps(own.added[g]), _mm512_set1_ps(vector.sums[block]), sums[u]);
        }
      }
    }
  }
#pragma GCC unroll 16
  for (Index u = 0; u < kVectors; ++u) _mm512_storeu_ps(work.y + (v + u) * work.y_row, sums[u]);
}

template <BlockKind kind>
void tile(const QuantizedTileWork& work) {
  constexpr Index kBlocks = kNumbers / format_of(kind).numbers;
  auto* const panel = reinterpret_cast<PanelBlock<kind>*>(work.memory);
  const Index superblocks = (work.blocks + kBlocks - 1) / kBlocks;
  for (Index i = 0; i < superblocks; ++i) pack_superblock<kind>(work, i, panel[i]);
  Index v = 0;
  const auto for_each = [&]<Index count>() {
    for (; v + count <= work.vectors; v += count) multiply<kind, count>(work, panel, superblocks, v);
  };
  for_each.template operator()<8>();
  for_each.template operator()<4>();
  for_each.template operator()<1>();
}

// What sums of each group begin with.
template <BlockKind kind>
void prepare(Index superblocks, ActivationBlock* x) {
  for (Index superblock = 0; superblock < superblocks; ++superblock) {
    for (Index g = 0; g < kNumbers / kGroup<kind>; ++g) {
      std::int32_t sum = 0;
      for (Index i = 0; i < kGroup<kind>; ++i) sum += x[superblock].numbers[g * kGroup<kind> + i];
      x[superblock].before[g] = -128 * sum;
    }
  }
}

template <BlockKind kind>
void fill_kind(LoopFiller& fill) {
  const auto& loops = fill.table.quantized.kinds[static_cast<int>(kind)];
  fill.enter(loops.tile, STRIDED_LOOP(tile<kind>));
  fill.enter(loops.prepare, STRIDED_LOOP(prepare<kind>));
  static_assert(sizeof(PanelBlock<kind>) <= QuantizedTileWork::kSuperblockBytes);
}

}  // namespace

void fill_quantized_tiles_loops(LoopFiller& fill) {
  for_each_kind([&]<BlockKind kind>() { fill_kind<kind>(fill); });
}

}  // namespace strided::kernels::quantized::STRIDED_ISA

#endif
