// Blocks of limited size: the inner axes of a shape whole, a range of the next axis, single indices of the others.
#pragma once

#include "axes.hpp"

namespace strided {

struct BlockCut {
  int axis = 0;      // is cut into ranges; the axes before it are cut into single indices, those behind it not at all
  Index length = 1;  // of a range; the last one may be shorter
  Index ranges = 1;  // along the axis
  Index blocks = 1;
};

// Blocks of at most `most` positions, as far as cutting the first `cuttable` axes allows it.
BlockCut cut_into_blocks(Span shape, int cuttable, Index most);

// Ranges of at most `length` instead.
BlockCut with_ranges(const BlockCut& cut, Span shape, Index length);

// One position per block: where it begins. The axes are those up to cut.axis, all of which exist.
IterationSpace block_starts(const IterationSpace& space, const BlockCut& cut);

}  // namespace strided
