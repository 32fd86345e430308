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
  const auto plus_products = [](Vector<float> sum, Vector<Pairs> a, Vector<Pairs> b) __attribute__((always_inline)) {
    return _mm512_dpbf16_ps(sum, reinterpret_cast<__m512bh>(a), reinterpret_cast<__m512bh>(b));
  };
  multiply_tile<float, Pairs, kRows, kVectors, EvenRows>(work, plus_products);
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

}  // namespace

void fill_tile_bf16_loops(LoopFiller& fill) {
  const ProductLoops& loops = fill.table.products;
  static_assert(kTileRows == 8 && kTileVectors == 3);
  fill.set(loops.pairs.rows, kTileRows);
  fill.set(loops.pairs.vector, kLanes<Pairs>);
  fill.set(loops.pairs.vectors, kTileVectors);
  fill.set(loops.pairs.exact, true);
  for_each_tile(loops.pairs.tile, [&]<Index rows, Index vectors>(const Tile& cell) {
    fill.enter(cell, STRIDED_LOOP(pair_tile<rows, vectors>));
  });
  fill.enter(loops.pairs_narrow_down, STRIDED_LOOP(pack_pairs_down<kTileRows>));
  fill.enter(loops.pairs_wide_down, STRIDED_LOOP(pack_pairs_down<kTileVectors * kLanes<Pairs>>));
}

}  // namespace strided::kernels::matmul::STRIDED_ISA

#endif
