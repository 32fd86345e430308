#include "lines.hpp"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <utility>

#include "kernels/copy/copy.hpp"
#include "kernels/copy/copy_loops.hpp"
#include "plan/walk.hpp"

namespace strided {
namespace {

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

IterationSpace lines_of(std::span<const Operand> operands, int axis) {
  SpaceOperand layouts[kMaxOperands];
  for (std::size_t k = 0; k < operands.size(); ++k) layouts[k] = {operands[k].layout, itemsize(operands[k].dtype)};
  return line_space_of({layouts, operands.size()}, axis, Role::Row);
}

Index lines_per_cache_line(const IterationSpace& lines, Index size) {
  if (lines.rank() < 2) return 1;
  const int neighbours = lines.rank() - 2;
  const Index step = std::abs(lines.strides[0][neighbours]);
  const bool across = step != 0 && step < std::abs(lines.inner_stride(0));
  return across ? std::min(lines.shape[neighbours], kLine / size) : 1;
}

LineBlocks::LineBlocks(std::span<const Operand> operands, int axis, Index together)
    : space_(lines_of(operands, axis)) {
  cut(operands, together);
}

LineBlocks::LineBlocks(std::span<const Operand> operands, int axis) : space_(lines_of(operands, axis)) {
  cut(operands, lines_per_cache_line(space_, itemsize(operands[0].dtype)));
}

void LineBlocks::cut(std::span<const Operand> operands, Index together) {
  const int outer = space_.rank() - 1;
  lines_ = outer == 0 ? 1 : space_.shape[outer - 1];
  together_ = std::min(together, lines_);
  for (int k = 0; k < space_.operands; ++k) {
    storage_[k] = operands[static_cast<std::size_t>(k)].storage;
    across_[k] = outer == 0 ? 0 : space_.strides[k][outer - 1];
    if (outer > 0) space_.strides[k][outer - 1] *= together_;
  }
  if (outer > 0) space_.shape[outer - 1] = (lines_ + together_ - 1) / together_;
  count_ = space_.size_of_first(outer);
}

Index LineBlocks::locate(Index block, std::byte** first) const {
  const int outer = space_.rank() - 1;
  const Walk<std::byte*> walk(space_, storage_, outer, block);
  std::copy_n(walk.places(), space_.operands, first);
  return outer == 0 ? 1 : std::min(together_, lines_ - walk.index(outer - 1) * together_);
}

PlanRecord LineBlocks::record(const char* operation, int chunks, std::vector<std::string> loops) const {
  PlanRecord record(operation, space_);
  record.chunks = chunks;
  record.loops = std::move(loops);
  if (together_ == 1) return record;
  // The lines themselves, not blocks of them.
  const std::size_t cut = record.shape.size() - 2;
  record.shape[cut] = lines_;
  for (int k = 0; k < space_.operands; ++k) record.steps[static_cast<std::size_t>(k)][cut] = across_[k];
  record.tiles = std::to_string(together_) + " lines at a time";
  return record;
}

void LineBlock::to_rows(std::byte* first, std::byte* rows) const {
  const Layout from = block_layout(*this), to = row_layout(*this);
  kernels::copy::copy({rows, &to, dtype}, {first, &from, dtype});
}

void LineBlock::from_rows(std::byte* first, std::byte* rows) const {
  const Layout from = row_layout(*this), to = block_layout(*this);
  kernels::copy::copy({first, &to, dtype}, {rows, &from, dtype});
}

}  // namespace strided
