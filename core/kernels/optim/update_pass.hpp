// One pass of an optimiser over tensors of one shape and dtype: lanes that lie side by side are given to a loop as
// they are, others through blocks.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>

#include "kernels/convert/packed.hpp"
#include "plan/operand.hpp"
#include "plan/split.hpp"
#include "plan/walk.hpp"

namespace strided {

// Calls loop(n, lanes) with as many lanes as there are operands; those of `written` (bit k for operand k) are changed
// in place. Operands that are written share no element with others, unless element for element.
template <int kOperands, class Loop>
class UpdatePass {
 public:
  UpdatePass(std::span<const Operand, kOperands> operands, std::uint32_t written, const Loop& loop)
      : written_(written), dtype_(operands[0].dtype), loop_(loop) {
    SpaceOperand planned[kOperands];
    for (int k = 0; k < kOperands; ++k) {
      const Operand& operand = operands[static_cast<std::size_t>(k)];
      planned[k] = {operand.layout, itemsize(dtype_)};
      storage_[k] = operand.storage;
    }
    size_ = operands[0].layout->size();
    plan_ = ordered_space_of(planned);
  }

  void run() const {
    if (size_ == 0) return;
    const Index moves = kOperands + std::popcount(written_);
    const int chunks = interruptible_chunks_for(static_cast<std::size_t>(size_ * itemsize(dtype_) * moves));
    run_in_chunks(plan_, chunks, [&](const IterationSpace& chunk) { run_chunk(chunk); });
  }

 private:
  static constexpr Index kBlock = 1024;  // elements that are put side by side at a time

  void run_chunk(const IterationSpace& plan) const {
    const Index item = itemsize(dtype_), length = plan.inner_length();
    bool stepped[kOperands], any = false;
    for (int k = 0; k < kOperands; ++k) any |= stepped[k] = length > 1 && plan.inner_stride(k) != item;
    ScratchArray<std::byte[kBlock * 8], kOperands> held;
    const Index longest = any ? kBlock : length;
    for_each_row(plan, storage_, [&](std::byte* const* row) {
      for (Index i = 0; i < length; i += longest) {
        const Index n = std::min(longest, length - i);
        std::byte* lanes[kOperands];
        for (int k = 0; k < kOperands; ++k) {
          std::byte* const at = row[k] + i * plan.inner_stride(k);
          lanes[k] = stepped[k] ? held[k] : at;
          if (stepped[k]) kernels::convert::elements(dtype_, at, plan.inner_stride(k), dtype_, held[k], item, n);
        }
        loop_(n, lanes);
        for (int k = 0; k < kOperands; ++k) {
          if (!stepped[k] || (written_ >> k & 1) == 0) continue;
          kernels::convert::elements(dtype_, held[k], item, dtype_, row[k] + i * plan.inner_stride(k),
                                     plan.inner_stride(k), n);
        }
      }
    });
  }

  std::uint32_t written_;
  DType dtype_;
  const Loop& loop_;
  Index size_;
  IterationSpace plan_;
  std::byte* storage_[kOperands];
};

template <int kOperands, class Loop>
void run_update(const Operand (&operands)[kOperands], std::uint32_t written, const Loop& loop) {
  UpdatePass<kOperands, Loop>(operands, written, loop).run();
}

}  // namespace strided
