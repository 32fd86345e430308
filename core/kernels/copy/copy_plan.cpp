#include "copy_plan.hpp"

#include <algorithm>
#include <cstdlib>

#include "run/pool.hpp"

namespace strided {
namespace {

constexpr Index kMostRows = 1024;
constexpr Index kRunBytes = 2048;  // of the input, before the kernel turns to the next rows

std::size_t traffic(const IterationSpace& plan, Index itemsize) {
  Index bytes = 2 * itemsize;
  for (Index length : plan.shape) bytes *= length;
  return static_cast<std::size_t>(bytes);
}

void drop_axis(IterationSpace& plan, int axis) {
  plan.shape.erase(axis);
  for (int k = 0; k < plan.operands; ++k) plan.strides[k].erase(axis);
}

// Two or four neighbours that stay neighbours move as one wider element.
void widen_items(CopyPlan& copy) {
  const IterationSpace& plan = copy.plan;
  if (plan.rank() < 2 || plan.inner_stride(0) != copy.itemsize || plan.inner_stride(1) != copy.itemsize) return;
  const Index wide = plan.inner_length() * copy.itemsize;
  if (wide != 2 && wide != 4 && wide != 8 && wide != 16) return;
  copy.itemsize = wide;
  drop_axis(copy.plan, plan.rank() - 1);
}

// The two innermost axes are (i, k) or (k, i), with few k.
bool finds_planes(CopyPlan& copy) {
  const IterationSpace& plan = copy.plan;
  const Index itemsize = copy.itemsize;
  if (plan.rank() < 2) return false;
  const int a = plan.rank() - 2, b = a + 1;
  // As many as the smallest square has columns are turned faster as tiles.
  const Index most = std::max<Index>(4, std::min<Index>(kMostPlanes, 16 / itemsize - 1));
  const auto few = [&](int axis) { return plan.shape[axis] >= 2 && plan.shape[axis] <= most; };
  const auto side_by_side = [&](int operand, int slow, int fast) {
    return plan.strides[operand][fast] == itemsize &&
           plan.strides[operand][slow] == plan.shape[fast] * itemsize;
  };
  copy.join = few(b) && side_by_side(0, a, b) && plan.strides[1][a] == itemsize;
  const bool part = few(a) && side_by_side(1, b, a) && plan.strides[0][b] == itemsize;
  if (!copy.join && !part) return false;
  const int axis = copy.join ? b : a;
  copy.planes = static_cast<int>(plan.shape[axis]);
  copy.plane_step = plan.strides[copy.join ? 1 : 0][axis];
  drop_axis(copy.plan, axis);
  copy.pieces = plan.rank() == 0 ? 1 : interruptible_pieces_for(traffic(plan, itemsize * copy.planes));
  return true;
}

// The axis along which the input takes its smallest step, if that is not the output's.
int column_axis(const IterationSpace& plan) {
  const int inner = plan.rank() - 1;
  int fast = inner;
  for (int axis = 0; axis < inner; ++axis) {
    const Index step = std::abs(plan.strides[1][axis]);
    if (step != 0 && step < std::abs(plan.strides[1][fast])) fast = axis;
  }
  return fast;
}

// Takes in axes that continue the group in operand k, until it has `enough` elements: an axis of a few
// elements would make runs and lines short.
void grow(AxisGroup& group, const IterationSpace& plan, int k, Index enough, const AxisGroup& other) {
  while (group.count < enough) {
    const Index next = plan.strides[k][static_cast<int>(group.axes[0])] * group.count;
    int found = -1;
    for (int axis = 0; axis < plan.rank(); ++axis) {
      if (plan.strides[k][axis] == next && !group.has(axis) && !other.has(axis)) found = axis;
    }
    if (found < 0) return;
    group.add(plan, found);
  }
}

bool finds_tiles(CopyPlan& copy) {
  IterationSpace& plan = copy.plan;
  if (plan.rank() < 2) return false;
  const int column = column_axis(plan);
  if (column == plan.rank() - 1) return false;
  if (plan.strides[1][column] < 0) reverse_axis(plan, column);
  const Index tile = kLine / copy.itemsize;
  copy.rows.add(plan, plan.rank() - 1);
  copy.columns.add(plan, column);
  grow(copy.rows, plan, 0, 4 * tile, copy.columns);
  grow(copy.columns, plan, 1, kRunBytes / copy.itemsize, copy.rows);
  for (int axis = plan.rank() - 1; axis >= 0; --axis) {
    if (!copy.rows.has(axis) && !copy.columns.has(axis)) copy.outer.add(plan, axis);
  }
  copy.column_run = std::min(copy.columns.count, kRunBytes / copy.itemsize);
  copy.row_run = std::min(copy.rows.count, kMostRows);
  copy.pieces = interruptible_pieces_for(traffic(plan, copy.itemsize));
  const auto blocks = [&] {
    return copy.outer.count * ((copy.columns.count + copy.column_run - 1) / copy.column_run) *
           ((copy.rows.count + copy.row_run - 1) / copy.row_run);
  };
  while (copy.pieces > 1 && copy.row_run > 4 * tile && blocks() < 2 * copy.pieces) {
    copy.row_run = (copy.row_run / 2 + tile - 1) / tile * tile;
  }
  copy.pieces = static_cast<int>(std::min<Index>(copy.pieces, blocks()));
  return true;
}

// Large copies visit runs in the order in which the input has them: memory that is read in order is fetched
// ahead, and writing past the caches needs no such help. In a cache it is the other way round.
void order_by_input(IterationSpace& plan) {
  const int inner = plan.rank() - 1;
  for (int i = 1; i < inner; ++i) {
    for (int j = i; j > 0; --j) {
      const Index before = std::abs(plan.strides[1][j - 1]), after = std::abs(plan.strides[1][j]);
      if (before == 0 || after == 0 || after <= before) break;
      swap_axes(plan, j, j - 1);
    }
  }
}

}  // namespace

void AxisGroup::add(const IterationSpace& plan, int axis) {
  axes.push_back(axis);
  count *= plan.shape[axis];
}

bool AxisGroup::has(int axis) const { return std::find(axes.begin(), axes.end(), axis) != axes.end(); }

Index AxisGroup::offset(const IterationSpace& plan, int k, Index index) const {
  Index offset = 0;
  for (Index axis : axes) {
    const Index length = plan.shape[static_cast<int>(axis)];
    offset += index % length * plan.strides[k][static_cast<int>(axis)];
    index /= length;
  }
  return offset;
}

void AxisGroup::list_offsets(const IterationSpace& plan, int k, Index first, Index n, Index* offsets) const {
  const auto fast = static_cast<int>(axes[0]);
  const Index length = plan.shape[fast], step = plan.strides[k][fast];
  for (Index i = 0; i < n;) {
    const Index base = offset(plan, k, first + i);
    const Index run = std::min(n - i, length - (first + i) % length);
    for (Index j = 0; j < run; ++j) offsets[i + j] = base + j * step;
    i += run;
  }
}

CopyPlan make_copy_plan(const IterationSpace& plan, Index itemsize, CopyKind kind) {
  CopyPlan copy;
  copy.kind = kind;
  copy.plan = plan;
  copy.itemsize = itemsize;
  widen_items(copy);
  if (finds_planes(copy)) {
    copy.way = CopyWay::Planes;
  } else if (finds_tiles(copy)) {
    copy.way = CopyWay::Tiles;
  } else {
    copy.way = CopyWay::Runs;
    if (copy.streams()) order_by_input(copy.plan);
    copy.pieces = copy.plan.rank() == 0 ? 1 : interruptible_pieces_for(traffic(copy.plan, copy.itemsize));
  }
  return copy;
}

std::string CopyPlan::text() const {
  const auto number = [](Index value) { return std::to_string(value); };
  std::string out;
  Index runs = 1;
  for (int axis = 0; axis + 1 < plan.rank(); ++axis) runs *= plan.shape[axis];
  switch (way) {
    case CopyWay::Planes:
      out = number(planes) + (join ? " planes into groups" : " planes out of groups");
      break;
    case CopyWay::Tiles:
      out = "tiles: rows of " + number(rows.count) + " by columns of " + number(columns.count) + ", blocks of " +
            number(row_run) + " x " + number(column_run);
      if (outer.count > 1) out += ", " + number(outer.count) + " times";
      break;
    case CopyWay::Runs:
      out = number(runs) + (runs == 1 ? " run of " : " runs of ") + number(plan.inner_length()) +
            ", steps " + number(plan.inner_stride(1)) + " to " + number(plan.inner_stride(0)) + " bytes";
      break;
  }
  return out + "; elements of " + number(itemsize) + (itemsize == 1 ? " byte" : " bytes");
}

}  // namespace strided
