// Tiles of bfloat16 for processors that multiply pairs of them and add up in float32 (AVX-512 BF16). Built for no other
// processor.
//
// An element of a panel is a pair: two steps of k in 4 bytes. Products are exact; numbers
// below 2^-126 count as zero.
#if defined(__AVX512BF16__)

#include "kernels/fill_loops.hpp"
#include "tile_sums.hpp"

namespace strided::kernels::matmul::STRIDED_ISA {
namespace {

using Pairs = std::uint32_t;

template <Index kRows, Index kVectors>
void pair_tile(const TileWork& work) {
  prefetch_result(work, kVectors);
  TileSums<float, kRows, kVectors> tile;
  const RowOfB<Pairs, kVectors> row_of_b(work.columns);
  const std::byte* a = work.a;
  const std::byte* b = work.b;
  const bool prefetches = reads_rows_along_k<Pairs>(work);
#pragma GCC unroll 1
  for (Index p = work.k; p > 0; --p) {
    if (prefetches && p % kLanes<Pairs> == 0) prefetch_rows<kRows>(a + kRows * work.a_row, work.a_row);
    Vector<Pairs> row[kVectors];
    row_of_b.load(b, row);
#pragma GCC unroll 16
    for (Index i = 0; i < kRows; ++i) {
      const Vector<Pairs> pair = load_lane<Pairs, Pairs>(a + i * work.a_row) - Vector<Pairs>{};
#pragma GCC unroll 4
      for (Index j = 0; j < kVectors; ++j) {
        tile.sums[i][j] = _mm512_dpbf16_ps(tile.sums[i][j], reinterpret_cast<__m512bh>(pair),
                                           reinterpret_cast<__m512bh>(row[j]));
      }
    }
    a += work.a_step;
    b += work.b_step;
  }
  tile.store(work);
}

// Panels of rows that are contiguous: two steps are interleaved.
template <Index kWidth>
void pack_pairs_down(const PackWork& work) {
  constexpr Index kAtOnce = kWidth < kLanes<Pairs> ? kWidth : kLanes<Pairs>;
  using Halves = Vector<std::uint16_t, kAtOnce>;
  using Wholes = Vector<Pairs, kAtOnce>;
  std::byte* to = work.to;
  for (Index p = 0; p < work.k; p += 2) {
    const std::byte* const first = work.from + p * work.step;
    const std::byte* const second = p + 1 < work.k ? first + work.step : nullptr;
    for (Index i = 0; i < kWidth; i += kAtOnce) {
      Halves halves[2] = {};
      const Index count = work.rows - i < kAtOnce ? work.rows - i : kAtOnce;
      if (count > 0) {
        std::memcpy(&halves[0], first + 2 * i, static_cast<std::size_t>(2 * count));
        if (second != nullptr) std::memcpy(&halves[1], second + 2 * i, static_cast<std::size_t>(2 * count));
      }
      const Wholes low = __builtin_convertvector(halves[0], Wholes);
      const Wholes high = __builtin_convertvector(halves[1], Wholes);
      store_vector<Wholes>(to, low | (high << 16));
      to += kAtOnce * 4;
    }
  }
}

template <Index kRows>
void fill_height(LoopFiller& fill, const Tile (&tiles)[ProductLoops::kWidest]) {
  fill.enter(tiles[0], STRIDED_LOOP(pair_tile<kRows, 1>));
  fill.enter(tiles[1], STRIDED_LOOP(pair_tile<kRows, 2>));
  fill.enter(tiles[2], STRIDED_LOOP(pair_tile<kRows, 3>));
}

}  // namespace

void fill_tile_bf16_loops(LoopFiller& fill) {
  const ProductLoops& loops = fill.table.products;
  static_assert(kTileRows == 8 && kTileVectors == 3);
  fill.set(loops.pairs.rows, kTileRows);
  fill.set(loops.pairs.vector, kLanes<Pairs>);
  fill.set(loops.pairs.vectors, kTileVectors);
  fill.set(loops.pairs.exact, true);
  fill_height<1>(fill, loops.pairs.tile[0]);
  fill_height<2>(fill, loops.pairs.tile[1]);
  fill_height<4>(fill, loops.pairs.tile[2]);
  fill_height<8>(fill, loops.pairs.tile[3]);
  fill.enter(loops.pairs_narrow_down, STRIDED_LOOP(pack_pairs_down<kTileRows>));
  fill.enter(loops.pairs_wide_down, STRIDED_LOOP(pack_pairs_down<kTileVectors * kLanes<Pairs>>));
}

}  // namespace strided::kernels::matmul::STRIDED_ISA

#endif
