// Horizontal sums: the lanes of several vectors added up, each vector for itself.
#pragma once

#include "lane_vectors.hpp"

namespace strided::STRIDED_ISA {

// Halves the sums of two vectors, in each of which every `block` lanes belong to one row: a's rows,
// then b's.
template <Index block, class V, std::size_t... lane>
[[gnu::always_inline]] inline V halved(const V& a, const V& b, std::index_sequence<lane...>) {
  constexpr auto from = [](Index i) { return i / (block / 2) * block + i % (block / 2); };
  return __builtin_shufflevector(a, b, from(static_cast<Index>(lane))...) +
         __builtin_shufflevector(a, b, from(static_cast<Index>(lane)) + block / 2 ...);
}

// Adds up the lanes of each of n vectors. Pairs of vectors share the work.
template <class T, Index n, Index block = kLanes<T>>
[[gnu::always_inline]] inline void totals(Vector<T>* rows, T* to) {
  constexpr auto lanes = std::make_index_sequence<static_cast<std::size_t>(kLanes<T>)>{};
  if constexpr (block == 1) {
    for (Index i = 0; i < n; ++i) std::memcpy(to + i * kLanes<T>, rows + i, sizeof(Vector<T>));
  } else if constexpr (n == 1) {
    rows[0] = halved<block>(rows[0], rows[0], lanes);
    totals<T, 1, block / 2>(rows, to);
  } else {
    for (Index i = 0; i < n; i += 2) rows[i / 2] = halved<block>(rows[i], rows[i + 1], lanes);
    totals<T, n / 2, block / 2>(rows, to);
  }
}

}  // namespace strided::STRIDED_ISA
