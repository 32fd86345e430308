// The iteration space of a reduction, and how it is cut.
//
// Map axes are kept: each of their positions is a result. Fold axes are folded. Elements are visited in memory order,
// whichever axes are folded; only the state of each result must fit the cache. So results are made in blocks, the Fold
// axes of a block may be cut into chunks, and a block with a chunk is a task.
//
// How a reduction is cut depends on shapes and strides alone, never on the number of threads or on the machine: the
// cut decides in which order floats are added, and results must have the same bits everywhere.
#pragma once

#include "blocks.hpp"
#include "operand.hpp"
#include "split.hpp"

namespace strided {

struct FoldSpace {
  // Operands of `axes`. Results and positions are numbers: results in the order of `places`, positions row-major among
  // the Fold axes as the layouts have them.
  static constexpr int kIn = 0, kResult = 1, kPosition = 2;

  IterationSpace axes;    // slowest first; neighbours that step together in memory (and positions) are one axis
  IterationSpace places;  // where results go: the Map axes, fused where results step together
  Operand out, in;           // `places` goes over the storage of the one, `axes` over that of the other
  AxisSet repeated = 0;      // axes of the layouts that `in` repeats and `out` keeps: left out, as results are alike
  Index results = 1;         // at least 1
  Index count = 1;           // elements per result that are visited
  Index repeats = 1;         // how often each of them counts
};

// A Fold axis along which `in` repeats its elements is visited like any other, or each element is visited once and
// counted as often as it stands there.
enum class Repeats : bool { Visited, Counted };

// An axis is folded where `out` has length 1 and `in` has another. `out` is not empty. Without `positions` there is no
// operand for them, so they do not keep axes from being fused.
FoldSpace fold_space_of(const Operand& out, const Operand& in, Repeats repeats = Repeats::Visited,
                        bool positions = false);

// Measured once, and the same on every machine: they decide the bits of sums. Tests pass others.
struct FoldLimits {
  // Tasks read at least so many bytes, where there are more of them than blocks,
  Index task_bytes = Index{256} << 10;
  // then there are not many more than this,
  Index most_tasks = 32;
  // and no result is merged from chunks of fewer elements: merging should cost nothing.
  Index least_per_chunk = 256;
  // Results in a block: states should stay in the first-level cache, but there should be enough to read.
  Index least_results = 1024;
  Index most_results = 4096;
  Index block_bytes = Index{64} << 10;
  // Where a row of memory has more results, and so many elements follow for each, it pays to read on along the row.
  Index most_wide_results = 8192;
  Index wide_count = 32;
};
inline constexpr FoldLimits kFoldLimits;

struct FoldCut {
  BlockCut blocks;          // of the Map axes
  int block_axis = -1;      // the axis of the space that is cut into ranges; none where there is one result
  Index block_results = 1;  // at most, per block
  int chunk_axis = -1;      // the Fold axis that is cut into chunks; none where the fold is not cut
  Index chunk_length = 1;
  Index chunks = 1;

  Index tasks() const { return blocks.blocks * chunks; }
  // "2 blocks of 1024 results, 4 chunks of 512 along axis 0"; empty where nothing is cut.
  std::string text() const;
};

FoldCut cut_fold(const FoldSpace& fold, Index itemsize, const FoldLimits& limits = kFoldLimits);

struct FoldTask {
  const IterationSpace* space;  // what it visits, without axes of length 1; results are numbered from 0
  Index first;                  // the number of its first result; the others follow
  Index results;
  Index count;                  // elements per result
  Index chunk;
};

// A small reduction is one task, which takes all and needs no space of its own.
inline FoldTask whole_task(const FoldSpace& fold) { return {&fold.axes, 0, fold.results, fold.count, 0}; }

// The tasks of a reduction that is cut. Refers to both.
class FoldTasks {
 public:
  FoldTasks(const FoldSpace& fold, const FoldCut& cut);
  // The task's space is kept in `space`.
  FoldTask task(Index number, IterationSpace& space) const;

 private:
  const FoldSpace& fold_;
  const FoldCut& cut_;
  IterationSpace starts_;  // of the blocks
};

}  // namespace strided
