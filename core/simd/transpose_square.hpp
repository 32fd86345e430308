// Transposes of square blocks in registers: kWide bytes of each of kWide / kItem rows.
#pragma once

#include <utility>

#include "vector.hpp"

namespace strided::STRIDED_ISA {

// Interleaves the lower (upper) halves of every 16-byte lane: the unpack instructions.
template <int kInLane, bool kUpper>
struct Unpack {
  template <int kCount>
  struct Of {
    static constexpr int at(int i) {
      const int lane = i / kInLane, inside = i % kInLane;
      return lane * kInLane + inside / 2 + (kUpper ? kInLane / 2 : 0) + (inside % 2) * kCount;
    }
  };
};

// The even (odd) 16-byte lanes of a, then those of b, counted in words of 8 bytes.
template <int kCount, bool kOdd>
struct EveryOtherLane {
  static constexpr int at(int i) {
    const int lane = i / 2 * 2 + (kOdd ? 1 : 0);
    return lane * 2 + i % 2;
  }
  static_assert(kCount >= 4);
};

template <int kItem, int kWide = kVectorBytes>
struct Square {
  static constexpr int kSide = kWide / kItem;
  static constexpr int kInLane = 16 / kItem;  // elements in a lane of 16 bytes
  static constexpr int kLanes = kWide / 16;
  using V = BitVector<kWide, kItem == 16 ? 8 : kItem>;
  using Words = BitVector<kWide, 8>;

  // kInLane registers: afterwards register j holds in each lane what stood at place j of that lane, in
  // the order of the registers. Each stage interleaves register i with i + kInLane / 2.
  template <std::size_t... half>
  [[gnu::always_inline]] static void transpose_in_lanes(V* r, std::index_sequence<half...>) {
    constexpr int kHalf = kInLane / 2;
    for (int width = 1; width < kInLane; width *= 2) {
      V next[kInLane];
      ((next[2 * half] = pick<typename Unpack<kInLane, false>::template Of<kSide>>(r[half], r[half + kHalf]),
        next[2 * half + 1] =
            pick<typename Unpack<kInLane, true>::template Of<kSide>>(r[half], r[half + kHalf])),
       ...);
      ((r[2 * half] = next[2 * half], r[2 * half + 1] = next[2 * half + 1]), ...);
    }
  }

  // kLanes registers: the same for whole lanes. Each stage separates even lanes from odd ones.
  template <std::size_t... half>
  [[gnu::always_inline]] static void transpose_lanes(Words* r, std::index_sequence<half...>) {
    constexpr int kHalf = kLanes / 2;
    for (int width = 1; width < kLanes; width *= 2) {
      Words next[kLanes];
      ((next[half] = pick<EveryOtherLane<kWide / 8, false>>(r[2 * half], r[2 * half + 1]),
        next[half + kHalf] = pick<EveryOtherLane<kWide / 8, true>>(r[2 * half], r[2 * half + 1])),
       ...);
      ((r[half] = next[half], r[half + kHalf] = next[half + kHalf]), ...);
    }
  }

  // load(i) gives row i, store(j, column) takes column j.
  template <class Load, class Store>
  [[gnu::always_inline]] static void transpose(Load&& load, Store&& store) {
    Words grid[kLanes][kInLane];
    for (int block = 0; block < kLanes; ++block) {
      V r[kInLane];
      for (int i = 0; i < kInLane; ++i) r[i] = reinterpret_cast<V>(load(block * kInLane + i));
      if constexpr (kInLane > 1) transpose_in_lanes(r, std::make_index_sequence<kInLane / 2>{});
      for (int i = 0; i < kInLane; ++i) grid[block][i] = reinterpret_cast<Words>(r[i]);
    }
    for (int i = 0; i < kInLane; ++i) {
      Words lanes[kLanes];
      for (int block = 0; block < kLanes; ++block) lanes[block] = grid[block][i];
      if constexpr (kLanes > 1) transpose_lanes(lanes, std::make_index_sequence<kLanes / 2>{});
      for (int lane = 0; lane < kLanes; ++lane) store(lane * kInLane + i, lanes[lane]);
    }
  }
};

}  // namespace strided::STRIDED_ISA
