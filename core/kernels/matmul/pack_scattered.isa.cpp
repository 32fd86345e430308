// Panels of operands whose rows and steps are listed place by place, for one instruction set: windows of an
// image.
//
// Neighbours in memory are moved together where there are enough of them: rows of one step (the product
// runs along the pixels of an image), or steps of one row (it runs along its weights), which are transposed in
// registers.
#include "kernels/fill_loops.hpp"
#include "simd/lane_vectors.hpp"
#include "simd/transpose_square.hpp"
#include "tile_size.hpp"

namespace strided::kernels::matmul::STRIDED_ISA {
namespace {

constexpr Index kWorthwhile = 4;  // neighbours, on average: half a vector of AVX2

// The end of the run of neighbours that begins at i.
template <class T>
[[gnu::always_inline]] inline Index run_end(const Index* places, Index i, Index n) {
  while (++i < n && places[i] == places[i - 1] + static_cast<Index>(sizeof(T))) {
  }
  return i;
}

template <class T>
[[gnu::always_inline]] inline bool has_runs(const Index* places, Index n) {
  Index runs = 0;
  for (Index i = 0; i < n; i = run_end<T>(places, i, n)) ++runs;
  return runs * kWorthwhile <= n;
}

template <class T>
[[gnu::always_inline]] inline void copy_elements(std::byte* to, const std::byte* from, Index n) {
  constexpr Index kSize = static_cast<Index>(sizeof(T));
  const auto move = [&]<Index kBytes>() __attribute__((always_inline)) {
    store_vector(to, load_vector<Vector<T, kBytes / kSize>>(from));
    to += kBytes;
    from += kBytes;
    n -= kBytes / kSize;
  };
  while (n >= kLanes<T>) move.template operator()<kVectorBytes>();
  if constexpr (kVectorBytes > 32) if (n >= 32 / kSize) move.template operator()<32>();
  if constexpr (kVectorBytes > 16) if (n >= 16 / kSize) move.template operator()<16>();
  for (Index i = 0; i < n; ++i) std::memcpy(to + i * kSize, from + i * kSize, sizeof(T));
}

template <class T, Index kWidth>
void pack_rows(const ScatteredWork& work) {
  constexpr Index kSize = static_cast<Index>(sizeof(T));
  for (Index i = 0, end; i < work.rows; i = end) {
    end = run_end<T>(work.row_places, i, work.rows);
    const std::byte* const from = work.from + work.row_places[i];
    std::byte* to = work.to + i * kSize;
    for (Index p = 0; p < work.k; ++p) {
      copy_elements<T>(to, from + work.step_places[p], end - i);
      to += kWidth * kSize;
    }
  }
}

// Rows [row, row + count) at steps [p, end), one by one.
template <class T, Index kWidth>
[[gnu::always_inline]] inline void pack_each(const ScatteredWork& work, Index row, Index count, Index p,
                                             Index end) {
  constexpr Index kSize = static_cast<Index>(sizeof(T));
  for (; p < end; ++p) {
    const std::byte* const from = work.from + work.step_places[p];
    std::byte* const to = work.to + p * kWidth * kSize;
    for (Index i = row; i < row + count; ++i) std::memcpy(to + i * kSize, from + work.row_places[i], sizeof(T));
  }
}

template <class T, Index kWidth>
void pack_steps(const ScatteredWork& work) {
  constexpr Index kSize = static_cast<Index>(sizeof(T)), kSide = 16 / kSize;
  const Index whole = work.rows - work.rows % kSide;
  for (Index p = 0, end; p < work.k; p = end) {
    end = run_end<T>(work.step_places, p, work.k);
    const Index squares = (end - p) / kSide * kSide;
    const std::byte* const from = work.from + work.step_places[p];
    for (Index i = 0; i < whole; i += kSide) {
      for (Index q = 0; q < squares; q += kSide) {
        Square<sizeof(T), 16>::transpose(
            [&](int r) __attribute__((always_inline)) {
              return load_vector<Vector<T, kSide>>(from + work.row_places[i + r] + q * kSize);
            },
            [&](int r, const auto& column) __attribute__((always_inline)) {
              store_vector(work.to + ((p + q + r) * kWidth + i) * kSize, column);
            });
      }
    }
    pack_each<T, kWidth>(work, 0, whole, p + squares, end);
    pack_each<T, kWidth>(work, whole, work.rows - whole, p, end);
  }
}

template <class T, Index kWidth>
void pack_scattered(const ScatteredWork& work) {
  if (has_runs<T>(work.row_places, work.rows)) return pack_rows<T, kWidth>(work);
  if (has_runs<T>(work.step_places, work.k)) return pack_steps<T, kWidth>(work);
  pack_each<T, kWidth>(work, 0, work.rows, 0, work.k);
}

template <class T>
void fill_accumulate(LoopFiller& fill, DType accumulate) {
  const ProductLoops& loops = fill.table.products;
  fill.enter(loops.narrow_scattered[static_cast<int>(accumulate)], STRIDED_LOOP(pack_scattered<T, kTileRows>));
  fill.enter(loops.wide_scattered[static_cast<int>(accumulate)],
             STRIDED_LOOP(pack_scattered<T, kTileVectors * kLanes<T>>));
}

}  // namespace

void fill_pack_scattered_loops(LoopFiller& fill) {
  fill_accumulate<float>(fill, DType::Float32);
  fill_accumulate<double>(fill, DType::Float64);
}

}  // namespace strided::kernels::matmul::STRIDED_ISA
