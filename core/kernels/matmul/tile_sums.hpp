// One tile of a matrix product: its sums stay in registers while k runs, then they reach the result.
#pragma once

#include "product_loops.hpp"
#include "simd/lane_vectors.hpp"
#include "simd/line.hpp"
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

// ---- the left operand ----

// Elements of rows that step evenly. What is read in place along k is prefetched.
template <class T, Index kRows>
class EvenRows {
 public:
  [[gnu::always_inline]] explicit EvenRows(const TileWork& work)
      : a_(work.a), row_(work.a_row), step_(work.a_step), prefetches_(reads_rows_along_k<T>(work)) {}

  // For the step after which `left` steps are still to come, this one among them.
  [[gnu::always_inline]] void begin(Index left) const {
    constexpr Index kPerLine = kLine / static_cast<Index>(sizeof(T));
    if (prefetches_ && left % kPerLine == 0) prefetch_rows<kRows>(a_ + kRows * row_, row_);
  }
  [[gnu::always_inline]] T element(Index i) const { return load_lane<T, T>(a_ + i * row_); }
  [[gnu::always_inline]] void next() { a_ += step_; }

 private:
  const std::byte* a_;
  const Index row_, step_;
  const bool prefetches_;
};

// Elements whose places are listed, by row and by step. As a tile reads single elements it costs nothing to look up
// where they lie.
template <class T, Index kRows>
class ListedRows {
 public:
  [[gnu::always_inline]] explicit ListedRows(const TileWork& work) : steps_(work.step_places) {
    for (Index i = 0; i < kRows; ++i) rows_[i] = work.a + work.row_places[i];
  }

  [[gnu::always_inline]] void begin(Index) const {}
  [[gnu::always_inline]] T element(Index i) const { return load_lane<T, T>(rows_[i] + *steps_); }
  [[gnu::always_inline]] void next() { ++steps_; }

 private:
  const std::byte* rows_[kRows];
  const Index* steps_;
};

// ---- the tile ----

// add(sum, element of a in every lane, vector of b) returns the new sum. T is what a vector of b holds, Sum what a
// vector of sums does.
template <class Sum, class T, Index kRows, Index kVectors, template <class, Index> class Left, class Add>
[[gnu::always_inline]] inline void multiply_tile(const TileWork& work, Add add) {
  prefetch_result(work, kVectors);
  TileSums<Sum, kRows, kVectors> tile;
  Left<T, kRows> left(work);
  const std::byte* b = work.b;
  const Index b_step = work.b_step;
  const RowOfB<T, kVectors> row_of_b(work.columns);
#pragma GCC unroll 1
  for (Index p = work.k; p > 0; --p) {
    left.begin(p);
    Vector<T> row[kVectors];
    row_of_b.load(b, row);
#pragma GCC unroll 16
    for (Index i = 0; i < kRows; ++i) {
      const Vector<T> broadcast = left.element(i) - Vector<T>{};
#pragma GCC unroll 4
      for (Index j = 0; j < kVectors; ++j) tile.sums[i][j] = add(tile.sums[i][j], broadcast, row[j]);
    }
    left.next();
    b += b_step;
  }
  tile.store(work);
}

// Calls enter.operator()<rows, vectors>(cell) for every size of a tile that this level has.
template <class Enter>
void for_each_tile(const ProductLoops::TileSizes& tiles, Enter&& enter) {
  const auto height = [&]<int place>() {
    if constexpr (Index{1} << place <= kTileRows) {
      enter.template operator()<Index{1} << place, 1>(tiles[place][0]);
      enter.template operator()<Index{1} << place, 2>(tiles[place][1]);
      if constexpr (kTileVectors == 3) enter.template operator()<Index{1} << place, 3>(tiles[place][2]);
    }
  };
  [&]<int... place>(std::integer_sequence<int, place...>) {
    (height.template operator()<place>(), ...);
  }(std::make_integer_sequence<int, ProductLoops::kHighest>{});
}

}  // namespace strided::kernels::matmul::STRIDED_ISA
