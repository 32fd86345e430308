// The axes of a reduction: those that stay and those that go, in the order in which memory lies.
//
// Elements are visited in that order, whichever axes are reduced; only what is held per result (a state)
// must fit the cache. So results are made in blocks, the sweep of a block may be cut into chunks, and a
// block with a chunk is a unit of work for a thread. How a reduction is cut depends on shapes and strides
// alone, never on the number of threads: neither do its results.
#pragma once

#include "plan/operand.hpp"

namespace strided {

struct ReducedAxis {
  Index length;
  Index in;        // bytes from one index to the next
  Index out;       // bytes from one result to the next: in ReducedAxes::kept alone
  Index position;  // if swept: row-major positions among the swept axes
  Index state;     // results, if kept and inside a unit
  bool swept;
};

// Slowest first; neighbours that step together in the input are one axis, lengths are above 1.
struct AxisList {
  int rank = 0;
  ReducedAxis axis[kMaxRank + 1];

  void add(const ReducedAxis& more) { axis[rank++] = more; }
};

struct ReducedAxes {
  AxisList list;
  AxisList kept;         // those that are kept, joined only where results step together: where these go
  std::byte* in;         // the first element in memory
  std::byte* out;        // its result: number 0, of results counted in row-major order of the kept axes
  Index position = 0;    // its position among the swept axes
  Index results = 1;     // at least 1
  Index count = 1;       // elements per result
};

// An axis is swept where `out` has length 1 and `in` has another. Positions are worked out if needed:
// then only axes that step together in them are joined.
ReducedAxes split_axes(const Operand& out, const Operand& in, bool positions = false);

// Raises InvalidArgument where there is nothing to choose a smallest or largest element from.
void require_elements(const ReducedAxes& axes, const Operand& in);

// How the work is cut. Blocks go over the kept axes, chunks over one swept axis.
struct Cut {
  int block_axis = -1;     // the slowest kept axis inside a block, none if there is one result
  Index block_length = 1;  // of it
  Index block_results = 1; // at most, per block
  Index blocks = 1;
  int chunk_axis = -1;
  Index chunk_length = 1;
  Index chunks = 1;
  Index units() const { return blocks * chunks; }
};

Cut cut_axes(const ReducedAxes& axes, Index itemsize);

// What one unit sweeps.
struct Unit {
  AxisList list;  // without the kept axes that are outside its block; `state` is set
  std::byte* in;
  Index position;
  Index first;    // the number of its first result; the others follow
  Index results;
  Index count;    // elements per result
  Index chunk;
};

Unit unit_of(const ReducedAxes& axes, const Cut& cut, Index number);

}  // namespace strided
