// The inner loops of sorting that are vectorised, compiled per instruction set (sort.isa.cpp).
//
// They work on packed rows: lists of one length, one after the other.
#pragma once

#include <cstddef>
#include <cstdint>

#include "dtype/dtype.hpp"
#include "layout/dims.hpp"

namespace strided::kernels::sort {

struct Rows {
  Index count;
  Index length;

  Index size() const { return count * length; }
};

// How an item is made of a key and its place in the list: ((key - base) >> dropped) << place_bits | place.
template <class Key>
struct Packing {
  Key base = 0;
  int dropped = 0;
  int place_bits = 0;
};

template <class Key>
struct KeyFacts {
  Key least = static_cast<Key>(~Key{0});
  Key most = 0;
  bool falls = false;  // somewhere a key is less than the one before it
  bool rises = false;  // somewhere a key is not less than the one before it

  [[gnu::always_inline]] void join(const KeyFacts& more) {
    least = more.least < least ? more.least : least;
    most = more.most > most ? more.most : most;
    falls |= more.falls;
    rises |= more.rises;
  }
};

template <class Key>
struct KeyLoops {
  // Sorts every row, up to `longest` keys; beyond that this stops being the fastest way.
  void (*sort)(Rows rows, Key* keys);
  Index longest;
  KeyFacts<Key> (*facts)(Index n, const Key* keys);
  // Items of 64 bits from keys, and back: places, and keys unless bits were dropped. Null is left out.
  void (*pack)(Rows rows, const Key* keys, std::uint64_t* items, Index first_place,
               const Packing<Key>& packing);
  void (*unpack)(Rows rows, const std::uint64_t* items, Key* keys, std::int64_t* places,
                 const Packing<Key>& packing);
  static constexpr const char* kNames[] = {"sort", "longest", "facts", "pack", "unpack"};  // for plans, in order
};

// The same in 32 bits, in place, for keys and places of 16 bits each.
struct HalfLoops {
  void (*pack)(Rows rows, std::uint32_t* keys);
  void (*unpack)(Rows rows, std::uint32_t* items, std::int64_t* places);
  static constexpr const char* kNames[] = {"pack", "unpack"};  // for plans, in order
};

struct SortLoops {
  HalfLoops half;
  KeyLoops<std::uint32_t> narrow;  // keys of elements of up to 4 bytes
  KeyLoops<std::uint64_t> wide;
  // n packed elements to keys, each xor `flip` (all ones for falling order); by Ties and dtype.
  // True when elements that count as equal may differ in their bits.
  bool (*to_keys[2][kDTypeCount])(Index n, const std::byte* in, void* keys, bool flip);
  void (*from_keys[kDTypeCount])(Index n, const void* keys, std::byte* out, bool flip);

  template <class Key>
  const KeyLoops<Key>& of() const {
    if constexpr (sizeof(Key) == 4) return narrow;
    else return wide;
  }
};

}  // namespace strided::kernels::sort
