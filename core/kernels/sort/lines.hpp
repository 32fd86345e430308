// Lines of elements along one axis, taken in blocks of neighbours.
//
// The lines of a block are neighbours along the fastest of the other axes. When the lines themselves run across memory,
// a block of them uses up every cache line that it touches.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "plan/line_tiles.hpp"
#include "plan/operand.hpp"
#include "plan/record.hpp"
#include "plan/split.hpp"

namespace strided::kernels::sort {

// No memory holds a longer line. Sizes in bytes that follow from a shorter one fit in 64 bits.
inline constexpr Index kLongestLine = Index{1} << 44;

// One operand seen from its lines; in bytes.
struct LineSteps {
  Index along;   // from one element of a line to the next
  Index across;  // from one line of a block to the next
};

// How many neighbouring lines fill whole cache lines: 1 where they run along memory.
Index lines_per_cache_line(const Operand& in, int axis);

class LineBlocks {
 public:
  // Blocks of `together` lines of operands that have the same lengths on all axes but `axis`. The first operand decides
  // which lines are neighbours.
  LineBlocks(OperandList operands, int axis, Index together);

  Index count() const { return tiles_.count(); }
  LineSteps steps(int operand) const {
    const int lines = space_.rank() - 2;
    return {space_.inner_stride(operand), lines < 0 ? 0 : space_.strides[operand][lines]};
  }

  // Sets `first` to where the first line of a block starts, for each operand; returns how many there are.
  Index locate(Index block, std::byte** first) const;

  PlanRecord record(const char* operation, int chunks, std::vector<std::string> loops) const;

 private:
  IterationSpace space_;  // Map axes, then the line as a Row
  LineTiles tiles_;
  std::byte* storage_[kMaxOperands];
};

// A block of `count` lines of `length` elements that starts at `first`, and the same as packed rows.
struct LineBlock {
  DType dtype;
  LineSteps steps;
  Index count;
  Index length;

  bool in_rows() const { return steps.along == itemsize(dtype) || length == 1; }
  void to_rows(std::byte* first, std::byte* rows) const;
  void from_rows(std::byte* first, std::byte* rows) const;
};

}  // namespace strided::kernels::sort
