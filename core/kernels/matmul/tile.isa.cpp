// One tile of a matrix product, and the panels it is fed from, for one instruction set.
//
// A tile of the result stays in registers while k runs: every element of `a` is broadcast to a vector and
// multiplied with one row of `b`. It does not matter to the loop whether a and b are panels or lie where
// the user put them, so small products are computed in place. (K. Goto and R. van de Geijn, "Anatomy of
// high-performance matrix multiplication", 2008.)
#include "kernels/fill_loops.hpp"
#include "simd/transpose_square.hpp"
#include "tile_sums.hpp"

namespace strided::kernels::matmul::STRIDED_ISA {
namespace {

constexpr int at(DType dtype) { return static_cast<int>(dtype); }

// ---- tiles ----

constexpr auto plus_product = [](auto sum, auto a, auto b) __attribute__((always_inline)) { return sum + a * b; };

template <class T, Index kRows, Index kVectors>
void tile(const TileWork& work) {
  multiply_tile<T, T, kRows, kVectors, EvenRows>(work, plus_product);
}

template <class T, Index kRows, Index kVectors>
void tile_listed(const TileWork& work) {
  multiply_tile<T, T, kRows, kVectors, ListedRows>(work, plus_product);
}

// ---- panels ----

// Steps [p, end) of the rows from `row` on, element by element, and zeros up to a whole vector.
template <class T, class From, Index kWidth>
void pack_part(const PackWork& work, Index row, Index p, Index end) {
  constexpr Index kGrain = kWidth < kLanes<T> ? kWidth : kLanes<T>;
  const Index filled = (work.rows + kGrain - 1) / kGrain * kGrain;
  if (row == filled) return;
  for (; p < end; ++p) {
    std::byte* const to = work.to + p * kWidth * static_cast<Index>(sizeof(T));
    const std::byte* const from = work.from + p * work.step;
    for (Index i = row; i < filled; ++i) {
      const T element = i < work.rows ? load_lane<T, From>(from + i * work.row) : T{0};
      std::memcpy(to + i * static_cast<Index>(sizeof(T)), &element, sizeof(T));
    }
  }
}

template <class T, class From, Index kWidth>
void pack_down(const PackWork& work) {
  constexpr Index kAtOnce = kWidth < kLanes<T> ? kWidth : kLanes<T>;
  if (work.rows < kWidth) return pack_part<T, From, kWidth>(work, 0, 0, work.k);
  std::byte* to = work.to;
  for (Index p = 0; p < work.k; ++p) {
    const std::byte* const from = work.from + p * work.step;
#pragma GCC unroll 8
    for (Index i = 0; i < kWidth; i += kAtOnce) {
      store_vector(to, load_lanes<T, From, kAtOnce>(from + i * static_cast<Index>(sizeof(From))));
      to += kAtOnce * static_cast<Index>(sizeof(T));
    }
  }
}

template <class T, class From, Index kWidth>
void pack_along(const PackWork& work) {
  constexpr Index kSide = 16 / static_cast<Index>(sizeof(T));
  constexpr Index kPerLine = kLine / static_cast<Index>(sizeof(From));
  const Index whole = kSide <= 4 ? work.k - work.k % kSide : 0;
  const Index rows = work.rows - work.rows % kSide;
  if constexpr (kSide <= 4) {
    // A cache line of every row at a time: it is used up while it is there. So many rows are more streams than
    // the processor follows by itself, so lines are prefetched, in the end those of the next panel.
    constexpr Index kAhead = 4 * kPerLine;
    for (Index p = 0; p < whole; p += kPerLine) {
      const Index end = p + kPerLine < whole ? p + kPerLine : whole;
      const Index ahead = p + kAhead < whole ? p + kAhead : p + kAhead - whole;
      const std::byte* const prefetched = work.from + (p + kAhead < whole ? 0 : kWidth * work.row) +
                                      ahead * static_cast<Index>(sizeof(From));
      for (Index i = 0; i < kWidth && i < rows; i += kSide) {
        const std::byte* const from = work.from + i * work.row;
#pragma GCC unroll 4
        for (Index r = 0; r < kSide; ++r) __builtin_prefetch(prefetched + (i + r) * work.row, 0, 2);
        for (Index q = p; q < end; q += kSide) {
          Square<sizeof(T), 16>::transpose(
              [&](int r) __attribute__((always_inline)) {
                return load_lanes<T, From, kSide>(from + r * work.row + q * static_cast<Index>(sizeof(From)));
              },
              [&](int r, const auto& column) __attribute__((always_inline)) {
                store_vector(work.to + ((q + r) * kWidth + i) * static_cast<Index>(sizeof(T)), column);
              });
        }
      }
    }
    pack_part<T, From, kWidth>(work, rows, 0, whole);
  }
  pack_part<T, From, kWidth>(work, 0, whole, work.k);
}

// ---- the table ----

template <class T, class From>
void fill_packs(LoopFiller& fill, DType dtype, int plane = 0) {
  constexpr Index kWide = kTileVectors * kLanes<T>;
  const auto& narrow = fill.table.products.narrow[at(dtype)][plane];
  const auto& wide = fill.table.products.wide[at(dtype)][plane];
  fill.enter(narrow.down, STRIDED_LOOP(pack_down<T, From, kTileRows>));
  fill.enter(narrow.along, STRIDED_LOOP(pack_along<T, From, kTileRows>));
  fill.enter(wide.down, STRIDED_LOOP(pack_down<T, From, kWide>));
  fill.enter(wide.along, STRIDED_LOOP(pack_along<T, From, kWide>));
}

template <class T>
void fill_accumulate(LoopFiller& fill, DType accumulate) {
  const auto& row = fill.table.products.tiles[at(accumulate)];
  fill.set(row.rows, kTileRows);
  fill.set(row.vector, kLanes<T>);
  fill.set(row.vectors, kTileVectors);
  fill.set(row.exact, kHasMasks);
  for_each_tile(row.tile, [&]<Index rows, Index vectors>(const Tile& cell) {
    fill.enter(cell, STRIDED_LOOP(tile<T, rows, vectors>));
  });
  fill_packs<T, T>(fill, accumulate);
}

template <class T>
void fill_listed(LoopFiller& fill, const ProductLoops::TileSizes& tiles) {
  for_each_tile(tiles, [&]<Index rows, Index vectors>(const Tile& cell) {
    fill.enter(cell, STRIDED_LOOP(tile_listed<T, rows, vectors>));
  });
}

}  // namespace

void fill_tile_loops(LoopFiller& fill) {
  fill_accumulate<float>(fill, DType::Float32);
  fill_accumulate<double>(fill, DType::Float64);
  fill_listed<float>(fill, fill.table.products.listed[0]);
  fill_listed<double>(fill, fill.table.products.listed[1]);
  fill_accumulate<std::uint16_t>(fill, DType::UInt16);
  fill_accumulate<std::uint32_t>(fill, DType::UInt32);
  fill_accumulate<std::uint64_t>(fill, DType::UInt64);
#if defined(__F16C__)
  fill_packs<float, float16>(fill, DType::Float16);
#endif
  fill_packs<float, bfloat16>(fill, DType::BFloat16);
  fill_packs<float, Part<float, 0>>(fill, DType::Complex64, 0);
  fill_packs<float, Part<float, 1>>(fill, DType::Complex64, 1);
  fill_packs<double, Part<double, 0>>(fill, DType::Complex128, 0);
  fill_packs<double, Part<double, 1>>(fill, DType::Complex128, 1);
  fill_packs<std::uint16_t, std::int8_t>(fill, DType::Int8);
  fill_packs<std::uint16_t, std::uint8_t>(fill, DType::UInt8);
  fill_packs<std::uint16_t, std::uint16_t>(fill, DType::Int16);
  fill_packs<std::uint32_t, std::uint32_t>(fill, DType::Int32);
  fill_packs<std::uint64_t, std::uint64_t>(fill, DType::Int64);
}

}  // namespace strided::kernels::matmul::STRIDED_ISA
