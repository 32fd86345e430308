// The iteration space of a scan: Map axes, then the line, with the role Scan.
#pragma once

#include "plan/line_tiles.hpp"
#include "plan/operand.hpp"

namespace strided::kernels::scan {

struct ScanSpace {
  IterationSpace axes;
  // Lines are taken one by one: where their own elements lie closer together than neighbouring lines do. Otherwise the
  // axis next to the line has the role Column, and some of its lines are taken together.
  bool along;

  // The first operand decides the order of the axes; both steps in bytes.
  ScanSpace(OperandList operands, int axis);
  Index length() const { return axes.inner_length(); }
  Index step(int operand) const { return axes.inner_stride(operand); }
  Index side_step(int operand) const { return axes.rank() < 2 ? 0 : axes.strides[operand][axes.rank() - 2]; }
  // How many lines are taken together, at most `most`.
  Index width(Index most) const { return along ? 1 : std::min(axes.shape[axes.rank() - 2], most); }
};

}  // namespace strided::kernels::scan
