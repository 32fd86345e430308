// Inner loops of gathers and scatters: what happens between a listed element and one that is picked by its place.
#pragma once

#include <algorithm>
#include <cstring>

#include "dtype/bits.hpp"
#include "dtype/element.hpp"
#include "gather.hpp"
#include "kernels/loop_table.hpp"

namespace strided::kernels::index {

// n elements of both sides, at even steps.
using RowLoop = void (*)(Index n, std::byte* listed, Index listed_step, std::byte* picked, Index picked_step);
// n elements of both sides, at even steps and `places` further on the picked side.
using PlaceLoop = void (*)(Index n, std::byte* listed, Index listed_step, std::byte* picked,
                           Index picked_step, const Index* places);

struct MoveLoops {
  RowLoop row;
  PlaceLoop places;
};

// ---- what happens to one element ----

struct Take {
  template <class T>
  [[gnu::always_inline]] static void move(std::byte* listed, std::byte* picked) {
    store(listed, load<T>(picked));
  }
};

struct Put {
  template <class T>
  [[gnu::always_inline]] static void move(std::byte* listed, std::byte* picked) {
    store(picked, load<T>(listed));
  }
};

template <class T>
inline constexpr bool is_half_element = std::is_same_v<T, float16> || std::is_same_v<T, bfloat16>;

template <Combine how>
struct Join {
  template <class T>
  static T joined(T a, T b) {
    if constexpr (is_half_element<T>) {
      return T(joined(static_cast<float>(a), static_cast<float>(b)));
    } else if constexpr (std::is_same_v<T, bool>) {
      return how == Combine::Add || how == Combine::Greatest ? a || b : a && b;
    } else if constexpr (how == Combine::Least || how == Combine::Greatest) {
      const T chosen = (how == Combine::Least ? b < a : b > a) ? b : a;
      return b != b ? b : chosen;  // a, if it is a NaN
    } else if constexpr (std::is_integral_v<T>) {  // unsigned, where wrapping around is defined
      const auto x = static_cast<std::uint64_t>(a), y = static_cast<std::uint64_t>(b);
      return static_cast<T>(how == Combine::Add ? x + y : x * y);
    } else {
      return how == Combine::Add ? a + b : a * b;
    }
  }
  template <class T>
  [[gnu::always_inline]] static void move(std::byte* listed, std::byte* picked) {
    store(picked, joined(load<T>(picked), load<T>(listed)));
  }
};

// ---- the loops ----

template <class How, class T>
void move_row(Index n, std::byte* __restrict listed, Index listed_step, std::byte* __restrict picked,
              Index picked_step) {
  constexpr Index size = sizeof(T);
  if (listed_step == size && picked_step == size) {
    if constexpr (std::is_same_v<How, Take>) {
      std::memcpy(listed, picked, static_cast<std::size_t>(n * size));
    } else if constexpr (std::is_same_v<How, Put>) {
      std::memcpy(picked, listed, static_cast<std::size_t>(n * size));
    } else {
      for (Index i = 0; i < n; ++i) How::template move<T>(listed + i * size, picked + i * size);
    }
  } else if (std::is_same_v<How, Take> && listed_step == size && picked_step == 0) {
    const T repeated = load<T>(picked);
    for (Index i = 0; i < n; ++i) store(listed + i * size, repeated);
  } else {
    for (Index i = 0; i < n; ++i) {
      How::template move<T>(listed + i * listed_step, picked + i * picked_step);
    }
  }
}

template <class How, class T>
void move_places(Index n, std::byte* listed, Index listed_step, std::byte* picked, Index picked_step,
                 const Index* places) {
  constexpr Index size = sizeof(T);
  if (picked_step == 0 && listed_step == size) {
    for (Index i = 0; i < n; ++i) How::template move<T>(listed + i * size, picked + places[i]);
  } else {
    for (Index i = 0; i < n; ++i) {
      How::template move<T>(listed + i * listed_step, picked + i * picked_step + places[i]);
    }
  }
}

// Each row at a new place starts with a wait for memory, unless it was prefetched while others were moved: four rows of
// some cache lines are what a core can have on the way at a time.
inline constexpr Index kRowsAhead = 4;

[[gnu::always_inline]] inline void prefetch_row(const std::byte* row, Index bytes) {
  // The hardware's own prefetching goes on from there.
  constexpr Index kMost = 16 * kLine;
  for (Index at = 0; at < std::min(bytes, kMost); at += kLine) __builtin_prefetch(row + at);
}

// Rows without gaps, one at each place.
template <class How>
void move_packed_rows(Index n, std::byte* listed, Index listed_step, std::byte* picked, Index picked_step,
                      const Index* places, Index bytes) {
  for (Index i = 0; i < n; ++i) {
    if (i + kRowsAhead < n) prefetch_row(picked + (i + kRowsAhead) * picked_step + places[i + kRowsAhead], bytes);
    std::byte* const row = picked + i * picked_step + places[i];
    if constexpr (std::is_same_v<How, Take>) {
      std::memcpy(listed + i * listed_step, row, static_cast<std::size_t>(bytes));
    } else {
      std::memcpy(row, listed + i * listed_step, static_cast<std::size_t>(bytes));
    }
  }
}
// The same with non-temporal stores, for results that would not stay in the caches.
inline void stream_packed_rows(Index n, std::byte* listed, Index listed_step, std::byte* picked,
                               Index picked_step, const Index* places, Index bytes) {
  const auto& loop = loops().copy;
  for (Index i = 0; i < n; ++i) {
    if (i + kRowsAhead < n) prefetch_row(picked + (i + kRowsAhead) * picked_step + places[i + kRowsAhead], bytes);
    loop.stream(listed + i * listed_step, picked + i * picked_step + places[i], bytes);
  }
  loop.finish_streams();
}

using PackedRowsLoop = void (*)(Index n, std::byte* listed, Index listed_step, std::byte* picked,
                                Index picked_step, const Index* places, Index bytes);

// Rows of a few elements that move as one.
template <int kBytes>
struct Bytes { std::uint64_t words[kBytes / 8]; };

// Moving needs to know no more of an element than its size; null where there are no loops for one.
template <class How>
MoveLoops moving_loops(Index bytes) {
  const auto loops_for = []<class T>(T) -> MoveLoops { return {&move_row<How, T>, &move_places<How, T>}; };
  switch (bytes) {
    case 1: return loops_for(std::uint8_t{});
    case 2: return loops_for(std::uint16_t{});
    case 4: return loops_for(std::uint32_t{});
    case 8: return loops_for(std::uint64_t{});
    case 16: return loops_for(Bytes<16>{});
    case 32: return loops_for(Bytes<32>{});
    case 64: return loops_for(Bytes<64>{});
    default: return {nullptr, nullptr};
  }
}

// Loops that combine; complex numbers have no order, so none for Least and Greatest.
template <Combine how>
MoveLoops joining_loops(DType dtype) {
  return visit(dtype, []<class T>(Type<T>) -> MoveLoops {
    constexpr bool ordered = how == Combine::Least || how == Combine::Greatest;
    if constexpr (ordered && requires { typename T::value_type; }) return {nullptr, nullptr};
    else return {&move_row<Join<how>, T>, &move_places<Join<how>, T>};
  });
}

}  // namespace strided::kernels::index
