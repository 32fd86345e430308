// The output runs along `rows`, the input along `columns`: two groups of axes, each packed on its own side.
//
// Blocks of many rows and a long run of columns go to the kernel, which reads whole runs of a few rows
// and writes whole cache lines. An axis of a few elements would make runs and lines short, so a group takes
// in the axes that continue it in memory.
#include "cross.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "loops.hpp"
#include "threads.hpp"

namespace strided {
namespace {

constexpr Index kMostRows = 1024;
constexpr Index kMostColumns = 2048;
constexpr Index kRunBytes = 2048;  // of the input, before the kernel turns to the next rows

// Axes of the plan, fastest first, and how many elements they have together.
struct Group {
  Dims axes;
  Index count = 1;

  void add(const Plan& plan, int axis) {
    axes.push_back(axis);
    count *= plan.shape[axis];
  }
  bool has(int axis) const { return std::find(axes.begin(), axes.end(), axis) != axes.end(); }
};

// The axis along which the input takes its smallest step, if that is not the output's.
int column_axis(const Plan& plan) {
  const int inner = plan.rank() - 1;
  int fast = inner;
  for (int axis = 0; axis < inner; ++axis) {
    const Index step = std::abs(plan.strides[1][axis]);
    if (step != 0 && step < std::abs(plan.strides[1][fast])) fast = axis;
  }
  return fast;
}

// Takes in axes that continue the group in operand k, until it has `enough` elements.
void grow(Group& group, const Plan& plan, int k, Index enough, const Group& other) {
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

// How far operand k moves to element `index` of a group.
Index offset_in(const Group& group, const Plan& plan, int k, Index index) {
  Index offset = 0;
  for (Index axis : group.axes) {
    const Index length = plan.shape[static_cast<int>(axis)];
    offset += index % length * plan.strides[k][static_cast<int>(axis)];
    index /= length;
  }
  return offset;
}

// The offsets of elements first .. first + n.
void list_offsets(const Group& group, const Plan& plan, int k, Index first, Index n, Index* offsets) {
  const auto fast = static_cast<int>(group.axes[0]);
  const Index length = plan.shape[fast], step = plan.strides[k][fast];
  for (Index i = 0; i < n;) {
    const Index inside = (first + i) % length;
    const Index base = offset_in(group, plan, k, first + i);
    const Index run = std::min(n - i, length - inside);
    for (Index j = 0; j < run; ++j) offsets[i + j] = base + j * step;
    i += run;
  }
}

constexpr Index round_up(Index value, Index step) { return (value + step - 1) / step * step; }

}  // namespace

bool copy_across(const Plan& given, Index itemsize, std::byte* const* storage, CopyKind kind) {
  if (given.rank() < 2) return false;
  const int column = column_axis(given);
  if (column == given.rank() - 1) return false;
  Plan plan = given;
  if (plan.strides[1][column] < 0) reverse_axis(plan, column);
  const Index tile = kLine / itemsize;
  Group rows, columns, outer;
  rows.add(plan, plan.rank() - 1);
  columns.add(plan, column);
  grow(rows, plan, 0, 4 * tile, columns);
  grow(columns, plan, 1, kRunBytes / itemsize, rows);
  for (int axis = plan.rank() - 1; axis >= 0; --axis) {
    if (!rows.has(axis) && !columns.has(axis)) outer.add(plan, axis);
  }

  const Index column_run = std::min(columns.count, kRunBytes / itemsize);
  Index row_run = std::min(rows.count, kMostRows);
  const Index column_blocks = (columns.count + column_run - 1) / column_run;
  const auto traffic = static_cast<std::size_t>(2 * rows.count * columns.count * outer.count * itemsize);
  const int pieces = pieces_for(traffic);
  while (pieces > 1 && row_run > 4 * tile &&
         outer.count * column_blocks * ((rows.count + row_run - 1) / row_run) < 2 * pieces) {
    row_run = round_up(row_run / 2, tile);
  }
  const Index row_blocks = (rows.count + row_run - 1) / row_run;
  const Index blocks = outer.count * column_blocks * row_blocks;

  const CopyCross kernel = loops().copy.cross[bit_size(itemsize)][kind == CopyKind::Streamed];
  run_pieces(static_cast<int>(std::min<Index>(pieces, blocks)), [&](int piece) {
    const Index total = std::min<Index>(pieces, blocks);
    Index row_in[kMostRows];
    Index column_out[kMostColumns];
    Index rows_at = -1, columns_at = -1;
    for (Index block = blocks * piece / total; block < blocks * (piece + 1) / total; ++block) {
      const Index first_row = block % row_blocks * row_run;
      const Index first_column = block / row_blocks % column_blocks * column_run;
      const Index place = block / row_blocks / column_blocks;
      const Index n_rows = std::min(row_run, rows.count - first_row);
      const Index n_columns = std::min(column_run, columns.count - first_column);
      if (std::exchange(rows_at, first_row) != first_row) {
        list_offsets(rows, plan, 1, first_row, n_rows, row_in);
      }
      if (std::exchange(columns_at, first_column) != first_column) {
        list_offsets(columns, plan, 0, first_column, n_columns, column_out);
      }
      const Index in = plan.start[1] + offset_in(outer, plan, 1, place) + offset_in(columns, plan, 1, first_column);
      const Index out = plan.start[0] + offset_in(outer, plan, 0, place) + offset_in(rows, plan, 0, first_row);
      kernel({storage[0] + out, storage[1] + in, row_in, column_out, n_rows, n_columns,
              plan.strides[0][plan.rank() - 1], plan.strides[1][column], kind != CopyKind::Cached});
    }
  });
  return true;
}

}  // namespace strided
