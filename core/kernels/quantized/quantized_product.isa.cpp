// Rows of quantised blocks times a few vectors of int8, for one instruction set.
//
// Memory sets the pace for one vector: a few rows are read at once, and the rows behind them are prefetched
// meanwhile. AVX-512 alone has no products of bytes that would beat AVX2: this file is built once more
// with VNNI for processors that have it.
#include <cstdlib>

#include "kernels/fill_loops.hpp"
#include "unpacked.hpp"
#if defined(__AVX2__) && (!defined(__AVX512F__) || defined(__AVX512VNNI__))
#include "quantized_large_blocks.hpp"
#endif

namespace strided::kernels::quantized::STRIDED_ISA {
#if defined(__AVX2__) && defined(__AVX512F__) && !defined(__AVX512VNNI__)

void fill_quantized_product_loops(LoopFiller&) {}

#else
namespace {

#if defined(__AVX2__)

// How far rows are prefetched into the second cache: at least what arrives within the latency of memory, and no farther
// than what it keeps beside the activations.
constexpr Index kAhead = 8 << 10, kFarthest = 64 << 10;

// Rows i .. i + kRows with vectors v .. v + kVectors. Rows shorter than a superblock are brought to memory that
// has zeros behind them.
template <class Kind, Index kRows, Index kVectors>
void multiply(const QuantizedWork& work, Index i, Index v) {
  const std::byte* const a = work.a + i * work.a_row;
  const ActivationBlock* const x = work.x + v * work.x_row;
  BlockSums<kRows, kVectors> sums;
  for (Index r = 0; r < kRows; ++r) {
    for (Index u = 0; u < kVectors; ++u) sums.of[r][u] = no_sums(), sums.added[r][u] = _mm256_setzero_ps();
  }
  constexpr Index kBlocks = Kind::kSuperblock / Kind::kBlock;
  const Index superblocks = work.blocks / kBlocks, rest = work.blocks % kBlocks;
  // The rows behind these, or those behind them: some whole steps of kRows rows.
  const Index step = kRows * std::max(std::abs(work.a_row), kLine);
  const Index distance = (kAhead + step - 1) / step * step;
  const Index ahead = distance > kFarthest ? kAhead : work.a_row < 0 ? -distance : distance;
  const auto prefetch = [&](const std::byte* place, Index bytes) __attribute__((always_inline)) {
#pragma GCC unroll 4
    for (Index r = 0; r < kRows; ++r) {
#pragma GCC unroll 8
      for (Index line = 0; line < bytes; line += kLine) {
        __builtin_prefetch(place + r * work.a_row + ahead + line, 0, 2);
      }
    }
  };
  for (Index superblock = 0; superblock < superblocks; ++superblock) {
    const std::byte* const place = a + superblock * Kind::kSuperblock;
    prefetch(place, Kind::kSuperblock);
    Kind::add(place, work.a_row, x + superblock, work.x_row, sums);
  }
  if (rest > 0) prefetch(a + superblocks * Kind::kSuperblock, rest * Kind::kBlock);
  if (rest > 0 && superblocks > 0) {
    Kind::add(a + (work.blocks - kBlocks) * Kind::kBlock, work.a_row, x + superblocks, work.x_row, sums);
  } else if (rest > 0) {
    alignas(64) std::byte few[kRows][Kind::kSuperblock] = {};
    for (Index r = 0; r < kRows; ++r) {
      std::memcpy(few[r], a + r * work.a_row, static_cast<std::size_t>(rest * Kind::kBlock));
    }
    Kind::add(&few[0][0], Kind::kSuperblock, x, work.x_row, sums);
  }
  for (Index u = 0; u < kVectors; ++u) {
    for (Index r = 0; r < kRows; ++r) {
      work.y[(v + u) * work.y_row + i + r] = total(sums.of[r][u], sums.added[r][u]);
    }
  }
}

template <class Kind>
void rows(const QuantizedWork& work) {
  Index i = 0;
  const auto for_each = [&]<Index count>() {
    for (; i + count <= work.rows; i += count) {
      Index v = 0;
      for (; v + 4 <= work.vectors; v += 4) multiply<Kind, count, 4>(work, i, v);
      for (; v + 2 <= work.vectors; v += 2) multiply<Kind, count, 2>(work, i, v);
      for (; v < work.vectors; ++v) multiply<Kind, count, 1>(work, i, v);
    }
  };
  for_each.template operator()<4>();
  for_each.template operator()<1>();
}

template <BlockKind kind>
struct BlocksOf {
  using type = std::conditional_t<format_of(kind).numbers == 256, LargeBlocks<kind>, NibbleBlocks<kind>>;
};
template <>
struct BlocksOf<BlockKind::Q8_0> {
  using type = ByteBlocks;
};

template <BlockKind kind>
void fill_kind(LoopFiller& fill) {
  using Kind = typename BlocksOf<kind>::type;
  const auto& loops = fill.table.quantized.kinds[static_cast<int>(kind)];
  fill.enter(loops.product, STRIDED_LOOP(rows<Kind>));
  fill.set(loops.order, Kind::order());
}

#else

// One row and vector at a time.
template <BlockKind kind>
void rows(const QuantizedWork& work) {
  constexpr BlockFormat format = format_of(kind);
  std::int8_t q[format.numbers];
  BlockScales scales;
  for (Index i = 0; i < work.rows; ++i) {
    for (Index v = 0; v < work.vectors; ++v) work.y[v * work.y_row + i] = 0;
    for (Index b = 0; b < work.blocks; ++b) {
      unpack<kind>(work.a + i * work.a_row + b * format.bytes, q, scales);
      for (Index v = 0; v < work.vectors; ++v) {
        const Index number = b * format.numbers, index = number / ActivationBlock::kNumbers;
        const ActivationBlock& superblock = work.x[v * work.x_row + index];
        const bool last = index > 0 && (index + 1) * ActivationBlock::kNumbers > work.blocks * format.numbers;
        const Index begin = last ? work.blocks * format.numbers - ActivationBlock::kNumbers
                                 : index * ActivationBlock::kNumbers;
        const Index at = number - begin;
        float sum = 0;
        for (Index group = 0; group < format.numbers / 16; ++group) {
          const std::int8_t* const x = superblock.numbers + at + 16 * group;
          std::int32_t products = 0;
          for (Index j = 0; j < 16; ++j) products += q[16 * group + j] * x[j];
          sum += scales.scale[group] * static_cast<float>(products) * superblock.scales[at / 32 + group / 2];
          if (adds(kind) && group % 2 == 0) sum += scales.added[group] * superblock.sums[at / 32 + group / 2];
        }
        work.y[v * work.y_row + i] += sum;
      }
    }
  }
}

template <BlockKind kind>
void fill_kind(LoopFiller& fill) {
  const auto& loops = fill.table.quantized.kinds[static_cast<int>(kind)];
  fill.enter(loops.product, STRIDED_LOOP(rows<kind>));
  fill.set(loops.order, kInOrder);
}

#endif

}  // namespace

void fill_quantized_product_loops(LoopFiller& fill) {
  for_each_kind([&]<BlockKind kind>() { fill_kind<kind>(fill); });
}

#endif
}  // namespace strided::kernels::quantized::STRIDED_ISA
