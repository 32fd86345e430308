// One tile of a product whose left operand is read by tables of places, for one instruction set.
//
// As in tile.isa.cpp a tile of the result stays in registers while k runs.
#include "kernels/fill_loops.hpp"
#include "tile_sums.hpp"

namespace strided::kernels::matmul::STRIDED_ISA {
namespace {

template <class T, Index kRows, Index kVectors>
void listed(const ListedWork& listed_work) {
  using V = Vector<T>;
  const TileWork& work = listed_work.tile;
  prefetch_result(work, kVectors);
  TileSums<T, kRows, kVectors> tile;
  const std::byte* rows[kRows];
  for (Index i = 0; i < kRows; ++i) rows[i] = work.a + listed_work.rows[i];
  const Index* const steps = listed_work.steps;
  const std::byte* b = work.b;
  const Index b_step = work.b_step, k = work.k;
  const RowOfB<T, kVectors> row_of_b(work.columns);
#pragma GCC unroll 1
  for (Index p = 0; p < k; ++p) {
    V row[kVectors];
    row_of_b.load(b, row);
    const Index step = steps[p];
#pragma GCC unroll 16
    for (Index i = 0; i < kRows; ++i) {
      const V broadcast = load_lane<T, T>(rows[i] + step) - V{};
#pragma GCC unroll 4
      for (Index j = 0; j < kVectors; ++j) tile.sums[i][j] += broadcast * row[j];
    }
    b += b_step;
  }
  tile.store(work);
}

template <class T, Index kRows>
void fill_height(LoopFiller& fill, const ListedTile (&tiles)[ProductLoops::kWidest]) {
  fill.enter(tiles[0], STRIDED_LOOP(listed<T, kRows, 1>));
  fill.enter(tiles[1], STRIDED_LOOP(listed<T, kRows, 2>));
  if constexpr (kTileVectors == 3) fill.enter(tiles[2], STRIDED_LOOP(listed<T, kRows, 3>));
}

template <class T>
void fill_accumulate(LoopFiller& fill, const ProductLoops::Listed& tiles) {
  fill_height<T, 1>(fill, tiles.tile[0]);
  fill_height<T, 2>(fill, tiles.tile[1]);
  fill_height<T, 4>(fill, tiles.tile[2]);
  if constexpr (kTileRows == 8) fill_height<T, 8>(fill, tiles.tile[3]);
}

}  // namespace

void fill_tile_scattered_loops(LoopFiller& fill) {
  fill_accumulate<float>(fill, fill.table.products.listed[0]);
  fill_accumulate<double>(fill, fill.table.products.listed[1]);
}

}  // namespace strided::kernels::matmul::STRIDED_ISA
