// Sorting networks over many short lists of keys at a time, for one instruction set: as many rows as a vector has lanes
// are transposed. Vector i then holds key i of all of them, so comparisons need no shuffles. Rows that are left over,
// or too short to transpose, are sorted one by one.
#pragma once

#include <algorithm>
#include <cstring>

#include "run/arena.hpp"
#include "simd/transpose_square.hpp"
#include "sort_network.hpp"

namespace strided::kernels::sort::STRIDED_ISA {
namespace {

// Tiles of columns are held in registers: half of the 32 or 16 that there are.
constexpr int kTile = kVectorBytes == 64 ? 16 : 8;

template <class V>
[[gnu::always_inline]] inline void exchange(V& a, V& b) {
  const V less = lesser(a, b);
  b = greater(a, b);
  a = less;
}

// Comparisons at distance kDistance, kDistance / 2, ... 1 within kBlock columns.
template <int kDistance, int kBlock, class V>
[[gnu::always_inline]] inline void merge_tile(V* v) {
  if constexpr (kDistance > 0) {
#pragma GCC unroll 16
    for (int i = 0; i < kBlock; ++i) {
      if ((i & kDistance) == 0) exchange(v[i], v[i + kDistance]);
    }
    merge_tile<kDistance / 2, kBlock>(v);
  }
}

// Merges two sorted halves of every kStep-th of kBlock columns: Batcher's way, with fewer comparisons.
template <int kBlock, int kStep, class V>
[[gnu::always_inline]] inline void merge_odd_even(V* v) {
  if constexpr (2 * kStep < kBlock) {
    merge_odd_even<kBlock, 2 * kStep>(v);
    merge_odd_even<kBlock, 2 * kStep>(v + kStep);
#pragma GCC unroll 16
    for (int i = kStep; i + kStep < kBlock; i += 2 * kStep) exchange(v[i], v[i + kStep]);
  } else {
    exchange(v[0], v[kStep]);
  }
}

template <int kBlock, class V>
[[gnu::always_inline]] inline void sort_tile(V* v) {
  if constexpr (kBlock > 1) {
    sort_tile<kBlock / 2>(v);
    sort_tile<kBlock / 2>(v + kBlock / 2);
    merge_odd_even<kBlock, 1>(v);
  }
}

// Calls run(v) with a tile in registers.
template <class Key, class Run>
[[gnu::always_inline]] inline void with_tile(Key* columns, Run run) {
  Vector<Key> v[kTile];
#pragma GCC unroll 16
  for (int i = 0; i < kTile; ++i) v[i] = read(columns + i * kLanes<Key>);
  run(v);
#pragma GCC unroll 16
  for (int i = 0; i < kTile; ++i) write(columns + i * kLanes<Key>, v[i]);
}

template <class Key>
[[gnu::always_inline]] inline void exchange_columns(Key* a, Key* b) {
  Vector<Key> x = read(a), y = read(b);
  exchange(x, y);
  write(a, x);
  write(b, y);
}

// Two steps at a time: a with b and c with d, then a with c and b with d, or, mirrored, d with b.
template <bool kMirrored, class Key>
[[gnu::always_inline]] inline void exchange_four(Key* a, Key* b, Key* c, Key* d) {
  Vector<Key> w = read(a), x = read(b), y = read(c), z = read(d);
  exchange(w, x);
  exchange(y, z);
  exchange(w, y);
  if constexpr (kMirrored) exchange(z, x);
  else exchange(x, z);
  write(a, w);
  write(b, x);
  write(c, y);
  write(d, z);
}

// As merge_block, for `block` columns of which the first `count`, whole tiles of them, exist.
template <class Key>
void merge_columns(Key* columns, Index block, Index count) {
  const auto at = [=](Index i) { return columns + i * kLanes<Key>; };
  const bool all = count == block;
  Index distance = block / 4;
  if (all && distance >= kTile) {
    for (Index i = 0; i < distance; ++i) {
      exchange_four<true>(at(i), at(block - 1 - i), at(i + distance), at(block - 1 - distance - i));
    }
    distance /= 2;
  } else {
    for (Index i = block - count; i < block / 2; ++i) exchange_columns(at(i), at(block - 1 - i));
  }
  for (; all && distance >= 2 * kTile; distance /= 4) {
    const Index half = distance / 2;
    for (Index start = 0; start < count; start += 2 * distance) {
      for (Index i = start; i < start + half; ++i) {
        exchange_four<false>(at(i), at(i + distance), at(i + half), at(i + half + distance));
      }
    }
  }
  for (; distance >= kTile; distance /= 2) {
    for (Index start = 0; start < count; start += 2 * distance) {
      for (Index i = start; i < start + distance && i + distance < count; ++i) {
        exchange_columns(at(i), at(i + distance));
      }
    }
  }
  for (Index tile = 0; tile < count; tile += kTile) {
    with_tile(at(tile), [](Vector<Key>* v) { merge_tile<kTile / 2, kTile>(v); });
  }
}

// Squares of keys from rows to columns and back; the last square overlaps the one before it.
template <class Key>
void transpose_rows(const Key* from, Index from_pitch, Key* to, Index to_pitch, Index from_step, Index to_step,
                    Index length) {
  constexpr Index n = kLanes<Key>;
  for (Index at = 0;; at = at + 2 * n <= length ? at + n : length - n) {
    Square<sizeof(Key)>::transpose(
        [=](int i) { return read(from + at * from_step + i * from_pitch); },
        [=](int i, auto column) { write(to + at * to_step + i * to_pitch, reinterpret_cast<Vector<Key>>(column)); });
    if (at == length - n) return;
  }
}

// kLanes rows of `length` keys, at least kLanes and at most kLongest.
template <class Key>
void sort_transposed(Index length, Key* rows) {
  constexpr Index n = kLanes<Key>;
  ScratchArray<Key, (kLongest<Key> + kTile) * n> memory;
  Key* const columns = memory;
  transpose_rows(rows, length, columns, n, 1, n, length);
  const Index count = (length + kTile - 1) / kTile * kTile;
  for (Index i = length; i < count; ++i) write(columns + i * n, ~Vector<Key>{});
  for (Index tile = 0; tile < count; tile += kTile) {
    with_tile(columns + tile * n, [](Vector<Key>* v) { sort_tile<kTile>(v); });
  }
  for (Index block = 2 * kTile; block < 2 * count; block *= 2) {
    for (Index first = 0; first < count; first += block) {
      merge_columns(columns + first * n, block, std::min(block, count - first));
    }
  }
  transpose_rows(columns, n, rows, length, n, 1, length);
}

// ---- rows of any length ----

template <class Key>
void sort_rows(Rows rows, Key* keys) {
  constexpr Index n = kLanes<Key>;
  if (rows.length >= n) {
    for (; rows.count >= n; rows.count -= n, keys += n * rows.length) sort_transposed(rows.length, keys);
  }
  const Index vectors = (rows.length + n - 1) / n;
  const auto bytes = static_cast<std::size_t>(rows.length) * sizeof(Key);
  // Rows that do not fill their last vector are sorted beside, with the largest key behind their end.
  ScratchArray<Key, kLongest<Key> + n> memory;
  Key* const filled = memory;
  for (Index row = 0; row < rows.count; ++row, keys += rows.length) {
    if (vectors * n == rows.length) {
      sort_vectors(keys, vectors);
      continue;
    }
    write(filled + (vectors - 1) * n, ~Vector<Key>{});
    std::memcpy(filled, keys, bytes);
    sort_vectors(filled, vectors);
    std::memcpy(keys, filled, bytes);
  }
}

}  // namespace
}  // namespace strided::kernels::sort::STRIDED_ISA
