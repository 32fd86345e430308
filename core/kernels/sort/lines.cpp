#include "lines.hpp"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <utility>

#include "kernels/copy/copy.hpp"
#include "run/machine.hpp"

namespace strided::kernels::sort {
namespace {

IterationSpace space_of_lines(OperandList operands, int axis) {
  return ordered_lines_of(SpaceOperands(operands), axis, Role::Row);
}

Layout block_layout(const LineBlock& block) {
  const Index size = itemsize(block.dtype);
  Layout layout = Layout::uninitialised(2, 0);
  layout.set_axis(0, block.count, block.steps.across / size);
  layout.set_axis(1, block.length, block.steps.along / size);
  return layout;
}

Layout row_layout(const LineBlock& block) {
  return Layout::row_major_unchecked(Dims{block.count, block.length}, 0);
}

}  // namespace

Index lines_per_cache_line(const Operand& in, int axis) {
  const Operand* const operands[] = {&in};
  const IterationSpace lines = space_of_lines(operands, axis);
  const int neighbours = lines.rank() - 2;
  if (neighbours < 0) return 1;
  const bool across = lies_closer(lines, neighbours, neighbours + 1);
  return across ? std::clamp<Index>(machine().line / itemsize(in.dtype), 1, lines.shape[neighbours]) : 1;
}

LineBlocks::LineBlocks(OperandList operands, int axis, Index together)
    : space_(space_of_lines(operands, axis)), tiles_(space_, together) {
  for (std::size_t k = 0; k < operands.size(); ++k) storage_[k] = operands[k]->storage;
}

Index LineBlocks::locate(Index block, std::byte** first) const {
  Index count = 0;
  tiles_.for_each(storage_, block, block + 1, [&](std::byte* const* places, Index lines) {
    std::copy_n(places, space_.operands, first);
    count = lines;
  });
  return count;
}

PlanRecord LineBlocks::record(const char* operation, int chunks, std::vector<std::string> loops) const {
  return {operation, space_, std::move(loops), chunks, tiles_.width() > 1 ? tiles_.text() : std::string()};
}

void LineBlock::to_rows(std::byte* first, std::byte* rows) const {
  const Layout from = block_layout(*this), to = row_layout(*this);
  copy::copy({rows, &to, dtype}, {first, &from, dtype});
}

void LineBlock::from_rows(std::byte* first, std::byte* rows) const {
  const Layout from = row_layout(*this), to = block_layout(*this);
  copy::copy({first, &to, dtype}, {rows, &from, dtype});
}

}  // namespace strided::kernels::sort
