// One pass of an optimiser over tensors of one shape and dtype.
//
// A loop takes contiguous elements. Operands that step otherwise pass through blocks that the first cache holds.
#pragma once

#include <algorithm>
#include <bit>

#include "kernels/convert/packed.hpp"
#include "kernels/loop_names.hpp"
#include "plan/operand.hpp"
#include "plan/record.hpp"
#include "plan/split.hpp"
#include "plan/walk.hpp"
#include "run/machine.hpp"

namespace strided::kernels::optim {

// Calls run(n, places) for lines of contiguous elements, with a place for each operand; what is in `written` is changed
// in place. Operands that are written share no element with others, unless element for element. `loop` is what `run`
// calls, for the record.
template <int kOperands, class Loop, class Run>
void run_update(const char* operation, Loop* loop, const Operand* const (&operands)[kOperands], OperandSet written,
                Run&& run) {
  const Index size = operands[0]->layout->size();
  if (size == 0) return;
  const DType dtype = operands[0]->dtype;
  const Index item = itemsize(dtype);
  std::byte* storage[kOperands];
  for (int k = 0; k < kOperands; ++k) storage[k] = operands[k]->storage;
  const IterationSpace space = ordered_space_of(SpaceOperands(operands));
  OperandSet stepped = 0;
  for (int k = 0; k < kOperands; ++k) {
    if (space.inner_length() > 1 && space.inner_stride(k) != item) stepped |= only(k);
  }
  const Index moves = kOperands + std::popcount(written);
  const int chunks = interruptible_chunks_for(static_cast<std::size_t>(size * item * moves));
  // Blocks of all operands take up half of the first cache.
  const Index block = std::min(std::max<Index>(64, machine().l1 / (2 * kOperands * item)), space.inner_length());
  const RecordScope scope([&] {
    PlanRecord record(operation, space, {loop_name(loop)}, chunks);
    if (stepped != 0) {
      record.tiles = "blocks of " + std::to_string(block) + " elements, made contiguous";
      record.loops.push_back(loop_name(convert::loop_between(dtype, dtype)));
    }
    return record;
  });
  run_in_chunks(space, chunks, [&](const IterationSpace& chunk) {
    const Index length = chunk.inner_length(), longest = stepped != 0 ? block : length;
    Scratch scratch;
    std::byte* packed[kOperands] = {};
    for (int k = 0; k < kOperands; ++k) if (has(stepped, k)) packed[k] = scratch.take<std::byte>(block * item);
    for_each_row(chunk, storage, [&](std::byte* const* row) {
      for (Index i = 0; i < length; i += longest) {
        const Index n = std::min(longest, length - i);
        std::byte* places[kOperands];
        for (int k = 0; k < kOperands; ++k) {
          std::byte* const at = row[k] + i * chunk.inner_stride(k);
          places[k] = has(stepped, k) ? packed[k] : at;
          if (has(stepped, k)) convert::elements(dtype, at, chunk.inner_stride(k), dtype, packed[k], item, n);
        }
        run(n, places);
        for (int k = 0; k < kOperands; ++k) {
          if (!has(stepped & written, k)) continue;
          const Index step = chunk.inner_stride(k);
          convert::elements(dtype, packed[k], item, dtype, row[k] + i * step, step, n);
        }
      }
    });
  });
}

}  // namespace strided::kernels::optim
