// The axes of a reduction: those that stay and those that go, each group ordered and fused.
//
// Results are made in blocks of neighbours along the fastest kept axis. How the elements of a block
// are visited depends on which group holds the fastest axis of the input:
//   along_runs   one result after the other, running along the fastest swept axis
//   otherwise    all results of the block side by side, one swept index after the other
// Either way memory is read in the order in which it lies.
#pragma once

#include <algorithm>

#include "block_reader.hpp"
#include "operand.hpp"
#include "plan/plan.hpp"

namespace strided {

enum class Positions : bool { NotNeeded, Needed };

struct ReducedAxes {
  Plan kept;    // operands: in, out
  Plan swept;   // operands: in, from the place where `kept` stands; the row-major position, if needed
  Index count;  // elements per result
  bool along_runs;
};

// An axis is swept where `out` has length 1 and `in` has another.
ReducedAxes split_axes(const Operand& out, const Operand& in,
                       Positions positions = Positions::NotNeeded);

// Raises InvalidArgument where there is nothing to choose a smallest or largest element from.
void require_elements(const ReducedAxes& axes, const Operand& in);

// Results that are made side by side: rows of the input are read in long runs, and what is kept per
// result still fits the second-level cache.
inline constexpr Index kColumns = 4096;

// Calls make(n, in, out) for every n <= longest neighbouring results, with the places of the first.
template <class Make>
void for_each_block(const ReducedAxes& axes, Index longest, const Operand& out, const Operand& in,
                    Make&& make) {
  const Plan& kept = axes.kept;
  const Index length = kept.inner_length();
  std::byte* const storage[] = {in.storage, out.storage};
  for_each_row(kept, storage, [&](std::byte* const* data) {
    for (Index first = 0; first < length; first += longest) {
      make(std::min(longest, length - first), data[0] + first * kept.inner_stride(0),
           data[1] + first * kept.inner_stride(1));
    }
  });
}

// Writes n <= kBlock results, which have `dtype`, converted to out's dtype.
void write_results(Index n, std::byte* to, const ReducedAxes& axes, const Operand& out,
                   void* results, DType dtype);

}  // namespace strided
