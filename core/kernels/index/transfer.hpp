// Elements moved between places given by positions and even steps, over any axes.
//
// One side is picked from by positions, the other lists what was picked. Axes come in two groups: those
// that positions vary along (index axes), and those along which one position serves all elements (free
// axes). Positions are turned into places a block at a time; then either each place moves a row along
// the free axes, or each element along them moves a block of places.
#pragma once

#include "gather.hpp"
#include "index_positions.hpp"

namespace strided {

enum Side : int { kListed, kPicked, kIndex };

// All operands seen over one shape, in bytes: index strides are 0 along free axes, and the picked side's
// along those that a position replaces.
struct TransferShape {
  Dims lengths;
  Dims strides[3];

  void add_axis(Index length, Index listed, Index picked, Index index) {
    lengths.push_back(length);
    strides[kListed].push_back(listed);
    strides[kPicked].push_back(picked);
    strides[kIndex].push_back(index);
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
void transfer_out(const TransferShape& shape, const Operand& listed, const Operand& picked,
                  const PickedPositions& positions);
// picked = listed, or a combination of both. Raises IndexOutOfBounds before anything is written.
void transfer_in(const TransferShape& shape, const Operand& listed, const Operand& picked,
                 const PickedPositions& positions, Combine how);

}  // namespace strided
