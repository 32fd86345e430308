// In which pieces a chain walks its operands: rows, or boxes where operands run along different axes or rows are
// short.
//
// Along the innermost axis of the result an operand that runs along another would use one element of every line;
// and to begin a row of a few elements takes longer than to compute it. So such operands are copied ("turned")
// box by box into the box's own order, in cache, and read from there; results are copied out of it.
#pragma once

#include "chain.hpp"

namespace strided {

inline constexpr Index kPackedBytes = Index{256} << 10;  // of all operands that are turned, together

// The plan with `boxed` axes last (the innermost stays the innermost), which a box spans.
struct Boxes {
  IterationSpace plan;
  int boxed = 1;                      // axes of a box, counted from the innermost
  bool turned[kMaxOperands] = {};     // operands that have the box's own order while it is computed
  bool stepped[kMaxOperands] = {};    // others whose elements do not lie side by side along the innermost axis
  Index box[kMaxRank];                // lengths of the box along the last `boxed` axes
};

Boxes make_boxes(const Chain& chain, const IterationSpace& plan);

}  // namespace strided
