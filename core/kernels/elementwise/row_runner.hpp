// One row of a chain, block by block: the steps run one after the other on a block whose elements stay in the
// first cache. Strided operands go through blocks of their own; results that are too large
// for the caches are written by non-temporal stores.
#pragma once

#include "chain.hpp"
#include "run/arena.hpp"
#include "plan/tile.hpp"

namespace strided::kernels::elementwise {

// How the rows of a chain are computed, decided once for all of them.
struct RowPlan {
  OperandSet strided;  // these are packed into a block of their own
  bool streams;        // results are written by non-temporal stores
  Index block;         // elements; 0 where a row is computed as a whole

  // Rows have at most `length` elements, and results these steps along them.
  RowPlan(const Chain& chain, const Tiles& tiles, Index length, const Index* output_steps);
};

class RowRunner {
 public:
  // With memory for transposed operands if `packs`.
  RowRunner(const Chain& chain, const RowPlan& plan, bool packs);

  // kMostPackedBytes.
  std::byte* packed() const { return memory_; }

  void run(Index n, std::byte* const* data, const Index* strides);
  // All rows of a space. Rows of `prefetched` operands are prefetched: short rows end before the processor has
  // noticed that they are read in order.
  void run_rows(const IterationSpace& space, std::byte* const* storage, OperandSet prefetched = 0);

 private:
  bool is_buffered(int k) const { return has(buffered_, k); }
  void copy_elements(int k, Index n, std::byte* out, Index out_step, const std::byte* in, Index in_step) const;
  void take(const Step& step, Index count, bool streams);

  Scratch scratch_;
  const Chain& chain_;
  const RowPlan& plan_;
  std::byte* memory_;
  OperandSet buffered_;  // these have a block of their own
  bool loop_streams_;         // the only result comes out of a loop that streams
  std::byte* slots_[kMostSlots];
  Index steps_[kMostSlots];
  std::byte* buffers_[kMaxOperands];
};

}  // namespace strided::kernels::elementwise
