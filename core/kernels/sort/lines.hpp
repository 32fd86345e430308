// Lists of elements along one axis ("lanes"), taken in blocks of neighbours.
//
// Lanes of one block lie side by side along the fastest of the other axes. When the lanes themselves run
// across memory, a block of them uses up every cache line that it touches.
#pragma once

#include <atomic>
#include <span>

#include "plan/operand.hpp"
#include "plan/axes.hpp"
#include "run/interrupt.hpp"
#include "run/pool.hpp"

namespace strided {

// One operand seen from its lanes; in bytes.
struct LaneSteps {
  Index along;   // from one element of a lane to the next
  Index across;  // from one lane of a block to the next
};

class LaneBlocks {
 public:
  // The operands have the same lengths on all axes but `axis`; the first decides what lies side by side.
  LaneBlocks(std::span<const Operand> operands, int axis, Index together);

  Index count() const { return count_; }
  LaneSteps steps(int operand) const { return {along_[operand], starts_.inner_stride(operand)}; }

  // Sets `first` to where the first lane of a block starts, for each operand; returns how many there are.
  Index locate(Index block, std::byte** first) const;

  // Calls run(slot, block) for every block, on `slots` threads; `slot` < slots says which one.
  template <class Run>
  void run(int slots, Run&& run) const {
    std::atomic<Index> next{0};
    run_pieces(slots, [&](int slot) {
      for (Index block; (block = next.fetch_add(1, std::memory_order_relaxed)) < count_;) {
        check_interrupt();
        run(slot, block);
      }
    });
  }

 private:
  IterationSpace starts_;
  Index along_[kMaxOperands];
  std::byte* storage_[kMaxOperands];
  Index together_;
  Index in_row_;  // blocks along the innermost axis
  Index count_;
};

// How many lanes of an operand fill whole cache lines: 1 when the lanes run along memory.
Index lanes_per_line(const Operand& operand, int axis);

// A block of `count` lanes of `length` elements that starts at `first`, and the same in rows side by side.
struct LaneBlock {
  DType dtype;
  LaneSteps steps;
  Index count;
  Index length;

  bool in_rows() const { return steps.along == itemsize(dtype) || length == 1; }
  void to_rows(std::byte* first, std::byte* rows) const;
  void from_rows(std::byte* first, std::byte* rows) const;
};

}  // namespace strided
