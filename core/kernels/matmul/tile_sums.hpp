// The sums of one tile, in registers, and how they reach the result.
#pragma once

#include "product_loops.hpp"
#include "simd/lane_vectors.hpp"
#include "tile_size.hpp"

namespace strided::kernels::matmul::STRIDED_ISA {

template <class T, Update update, class Old>
[[gnu::always_inline]] inline T updated(Old&& old, T value) {
  if constexpr (update == Update::Set) return value;
  else if constexpr (update == Update::Add) return static_cast<T>(old() + value);
  else return static_cast<T>(old() - value);
}

// Prefetches the tile's place in the result: its lines arrive before its sums are complete.
[[gnu::always_inline]] inline void prefetch_result(const TileWork& work, Index vectors) {
  constexpr Index kLong = 32;  // steps in which the lines arrive
  if (work.k < kLong) return;
  for (Index i = 0; i < work.rows; ++i) {
    for (Index j = 0; j < vectors; ++j) {
      __builtin_prefetch(work.c + i * work.c_row + j * kVectorBytes, 1);
    }
  }
}

// A left operand that is read where it lies, along k. Its rows are more streams, and shorter ones, than
// the processor follows by itself; so while a tile works, the rows of the next one are prefetched.
template <class T>
[[gnu::always_inline]] inline bool reads_rows_along_k(const TileWork& work) {
  constexpr Index kLong = 64;  // steps: fewer are four cache lines, which the processor fetches by itself
  return work.a_step == static_cast<Index>(sizeof(T)) && work.k >= kLong;
}
template <Index kRows>
[[gnu::always_inline]] inline void prefetch_rows(const std::byte* rows, Index row) {
#pragma GCC unroll 16
  for (Index i = 0; i < kRows; ++i) __builtin_prefetch(rows + i * row, 0, 2);
}

// Loads one row of b, of which the last vector has only the columns that there are.
template <class T, Index kVectors>
class RowOfB {
 public:
#if defined(__AVX512BW__)
  [[gnu::always_inline]] explicit RowOfB(Index columns) : mask_(mask_of<T>(columns - kBefore)) {}
#else
  [[gnu::always_inline]] explicit RowOfB(Index) {}
#endif

  [[gnu::always_inline]] void load(const std::byte* b, Vector<T>* row) const {
#pragma GCC unroll 4
    for (Index j = 0; j < kVectors; ++j) {
#if defined(__AVX512BW__)
      if (j == kVectors - 1) {
        row[j] = load_masked<T>(b + j * kVectorBytes, mask_);
        continue;
      }
#endif
      row[j] = load_vector<Vector<T>>(b + j * kVectorBytes);
    }
  }

 private:
#if defined(__AVX512BW__)
  static constexpr Index kBefore = (kVectors - 1) * kLanes<T>;
  const Mask<T> mask_;
#endif
};

template <class T, Index kRows, Index kVectors>
struct TileSums {
  using V = Vector<T>;
  static constexpr Index kWidth = kVectors * kLanes<T>;
  V sums[kRows][kVectors];

  [[gnu::always_inline]] TileSums() {
#pragma GCC unroll 16
    for (Index i = 0; i < kRows; ++i) {
#pragma GCC unroll 4
      for (Index j = 0; j < kVectors; ++j) sums[i][j] = V{};
    }
  }

  template <Update update>
  [[gnu::always_inline]] void put(const TileWork& work) const {
#pragma GCC unroll 16
    for (Index i = 0; i < kRows; ++i) {
      if (i >= work.rows) return;
      std::byte* const row = work.c + i * work.c_row;
#pragma GCC unroll 4
      for (Index j = 0; j < kVectors; ++j) {
        std::byte* const place = row + j * kVectorBytes;
#if defined(__AVX512BW__)
        if (j == kVectors - 1) {
          const Mask<T> mask = mask_of<T>(work.columns - j * kLanes<T>);
          store_masked<T>(
              place, updated<V, update>([&] { return load_masked<T>(place, mask); }, sums[i][j]), mask);
          continue;
        }
#endif
        store_vector(place, updated<V, update>([&] { return load_vector<V>(place); }, sums[i][j]));
      }
    }
  }

  // Fewer columns than the tile has: element by element.
  template <Update update>
  void put_part(const TileWork& work) const {
    T all[kRows][kWidth];
    std::memcpy(all, sums, sizeof(all));
    for (Index i = 0; i < work.rows; ++i) {
      std::byte* const row = work.c + i * work.c_row;
      for (Index j = 0; j < work.columns; ++j) {
        std::byte* const place = row + j * static_cast<Index>(sizeof(T));
        const T value = updated<T, update>([&] { return load_lane<T, T>(place); }, all[i][j]);
        std::memcpy(place, &value, sizeof(T));
      }
    }
  }

  template <Update update>
  [[gnu::always_inline]] void store_as(const TileWork& work) const {
    if (kHasMasks || work.columns == kWidth) put<update>(work);
    else put_part<update>(work);
  }

  [[gnu::always_inline]] void store(const TileWork& work) const {
    switch (work.update) {
      case Update::Set: return store_as<Update::Set>(work);
      case Update::Add: return store_as<Update::Add>(work);
      case Update::Subtract: return store_as<Update::Subtract>(work);
    }
  }
};

}  // namespace strided::kernels::matmul::STRIDED_ISA
