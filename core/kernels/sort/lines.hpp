// Lines of elements along one axis, taken in blocks of neighbours.
//
// Lines of one block lie side by side along the fastest of the other axes. When the lines themselves run
// across memory, a block of them uses up every cache line that it touches.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "plan/axes.hpp"
#include "plan/operand.hpp"
#include "plan/record.hpp"
#include "plan/split.hpp"

namespace strided {

// No memory holds a longer line. Sizes that follow from a shorter one do not overflow.
inline constexpr Index kLongestLine = Index{1} << 44;

// One operand seen from its lines; in bytes.
struct LineSteps {
  Index along;   // from one element of a line to the next
  Index across;  // from one line of a block to the next
};

// The lines of operands that have the same lengths on all axes but `axis`: Map axes, then the line as a Row. The
// first operand decides which lines lie side by side.
IterationSpace lines_of(std::span<const Operand> operands, int axis);
// How many lines of the first operand, of elements of `size` bytes, fill whole cache lines: 1 when they run along
// memory.
Index lines_per_cache_line(const IterationSpace& lines, Index size);

class LineBlocks {
 public:
  LineBlocks(std::span<const Operand> operands, int axis, Index together);
  // As many lines at a time as fill whole cache lines of the first operand.
  LineBlocks(std::span<const Operand> operands, int axis);

  Index count() const { return count_; }
  Index together() const { return together_; }
  LineSteps steps(int operand) const { return {space_.inner_stride(operand), across_[operand]}; }

  // Sets `first` to where the first line of a block starts, for each operand; returns how many there are.
  Index locate(Index block, std::byte** first) const;

  // Calls run(worker, block) for every block, on `workers` threads.
  template <class Run>
  void run(int workers, Run&& run) const {
    run_dynamically(workers, count_, std::forward<Run>(run));
  }

  PlanRecord record(const char* operation, int chunks, std::vector<std::string> loops) const;

 private:
  void cut(std::span<const Operand> operands, Index together);

  IterationSpace space_;  // blocks on the last axis but one, then the line
  std::byte* storage_[kMaxOperands];
  Index across_[kMaxOperands];
  Index together_;
  Index lines_;  // along the axis that blocks are cut from
  Index count_;
};

// A block of `count` lines of `length` elements that starts at `first`, and the same in rows side by side.
struct LineBlock {
  DType dtype;
  LineSteps steps;
  Index count;
  Index length;

  bool in_rows() const { return steps.along == itemsize(dtype) || length == 1; }
  void to_rows(std::byte* first, std::byte* rows) const;
  void from_rows(std::byte* first, std::byte* rows) const;
};

}  // namespace strided
