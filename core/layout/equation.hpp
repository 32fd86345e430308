// Does sum(a[i] * x[i]) = b have a solution in integers with 0 <= x[i] <= u[i]?
//
// The question behind overlap and behind "which index lands here". In general it is as hard as
// subset sum; for the strides of real layouts nearly every branch is cut at once:
//
//   terms sorted by coefficient, largest first; for terms i, i+1, ... together, `reach` is their
//   largest sum and `divisor` the gcd of their coefficients. A rest outside [0, reach] or not a
//   multiple of divisor has no solution. Terms are `solid` when the converse holds too: every
//   multiple of divisor up to reach is a sum. One term is solid; a coefficient a in front keeps
//   them so when a is a multiple of divisor and a <= reach + divisor (no gap between its copies).
//   x[i] runs only over the values that leave a multiple of the next divisor (Euclid), and where
//   the terms after it are solid, the first such value in range is a solution.
//
// Costs O(n log n) where all but one term end up solid, exponential in n at worst, hence `work`.
// The same problem is stated, with other cuts, in NumPy's common/mem_overlap.c.
#pragma once

#include "dims.hpp"

namespace strided {

enum class Answer : std::uint8_t { No, Yes, TooHard };

// Differences of two int64 positions, counted in bytes, do not fit in int64.
__extension__ typedef __int128 Wide;

class BoundedEquation {
 public:
  // Adds coefficient * x with 0 <= x <= bound. Precondition: |coefficient * bound| < 2^100, and
  // coefficients are at most 2^63 unless one of them is 1.
  void add(Wide coefficient, Wide bound);

  // Is there a solution for b = target? Takes the nodes it visits off `work`.
  Answer solve(Wide target, Index& work);

 private:
  struct Term {
    Wide coefficient;  // > 0
    Wide bound;        // > 0
    // Of this term and all after it:
    Wide reach;
    Wide divisor;
    bool solid;
    // x = inverse * rest / divisor (mod period) leaves a multiple of the next divisor.
    Wide period;
    Wide inverse;
  };

  void prepare();
  Answer search(int first, Wide rest, Index& work) const;

  static constexpr int kMaxTerms = 2 * kMaxRank + 2;  // two layouts and the bytes of their items
  int count_ = 0;
  Wide shift_ = 0;
  Term terms_[kMaxTerms];
};

}  // namespace strided
