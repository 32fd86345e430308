// Whether lists along an axis are better worked on many at a time, side by side, than one by one.
#pragma once

#include <cstdlib>

#include "layout/layout.hpp"

namespace strided {

// Another axis than the last whose elements lie closer together, long enough to fill vectors; -1 if there is
// none.
inline int closer_axis(const Layout& x) {
  constexpr Index kLong = 16;
  int best = x.rank() - 1;
  for (int axis = 0; axis < x.rank() - 1; ++axis) {
    const bool repeats = x.stride(axis) == 0;
    if (x.length(axis) >= kLong && !repeats && std::abs(x.stride(axis)) < std::abs(x.stride(best))) best = axis;
  }
  return best == x.rank() - 1 ? -1 : best;
}

// Without the last axis, and with `axis` as the last instead.
inline Layout without_last(const Layout& layout, int axis) {
  const int rank = layout.rank() - 1;
  Layout made = Layout::uninitialised(rank, layout.offset());
  int at = 0;
  for (int i = 0; i < rank; ++i) {
    if (i != axis) made.set_axis(at++, layout.length(i), layout.stride(i));
  }
  made.set_axis(at, layout.length(axis), layout.stride(axis));
  return made;
}

inline constexpr Index kMostColumns = 256;  // what is known of so many lists stays in the first cache

// How many of `columns` neighbouring lists are worked on at a time, so that `pieces` pieces of work find
// something to do.
inline Index columns_at_a_time(Index columns, Index rows, Index pieces) {
  constexpr Index kFewest = 64;
  Index made = kMostColumns;
  while (made > kFewest && rows * ((columns + made - 1) / made) < pieces) made /= 2;
  return made;
}

}  // namespace strided
