// In which pieces a chain walks its operands: rows, or boxes where operands run along different axes.
//
// Along the innermost axis of the result such an operand would use one element of every line. So it is copied
// ("turned") box by box into the box's own order, in cache, and read from there.
#pragma once

#include "chain.hpp"

namespace strided {

inline constexpr Index kPackedBytes = Index{256} << 10;  // of all operands that are turned, together

// The plan with `boxed` axes last (the innermost stays the innermost), which a box spans.
struct Boxes {
  Plan plan;
  int boxed = 1;                      // axes of a box, counted from the innermost
  bool turned[kMaxOperands] = {};     // operands that are copied into the box's own order first
  bool stepped[kMaxOperands] = {};    // others whose elements do not lie side by side along the innermost axis
  Index box[kMaxRank];                // lengths of the box along the last `boxed` axes
};

Boxes make_boxes(const Chain& chain, const Plan& plan);

}  // namespace strided
