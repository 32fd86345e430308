#include "row_space.hpp"

#include <algorithm>
#include <utility>

namespace strided::kernels::nn {
namespace {

// Fewer neighbours do not fill a vector of 64 bytes of float32.
constexpr Index kLeastAdjacent = 16;

// How many rows follow each other without a gap in all operands; 0 where they do not.
Index packed_rows(OperandList operands) {
  const Layout& layout = *operands[0]->layout;
  Index elements = 1, rows = 1;
  for (int axis = layout.rank() - 1; axis >= 0; --axis) {
    const Index length = layout.length(axis);
    for (const Operand* operand : operands) {
      if (operand->layout->length(axis) != length) return 0;
      if (length != 1 && operand->layout->stride(axis) != elements) return 0;
    }
    if (axis < layout.rank() - 1) rows *= length;
    elements *= length;
  }
  return rows;
}

IterationSpace packed_space(OperandList operands, Index rows) {
  const Index length = operands[0]->layout->shape().back();
  IterationSpace space(static_cast<int>(operands.size()));
  Index row_steps[RowSpace::kMost], steps[RowSpace::kMost];
  for (int k = 0; k < space.operands; ++k) {
    const Operand& operand = *operands[static_cast<std::size_t>(k)];
    steps[k] = itemsize(operand.dtype);
    row_steps[k] = length * steps[k];
    space.start[k] = operand.layout->byte_offset(steps[k]);
  }
  if (rows != 1) space.add_axis(rows, Role::Map, row_steps);
  space.add_axis(length, Role::Row, steps);
  return space;
}

IterationSpace space_of_rows(OperandList operands, const Index* picked) {
  return lines_of(SpaceOperands(operands), operands[0]->layout->rank() - 1, Role::Row, picked);
}

// Packed rows need no planning, which would take longer than a short row.
IterationSpace planned_rows(OperandList operands, RowOrder order, const Index* picked, OperandSet closer,
                            bool& adjacent) {
  const bool may_be_packed = picked == nullptr && operands[0]->layout->shape().back() != 1;
  const Index packed = may_be_packed ? packed_rows(operands) : 0;
  IterationSpace space = packed > 0 ? packed_space(operands, packed) : space_of_rows(operands, picked);
  if (packed > 0) return space;
  const int side = closer == 0 ? -1 : closer_axis(space, kLeastAdjacent, closer);
  adjacent = side >= 0;
  if (adjacent) set_side_axis(space, side);
  // Of one axis the order does not matter.
  if (order == RowOrder::InMemory && space.rank() > 2) {
    order_axes(space);
    flip_negative_steps(space);
  }
  fuse_axes(space);
  return space;
}

}  // namespace

RowSpace::RowSpace(OperandList operands, RowOrder order, const Index* picked, OperandSet closer)
    : space_(planned_rows(operands, order, picked, closer, adjacent_)) {
  keep_storage(operands);
}

PlanRecord RowSpace::record(const char* operation, Index chunks, std::vector<std::string> loops,
                            std::string tiles) const {
  return {operation, space_, std::move(loops), chunks, std::move(tiles)};
}

}  // namespace strided::kernels::nn
