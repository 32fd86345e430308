// Keys of elements, lists of keys sorted by a network, and items made of keys, for one instruction set.
#include <cstring>

#include "kernels/fill_loops.hpp"
#include "sort_keys.hpp"
#include "sort_columns.hpp"

namespace strided::kernels::sort::STRIDED_ISA {
namespace {

template <class Key>
KeyFacts<Key> facts_of(Index n, const Key* keys) {
  Key least = ~Key{0}, most = 0;
  for (Index i = 0; i < n; ++i) {
    least = keys[i] < least ? keys[i] : least;
    most = keys[i] > most ? keys[i] : most;
  }
  // In blocks: lists in no order are found out in the first one.
  constexpr Index kBlock = 256;
  bool falls = false, rises = false;
  for (Index first = 1; first < n && !(falls && rises); first += kBlock) {
    const Index end = first + kBlock < n ? first + kBlock : n;
    Key down = 0, up = 0;
    for (Index i = first; i < end; ++i) {
      down |= static_cast<Key>(keys[i] < keys[i - 1]);
      up |= static_cast<Key>(keys[i] >= keys[i - 1]);
    }
    falls = falls || down != 0;
    rises = rises || up != 0;
  }
  return {least, most, falls, rises};
}

template <class Key>
void pack_rows(Rows rows, const Key* keys, std::uint64_t* items, Index first_place,
               const Packing<Key>& packing) {
  const Key base = packing.base;
  const int dropped = packing.dropped, place_bits = packing.place_bits;
  for (Index row = 0; row < rows.count; ++row, keys += rows.length, items += rows.length) {
    for (Index i = 0; i < rows.length; ++i) {
      const auto key = static_cast<std::uint64_t>(static_cast<Key>(keys[i] - base));
      items[i] = (key >> dropped) << place_bits | static_cast<std::uint64_t>(first_place + i);
    }
  }
}

template <class Key>
void unpack_rows(Rows rows, const std::uint64_t* items, Key* keys, std::int64_t* places,
                 const Packing<Key>& packing) {
  const Key base = packing.base;
  const int place_bits = packing.place_bits;
  const std::uint64_t mask = (std::uint64_t{1} << place_bits) - 1;
  const Index n = rows.size();
  if (keys != nullptr) {
    for (Index i = 0; i < n; ++i) keys[i] = static_cast<Key>(static_cast<Key>(items[i] >> place_bits) + base);
  }
  if (places != nullptr) {
    for (Index i = 0; i < n; ++i) places[i] = static_cast<std::int64_t>(items[i] & mask);
  }
}

void pack_halves(Rows rows, std::uint32_t* keys) {
  for (Index row = 0; row < rows.count; ++row, keys += rows.length) {
    for (Index i = 0; i < rows.length; ++i) keys[i] = keys[i] << 16 | static_cast<std::uint32_t>(i);
  }
}

void unpack_halves(Rows rows, std::uint32_t* items, std::int64_t* places) {
  for (Index i = 0; i < rows.size(); ++i) places[i] = items[i] & 0xffffu;
  for (Index i = 0; i < rows.size(); ++i) items[i] >>= 16;
}

template <class T, Ties ties>
bool to_keys(Index n, const std::byte* in, void* keys, bool flip) {
  using Bits = BitsOf<T>;
  using Key = KeyOf<T>;
  Key* const to = static_cast<Key*>(keys);
  const Key mask = flip ? static_cast<Key>(~Key{0}) >> (8 * (sizeof(Key) - sizeof(T))) : Key{0};
  Bits ambiguous = 0;
  for (Index i = 0; i < n; ++i) {
    Bits bits;  // borrowed memory need not be aligned
    std::memcpy(&bits, in + i * static_cast<Index>(sizeof(T)), sizeof(bits));
    ambiguous |= SortKey<T>::template ambiguity<ties>(bits);
    to[i] = SortKey<T>::template of<ties>(bits) ^ mask;
  }
  return ambiguous != 0;
}

template <class T>
void from_keys(Index n, const void* keys, std::byte* out, bool flip) {
  using Bits = BitsOf<T>;
  using Key = KeyOf<T>;
  const Key* const from = static_cast<const Key*>(keys);
  const Key mask = flip ? static_cast<Key>(~Key{0}) >> (8 * (sizeof(Key) - sizeof(T))) : Key{0};
  for (Index i = 0; i < n; ++i) {
    const Bits bits = SortKey<T>::element(from[i] ^ mask);
    std::memcpy(out + i * static_cast<Index>(sizeof(T)), &bits, sizeof(bits));
  }
}

template <class Key>
void fill_keys(LoopFiller& fill, const KeyLoops<Key>& loops) {
  fill.enter(loops.sort, STRIDED_LOOP(sort_rows<Key>));
  fill.set(loops.longest, kLongest<Key>);
  fill.enter(loops.facts, STRIDED_LOOP(facts_of<Key>));
  fill.enter(loops.pack, STRIDED_LOOP(pack_rows<Key>));
  fill.enter(loops.unpack, STRIDED_LOOP(unpack_rows<Key>));
}

}  // namespace

void fill_sort_loops(LoopFiller& fill) {
  const SortLoops& loops = fill.table.sort;
  fill.enter(loops.half.pack, STRIDED_LOOP(pack_halves));
  fill.enter(loops.half.unpack, STRIDED_LOOP(unpack_halves));
  fill_keys<std::uint32_t>(fill, loops.narrow);
  fill_keys<std::uint64_t>(fill, loops.wide);
  for (int i = 0; i < kDTypeCount; ++i) {
    visit(static_cast<DType>(i), [&]<class T>(Type<T>) {
      if constexpr (sizeof(T) <= 8 && !requires { typename T::value_type; }) {
        fill.enter(loops.to_keys[static_cast<int>(Ties::Apart)][i], STRIDED_LOOP(to_keys<T, Ties::Apart>));
        fill.enter(loops.to_keys[static_cast<int>(Ties::Together)][i], STRIDED_LOOP(to_keys<T, Ties::Together>));
        fill.enter(loops.from_keys[i], STRIDED_LOOP(from_keys<T>));
      }
    });
  }
}

}  // namespace strided::kernels::sort::STRIDED_ISA
