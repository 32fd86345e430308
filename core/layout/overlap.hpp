// Do two index tuples land on one storage position? Asked of one layout (self-overlap) and of two.
//
// Both are questions about a bounded linear equation in integers (equation.hpp). Cheap sufficient
// tests come first: ranges, repeats, nested strides. The search behind them gives up after `work`
// nodes and says so: an answer is exact or TooHard, never a guess. Layouts whose positions do not
// fit in int64 raise OutOfStorageBounds.
#pragma once

#include "equation.hpp"
#include "layout.hpp"

namespace strided {

using Overlap = Answer;

inline constexpr Index kOverlapWork = 100'000;

// Does one storage position belong to two index tuples?
Overlap overlaps_itself(const Layout& layout, Index work = kOverlapWork);

// Only the ranges reached, compared in bytes: false means disjoint for sure.
bool ranges_touch(const Layout& a, Index item_a, const Layout& b, Index item_b);

// Do two layouts over one storage share a byte? item_* are item sizes in bytes.
Overlap overlaps(const Layout& a, Index item_a, const Layout& b, Index item_b,
                 Index work = kOverlapWork);

}  // namespace strided
