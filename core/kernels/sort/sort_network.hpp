// Bitonic sorting network for short lists of keys, for one instruction set.
//
// The network is bitonic. Merging two sorted halves of a block compares each key of the first half with
// its mirror image in the second; then keys at distance d with each other, for d = block / 4 .. 1. All
// comparisons put the lesser key first, so a list that is not a power of two long is one with the
// largest key behind its end, and comparisons that reach there are left out.
#pragma once

#include <cstring>

#include "sort_loops.hpp"
#include "simd/vector.hpp"

namespace strided::kernels::sort::STRIDED_ISA {
namespace {

// Up to so many keys a network is faster than a radix sort: the wider the vectors, the longer.
constexpr Index kLongest32 = kVectorBytes == 64 ? 2048 : kVectorBytes == 32 ? 1024 : 64;
constexpr Index kLongest64 = kVectorBytes == 64 ? 1024 : kVectorBytes == 32 ? 256 : 32;
template <class Key> constexpr Index kLongest = sizeof(Key) == 4 ? kLongest32 : kLongest64;

template <class Key> constexpr int kLanes = kVectorBytes / static_cast<int>(sizeof(Key));

template <class Key>
[[gnu::always_inline]] inline Vector<Key> read(const Key* at) {
  return load_vector<Vector<Key>>(reinterpret_cast<const std::byte*>(at));
}
template <class Key>
[[gnu::always_inline]] inline void write(Key* at, Vector<Key> v) {
  store_vector(reinterpret_cast<std::byte*>(at), v);
}

template <class V>
[[gnu::always_inline]] inline V lesser(V a, V b) { return a < b ? a : b; }
template <class V>
[[gnu::always_inline]] inline V greater(V a, V b) { return a < b ? b : a; }

// Which lane comes to each lane.
template <class Key>
struct Backwards {
  static constexpr int at(int lane) { return kLanes<Key> - 1 - lane; }
};
template <int kPartner>
struct Partner {
  static constexpr int at(int lane) { return lane ^ kPartner; }
};
// Of a second vector where the bit is set.
template <class Key, int kBit>
struct SecondWhere {
  static constexpr int at(int lane) { return (lane & kBit) ? lane + kLanes<Key> : lane; }
};

template <class Key>
[[gnu::always_inline]] inline Vector<Key> mirrored(Vector<Key> v) { return pick<Backwards<Key>>(v, v); }

constexpr int highest_bit(int x) {
  int bit = 1;
  while (bit * 2 <= x) bit *= 2;
  return bit;
}

// The lanes, as bits, that have a bit set.
constexpr unsigned lanes_with(int bit, int lanes) {
  unsigned mask = 0;
  for (int lane = 0; lane < lanes; ++lane) mask |= (lane & bit) ? 1u << lane : 0u;
  return mask;
}

// Compares lane i with lane i ^ kPartner.
template <int kPartner, class Key>
[[gnu::always_inline]] inline Vector<Key> compared(Vector<Key> v) {
  constexpr int upper = highest_bit(kPartner);  // set in the lane that keeps the greater key
  const Vector<Key> other = pick<Partner<kPartner>>(v, v);
  const Vector<Key> less = lesser(v, other);
#if defined(__AVX512BW__)
  // The greater keys take their lanes in one instruction.
  constexpr unsigned mask = lanes_with(upper, kLanes<Key>);
  const auto a = reinterpret_cast<__m512i>(v), b = reinterpret_cast<__m512i>(other);
  const auto rest = reinterpret_cast<__m512i>(less);
  if constexpr (sizeof(Key) == 4) {
    return reinterpret_cast<Vector<Key>>(_mm512_mask_max_epu32(rest, static_cast<__mmask16>(mask), a, b));
  } else {
    return reinterpret_cast<Vector<Key>>(_mm512_mask_max_epu64(rest, static_cast<__mmask8>(mask), a, b));
  }
#else
  return pick<SecondWhere<Key, upper>>(less, greater(v, other));
#endif
}

// Comparisons at distance kDistance, kDistance / 2, ... 1 within a vector.
template <int kDistance, class Key>
[[gnu::always_inline]] inline Vector<Key> merged_within(Vector<Key> v) {
  if constexpr (kDistance == 0) return v;
  else return merged_within<kDistance / 2, Key>(compared<kDistance, Key>(v));
}

// Every block of kBlock lanes sorted.
template <int kBlock, class Key>
[[gnu::always_inline]] inline Vector<Key> sorted_within(Vector<Key> v) {
  if constexpr (kBlock == 1) return v;
  else {
    v = sorted_within<kBlock / 2, Key>(v);
    return merged_within<kBlock / 4, Key>(compared<kBlock - 1, Key>(v));
  }
}

// Merges the sorted halves of vectors first .. first + block - 1, of which `vectors` exist.
template <class Key>
void merge_block(Key* keys, Index first, Index block, Index vectors) {
  constexpr Index n = kLanes<Key>;
  for (Index i = first, j = first + block - 1; i < j; ++i, --j) {
    if (j >= vectors) continue;
    const Vector<Key> a = read(keys + i * n), b = mirrored<Key>(read(keys + j * n));
    write(keys + i * n, lesser(a, b));
    write(keys + j * n, mirrored<Key>(greater(a, b)));
  }
  const Index end = first + block < vectors ? first + block : vectors;
  for (Index distance = block / 4; distance > 0; distance /= 2) {
    for (Index start = first; start < end; start += 2 * distance) {
      for (Index i = start; i < start + distance && i + distance < end; ++i) {
        Key* const at = keys + i * n;
        const Vector<Key> a = read(at), b = read(at + distance * n);
        write(at, lesser(a, b));
        write(at + distance * n, greater(a, b));
      }
    }
  }
  for (Index i = first; i < end; ++i) {
    write(keys + i * n, merged_within<kLanes<Key> / 2, Key>(read(keys + i * n)));
  }
}

// `vectors` whole vectors, in memory.
template <class Key>
void sort_vectors(Key* keys, Index vectors) {
  constexpr Index n = kLanes<Key>;
  for (Index i = 0; i < vectors; ++i) {
    write(keys + i * n, sorted_within<kLanes<Key>, Key>(read(keys + i * n)));
  }
  for (Index block = 2; block < 2 * vectors; block *= 2) {
    for (Index first = 0; first < vectors; first += block) merge_block(keys, first, block, vectors);
  }
}

}  // namespace
}  // namespace strided::kernels::sort::STRIDED_ISA
