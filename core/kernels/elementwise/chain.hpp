// A chain of elementwise loops, run block by block so that what passes between them stays in the
// first cache: memory is read and written once, whatever the length of the chain.
//
// Slots are what the loops read and write: first the operands of a space, those that are written in front;
// then temporaries, one block each. A chain of one loop is an elementwise op.
#pragma once

#include <span>
#include <string_view>

#include "kernels/loop_table.hpp"
#include "plan/axes.hpp"
#include "plan/record.hpp"

namespace strided::kernels::elementwise {

// Operands and temporaries of a chain: their places fit a byte, and their shortest blocks a runner's memory.
inline constexpr int kMostSlots = 64;
inline constexpr Index kLargestItem = 16;  // bytes, of complex128

struct Step {
  Loop loop;                                  // null for a run of quick ops
  int slots;                                  // the one that is written, then those that are read
  std::uint8_t slot[kMostQuickOperands + 1];
  QuickLoop quick = nullptr;
  QuickRun run = {};
  Loop streamed = nullptr;                    // instead of `loop` where the result is written by non-temporal stores
};

// Names the loops of steps; `streams` says whether what is written to slot 0 is streamed.
void add_loops(PlanRecord& record, std::span<const Step> steps, bool streams);

struct Chain {
  int operands;                     // of the space, in its order
  int outputs;                      // of these, the first ones
  const Index* itemsize;            // of each operand
  std::span<const Index> temporary; // item sizes; their slots follow the operands'
  std::span<const Step> steps;
  bool may_stream;                  // results are worth_streaming, and take the place of no input
  std::string_view operation;       // what it is called where plans are printed
};

// The space as ordered_space_of makes it; axes that tiles span are moved to its end.
void run_chain(const Chain& chain, IterationSpace space, std::byte* const* storage);

}  // namespace strided::kernels::elementwise
