// Blocks of many rows and a long run of columns go to the kernel, which reads whole runs of a few rows and
// writes whole cache lines.
#include "cross.hpp"

#include <algorithm>
#include <utility>

#include "loops.hpp"
#include "threads.hpp"

namespace strided {
namespace {

constexpr Index kMostRows = 1024;
constexpr Index kMostColumns = 2048;

}  // namespace

void copy_tiles(const CopyPlan& copy, std::byte* const* storage) {
  const Plan& plan = copy.plan;
  const AxisGroup &rows = copy.rows, &columns = copy.columns, &outer = copy.outer;
  const Index row_blocks = (rows.count + copy.row_run - 1) / copy.row_run;
  const Index column_blocks = (columns.count + copy.column_run - 1) / copy.column_run;
  const Index blocks = outer.count * column_blocks * row_blocks;
  const CopyCross kernel = loops().copy.cross[bit_size(copy.itemsize)][copy.streams()];
  const Index row_step = plan.strides[0][static_cast<int>(rows.axes[0])];
  const Index column_step = plan.strides[1][static_cast<int>(columns.axes[0])];
  run_pieces(copy.pieces, [&](int piece) {
    Index row_in[kMostRows];
    Index column_out[kMostColumns];
    Index rows_at = -1, columns_at = -1;
    for (Index block = blocks * piece / copy.pieces; block < blocks * (piece + 1) / copy.pieces; ++block) {
      const Index row = block % row_blocks * copy.row_run;
      const Index column = block / row_blocks % column_blocks * copy.column_run;
      const Index place = block / row_blocks / column_blocks;
      const Index n_rows = std::min(copy.row_run, rows.count - row);
      const Index n_columns = std::min(copy.column_run, columns.count - column);
      if (std::exchange(rows_at, row) != row) rows.list_offsets(plan, 1, row, n_rows, row_in);
      if (std::exchange(columns_at, column) != column) {
        columns.list_offsets(plan, 0, column, n_columns, column_out);
      }
      const Index in = plan.start[1] + outer.offset(plan, 1, place) + columns.offset(plan, 1, column);
      const Index out = plan.start[0] + outer.offset(plan, 0, place) + rows.offset(plan, 0, row);
      kernel({storage[0] + out, storage[1] + in, row_in, column_out, n_rows, n_columns, row_step, column_step,
              copy.kind != CopyKind::Cached});
    }
  });
}

}  // namespace strided
