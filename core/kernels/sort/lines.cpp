#include "lines.hpp"

#include <algorithm>
#include <cstdlib>

#include "kernels/copy/copy.hpp"
#include "kernels/copy/copy_loops.hpp"
#include "layout/bounds.hpp"

namespace strided {
namespace {

Layout without_axis(const Layout& layout, int axis) {
  Layout rest = Layout::uninitialised(layout.rank() - 1, layout.offset());
  for (int i = 0, to = 0; i < layout.rank(); ++i) {
    if (i != axis) rest.set_axis(to++, layout.length(i), layout.stride(i));
  }
  return rest;
}

Layout block_layout(const LaneBlock& block) {
  const Index size = itemsize(block.dtype);
  Layout layout = Layout::uninitialised(2, 0);
  layout.set_axis(0, block.count, block.steps.across / size);
  layout.set_axis(1, block.length, block.steps.along / size);
  return layout;
}

Layout row_layout(const LaneBlock& block) {
  return Layout::row_major_unchecked(Dims{block.count, block.length}, 0);
}

}  // namespace

LaneBlocks::LaneBlocks(std::span<const Operand> operands, int axis, Index together) : together_(together) {
  SpaceOperand starts[kMaxOperands];
  Layout layouts[kMaxOperands];
  for (std::size_t k = 0; k < operands.size(); ++k) {
    const Index size = itemsize(operands[k].dtype);
    layouts[k] = without_axis(*operands[k].layout, axis);
    starts[k] = {&layouts[k], size};
    along_[k] = scaled(operands[k].layout->stride(axis), size, 1);
    storage_[k] = operands[k].storage;
  }
  starts_ = ordered_space_of({starts, operands.size()});
  in_row_ = (starts_.inner_length() + together - 1) / together;
  count_ = in_row_;
  for (int i = 0; i + 1 < starts_.rank(); ++i) count_ *= starts_.shape[i];
}

Index LaneBlocks::locate(Index block, std::byte** first) const {
  const Index lane = block % in_row_ * together_;
  Index row = block / in_row_;
  for (int k = 0; k < starts_.operands; ++k) {
    first[k] = storage_[k] + starts_.start[k] + lane * starts_.inner_stride(k);
  }
  for (int axis = starts_.rank() - 2; axis >= 0; --axis) {
    const Index at = row % starts_.shape[axis];
    row /= starts_.shape[axis];
    for (int k = 0; k < starts_.operands; ++k) first[k] += at * starts_.strides[k][axis];
  }
  return std::min(together_, starts_.inner_length() - lane);
}

Index lanes_per_line(const Operand& operand, int axis) {
  const Layout& layout = *operand.layout;
  const Index along = std::abs(layout.stride(axis));
  for (int i = 0; i < layout.rank(); ++i) {
    const Index step = std::abs(layout.stride(i));
    const bool faster = i != axis && layout.length(i) > 1 && step != 0 && step < along;
    if (faster) return std::min(layout.length(i), kLine / itemsize(operand.dtype));
  }
  return 1;
}

void LaneBlock::to_rows(std::byte* first, std::byte* rows) const {
  const Layout from = block_layout(*this), to = row_layout(*this);
  copy({rows, &to, dtype}, {first, &from, dtype});
}

void LaneBlock::from_rows(std::byte* first, std::byte* rows) const {
  const Layout from = row_layout(*this), to = block_layout(*this);
  copy({first, &to, dtype}, {rows, &from, dtype});
}

}  // namespace strided
