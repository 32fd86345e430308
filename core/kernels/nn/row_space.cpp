#include "row_space.hpp"

#include <utility>

namespace strided {
namespace {

// Fewer neighbours than this do not fill vectors.
constexpr Index kLeastSideBySide = 16;

IterationSpace space_of_rows(std::span<const Operand> operands, const Index* picked) {
  SpaceOperand planned[RowSpace::kMost];
  for (std::size_t k = 0; k < operands.size(); ++k) planned[k] = {operands[k].layout, itemsize(operands[k].dtype)};
  return lines_of({planned, operands.size()}, operands[0].layout->rank() - 1, Role::Row, picked);
}

}  // namespace

RowSpace::RowSpace(std::span<const Operand> operands, RowOrder order, const Index* picked, OperandSet closer)
    : space_(space_of_rows(operands, picked)) {
  const int side = closer == 0 ? -1 : closer_axis(space_, kLeastSideBySide, closer);
  side_by_side_ = side >= 0;
  if (side_by_side_) set_side_axis(space_, side);
  // Of one axis the order does not matter.
  if (order == RowOrder::InMemory && space_.rank() > 2) {
    order_axes(space_);
    flip_negative_steps(space_);
  }
  fuse_axes(space_);
  for (std::size_t k = 0; k < operands.size(); ++k) storage_[k] = operands[k].storage;
}

RowSpace::RowSpace(std::span<const Operand> operands, const IterationSpace& space) : space_(space) {
  for (std::size_t k = 0; k < operands.size(); ++k) storage_[k] = operands[k].storage;
}

PlanRecord RowSpace::record(const char* operation, Index chunks, std::string tiles) const {
  PlanRecord made(operation, space_);
  made.chunks = chunks;
  made.tiles = std::move(tiles);
  return made;
}

}  // namespace strided
