// Gather and scatter over any axes: elements move between places given by positions and even steps.
//
// One side is picked from by positions, the other lists what was picked. Axes come in two groups: those
// that positions vary along (index axes), and those along which one position serves all elements (free
// axes). Positions become places a block at a time; then either each place moves a row along
// the free axes, or each element along them moves a block of places.
#pragma once

#include "gather.hpp"
#include "checked_positions.hpp"
#include "plan/axes.hpp"

namespace strided::kernels::index {

enum Side : int { kListed, kPicked, kIndex };

// The axes of a transfer, with byte steps from one index to the next, in their two groups.
struct TransferAxes {
  IterationSpace index{3};  // listed, picked, index
  IterationSpace free{2};   // listed, picked: from where an index axis stands
  int replaced = 0;         // how many index axes take the place of axes of the picked side, which has step 0 there

  // Axes of length 1 are left out.
  void add_replaced(Index length, Index listed_step, Index index_step) {
    if (length == 1) return;
    const Index steps[] = {listed_step, 0, index_step};
    index.add_axis(length, Role::Map, steps);
    ++replaced;
  }
  void add(Index length, Index listed_step, Index picked_step, Index index_step) {
    if (length == 1) return;
    const Index steps[] = {listed_step, picked_step, index_step};
    (index_step != 0 ? index : free).add_axis(length, Role::Map, steps);
  }
};

// What the index says: positions along an axis, or, `resolved`, places in memory.
struct PickedPositions {
  const Operand& index;
  PickedAxis axis;
  bool resolved;
  int number;  // of the axis, for errors
};

// listed = picked. Raises IndexOutOfBounds, perhaps after some of `listed` was written.
void run_gather(TransferAxes&& axes, const Operand& listed, const Operand& picked,
                const PickedPositions& positions);
// picked = listed, or a combination of both. Raises IndexOutOfBounds before anything is written.
void run_scatter(TransferAxes&& axes, const Operand& listed, const Operand& picked,
                 const PickedPositions& positions, Combine how);

}  // namespace strided::kernels::index
