#include "row_space.hpp"

#include <algorithm>
#include <utility>

#include "layout/contiguity.hpp"

namespace strided::kernels::nn {
namespace {

// Fewer neighbours do not fill a vector of 64 bytes of float32.
constexpr Index kLeastAdjacent = 16;

// Rows that follow each other without a gap in all operands need no planning, which would take longer than a short row.
bool are_packed(std::span<const Operand> operands, const Index* picked) {
  if (picked != nullptr || operands[0].layout->shape().back() == 1) return false;
  return std::ranges::all_of(operands, [&](const Operand& operand) {
    return std::ranges::equal(operand.layout->shape(), operands[0].layout->shape()) && is_row_major(*operand.layout);
  });
}

IterationSpace packed_rows(std::span<const Operand> operands) {
  const Layout& layout = *operands[0].layout;
  const Index length = layout.shape().back(), rows = layout.size() / length;
  IterationSpace space(static_cast<int>(operands.size()));
  space.operands = static_cast<int>(operands.size());
  Index row_steps[RowSpace::kMost], steps[RowSpace::kMost];
  for (int k = 0; k < space.operands; ++k) {
    const Operand& operand = operands[static_cast<std::size_t>(k)];
    steps[k] = itemsize(operand.dtype);
    row_steps[k] = length * steps[k];
    space.start[k] = operand.layout->offset() * steps[k];
  }
  if (rows != 1) space.add_axis(rows, Role::Map, row_steps);
  space.add_axis(length, Role::Row, steps);
  return space;
}

IterationSpace space_of_rows(std::span<const Operand> operands, const Index* picked) {
  if (are_packed(operands, picked)) return packed_rows(operands);
  SpaceOperand planned[RowSpace::kMost];
  for (std::size_t k = 0; k < operands.size(); ++k) planned[k] = {operands[k].layout, itemsize(operands[k].dtype)};
  return lines_of({planned, operands.size()}, operands[0].layout->rank() - 1, Role::Row, picked);
}

}  // namespace

RowSpace::RowSpace(std::span<const Operand> operands, RowOrder order, const Index* picked, OperandSet closer)
    : space_(space_of_rows(operands, picked)) {
  const int side = closer == 0 ? -1 : closer_axis(space_, kLeastAdjacent, closer);
  adjacent_ = side >= 0;
  if (adjacent_) set_side_axis(space_, side);
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

PlanRecord RowSpace::record(const char* operation, Index chunks, std::vector<std::string> loops,
                            std::string tiles) const {
  PlanRecord made(operation, space_);
  made.loops = std::move(loops);
  made.chunks = chunks;
  made.tiles = std::move(tiles);
  return made;
}

}  // namespace strided::kernels::nn
