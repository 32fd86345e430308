// Blocks of many rows and a long run of columns go to the kernel, which reads whole runs of a few rows and
// writes whole cache lines.
#include "transpose.hpp"

#include <algorithm>
#include <utility>

#include "kernels/loop_table.hpp"
#include "run/pool.hpp"

namespace strided {
namespace {

constexpr Index kMostRows = 1024;
constexpr Index kMostColumns = 2048;

// Where the blocks of one place among the outer axes begin; places are visited in order.
class OuterWalk {
 public:
  OuterWalk(const CopyPlan& copy, Index place) : plan_(copy.plan), axes_(copy.outer.axes) {
    for (int i = 0; i < axes_.size(); ++i) {
      const Index length = plan_.shape[axis(i)];
      position_[i] = place % length;
      place /= length;
      move(i, position_[i]);
    }
  }

  Index out() const { return offset_[0]; }
  Index in() const { return offset_[1]; }

  // How many places lie before the first axis begins anew, and how far apart they are.
  Index run() const { return axes_.empty() ? 1 : plan_.shape[axis(0)] - position_[0]; }
  Index step(int k) const { return axes_.empty() ? 0 : plan_.strides[k][axis(0)]; }

  // By at most run() places.
  void next(Index places) {
    for (int i = 0; i < axes_.size(); ++i, places = 1) {
      move(i, places);
      if ((position_[i] += places) < plan_.shape[axis(i)]) return;
      move(i, -position_[i]);
      position_[i] = 0;
    }
  }

 private:
  int axis(int i) const { return static_cast<int>(axes_[i]); }
  void move(int i, Index steps) {
    for (int k = 0; k < 2; ++k) offset_[k] += steps * plan_.strides[k][axis(i)];
  }

  const IterationSpace& plan_;
  const Dims& axes_;
  Index position_[kMaxRank];
  Index offset_[2] = {plan_.start[0], plan_.start[1]};
};

}  // namespace

void copy_tiles(const CopyPlan& copy, std::byte* const* storage) {
  const IterationSpace& plan = copy.plan;
  const AxisGroup &rows = copy.rows, &columns = copy.columns;
  const Index row_blocks = (rows.count + copy.row_run - 1) / copy.row_run;
  const Index column_blocks = (columns.count + copy.column_run - 1) / copy.column_run;
  const Index each = column_blocks * row_blocks, blocks = copy.outer.count * each;
  const CopyCross kernel = loops().copy.cross[bit_size(copy.itemsize)][copy.streams()];
  const Index row_step = plan.strides[0][static_cast<int>(rows.axes[0])];
  const Index column_step = plan.strides[1][static_cast<int>(columns.axes[0])];
  run_pieces(copy.pieces, [&](int piece) {
    const Index first = blocks * piece / copy.pieces, end = blocks * (piece + 1) / copy.pieces;
    Index row_in[kMostRows];
    Index column_out[kMostColumns];
    OuterWalk place(copy, first / each);
    Index inside = first % each, rows_at = -1, columns_at = -1, in = 0, out = 0;
    for (Index block = first; block < end;) {
      const Index row = inside % row_blocks * copy.row_run;
      const Index column = inside / row_blocks * copy.column_run;
      const Index n_rows = std::min(copy.row_run, rows.count - row);
      const Index n_columns = std::min(copy.column_run, columns.count - column);
      if (std::exchange(rows_at, row) != row) {
        rows.list_offsets(plan, 1, row, n_rows, row_in);
        out = rows.offset(plan, 0, row);
      }
      if (std::exchange(columns_at, column) != column) {
        columns.list_offsets(plan, 0, column, n_columns, column_out);
        in = columns.offset(plan, 1, column);
      }
      // Blocks that fill their place go to the kernel many at a time: they may be small.
      const Index repeats = each == 1 ? std::min(place.run(), end - block) : 1;
      kernel({storage[0] + place.out() + out, storage[1] + place.in() + in, row_in, column_out, n_rows,
              n_columns, row_step, column_step, copy.kind != CopyKind::Cached, repeats, place.step(1),
              place.step(0)});
      block += repeats;
      if (++inside == each) {
        inside = 0;
        place.next(repeats);
      }
    }
  });
}

}  // namespace strided
