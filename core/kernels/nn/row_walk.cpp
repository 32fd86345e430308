#include "row_walk.hpp"

namespace strided {

RowWalk::RowWalk(std::span<const Operand> operands, const Index* places)
    : count_of_operands_(static_cast<int>(operands.size())), places_(places) {
  for (int k = 0; k < count_of_operands_; ++k) {
    const Operand& operand = operands[static_cast<std::size_t>(k)];
    first_[k] = operand.first();
    steps_[k] = operand.step(operand.layout->rank() - 1);
  }
  const Layout& shape = *operands[0].layout;
  for (int axis = 0; axis < shape.rank() - 1; ++axis) {
    const Index length = shape.length(axis);
    count_ *= length;
    const bool by_table = places != nullptr && axis == 0;
    if (length == 1 && !by_table) continue;
    // Neighbours that step together are one axis.
    bool joins = rank_ > (places != nullptr ? 1 : 0);
    for (int k = 0; k < count_of_operands_; ++k) {
      const Operand& operand = operands[static_cast<std::size_t>(k)];
      const Index stride = operand.step(axis);
      Index whole;
      joins = joins && multiply(length, stride, whole) && strides_[k][rank_ - 1] == whole;
      strides_[k][rank_] = stride;
    }
    if (joins) {
      lengths_[rank_ - 1] *= length;
      for (int k = 0; k < count_of_operands_; ++k) strides_[k][rank_ - 1] = strides_[k][rank_];
    } else {
      lengths_[rank_++] = length;
    }
  }
}

void RowWalk::locate(Index row, Index* position, std::byte** rows) const {
  for (int k = 0; k < count_of_operands_; ++k) rows[k] = first_[k];
  if (count_ == 0) return;
  if (places_ != nullptr) rows[0] += places_[0] * strides_[0][0];
  for (int axis = rank_ - 1; axis >= 0; --axis) {
    position[axis] = row % lengths_[axis];
    row /= lengths_[axis];
    move(axis, 0, position[axis], rows);
  }
}

}  // namespace strided
