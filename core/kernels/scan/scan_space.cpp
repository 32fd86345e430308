#include "scan_space.hpp"

namespace strided::kernels::scan {
namespace {

// Shorter lines are not worth a call each. Fixed, as elements are added in another order along a line than across.
constexpr Index kShortLine = 16;

IterationSpace axes_of(OperandList operands, int axis) {
  IterationSpace axes = lines_of(SpaceOperands(operands), axis, Role::Scan);
  if (axes.rank() == 1) return axes;  // small calls are common
  order_axes(axes, only(0));
  flip_negative_steps(axes, only(0));
  fuse_axes(axes);
  return axes;
}

}  // namespace

ScanSpace::ScanSpace(OperandList operands, int axis) : axes(axes_of(operands, axis)) {
  const int line = axes.rank() - 1;
  along = line == 0 || (length() >= kShortLine && lies_closer(axes, line, line - 1));
  if (!along) axes.roles[line - 1] = Role::Column;
}

}  // namespace strided::kernels::scan
