#include "fold_driver.hpp"

#include <algorithm>
#include <utility>

#include "plan/walk.hpp"

#include "run/interrupt.hpp"

namespace strided::kernels::reduce {
namespace {

// Fixed, as the order of the elements decides the bits of sums.

// How far a third axis is walked inside small tiles: what it passes stays in the first-level cache.
constexpr Index kPassedBytes = 16 << 10;
// Rows of fewer bytes are taken several at a time, as one wide row.
constexpr Index kShortRow = 256;
// Rows of fewer bytes with gaps between them, and at least so many, are worth a copy.
constexpr Index kGappedRow = 64, kManyRows = 64;

// Tiles may be small: it is asked after 64 of them whether to go on.
constexpr unsigned kBetweenChecks = 63;

// One of the innermost axes of a task.
struct TileAxis {
  Index length, in, state, position;
  bool folded;
};

TileAxis axis_of(const IterationSpace& space, int axis) {
  if (axis < 0) return {1, 0, 0, 0, true};
  const auto step = [&](int operand) { return operand < space.operands ? space.strides[operand][axis] : 0; };
  return {space.shape[axis], step(FoldSpace::kIn), step(FoldSpace::kResult), step(FoldSpace::kPosition),
          space.roles[axis] == Role::Fold};
}

// The two axes outside the columns. The third innermost axis is walked inside the second where tiles would be small
// otherwise, but not past states that lie between its own.
struct PlaneAxes {
  TileAxis row, outer;
  Index rows;  // that are taken at a time

  PlaneAxes(const Folding& op, const IterationSpace& space, const TileAxis& column)
      : row(axis_of(space, space.rank() - 2)), outer(axis_of(space, space.rank() - 3)), rows(row.length) {
    const bool swaps = !op.in_order && row.length * column.length < kSmallTile && outer.length > row.length &&
                       (outer.folded || row.folded);
    if (!swaps) return;
    std::swap(row, outer);
    rows = std::max<Index>(16, kPassedBytes / std::max<Index>(1, row.in));
  }
};

constexpr Index kOrigin[kMaxOperands] = {};

class TileVisitor {
 public:
  TileVisitor(const Folding& op, convert::PackedReader& reader, FoldWorkspace& work, const IterationSpace& space)
      : op_(op), reader_(reader), work_(work), space_(space), column_(axis_of(space, space.rank() - 1)),
        plane_(op, space, column_), row_(plane_.row), size_(op.mapped > 0 ? op.mapped : reader.size()) {
    if (space.rank() == 0) column_.in = reader.size();
  }

  void run(const std::byte* in) {
    Walk<Index> walk(space_, kOrigin, std::max(0, space_.rank() - 3));
    const bool positions = space_.operands > FoldSpace::kPosition;
    while (!op_.settled(work_)) {
      const Index* const at = walk.places();
      take_plane({in + at[FoldSpace::kIn], at[FoldSpace::kResult], positions ? at[FoldSpace::kPosition] : 0});
      if (!walk.next()) return;
    }
  }

 private:
  struct Place {
    const std::byte* in;
    Index at;
    Index position;
  };

  static Place moved(Place place, const TileAxis& axis, Index steps) {
    place.in += steps * axis.in;
    place.at += steps * axis.state;
    place.position += steps * axis.position;
    return place;
  }

  // What the three innermost axes span.
  void take_plane(const Place& place) {
    for (Index first = 0; first < row_.length; first += plane_.rows) {
      const Index rows = std::min(plane_.rows, row_.length - first);
      for (Index i = 0; i < plane_.outer.length && !op_.settled(work_); ++i) {
        take_tile(moved(moved(place, plane_.outer, i), row_, first), rows);
      }
    }
  }

  // Short rows with gaps between them are packed: loops take such rows many at a time.
  bool has_gaps(Index rows) const {
    const Index nbytes = column_.length * size_;
    return row_.folded && rows >= kManyRows && nbytes < kGappedRow && row_.in != nbytes;
  }

  void take_tile(const Place& place, Index rows) {
    if ((++tiles_ & kBetweenChecks) == 0) check_interrupt();
    if (op_.mapped == 0 && reader_.reads_in_place(column_.in) && !has_gaps(rows)) {
      return take(place, place.in, rows, row_.in, column_.length);
    }
    const Index columns = std::min(column_.length, column_.folded ? convert::PackedReader::kElements : op_.gathered);
    // Rows of results are handed over together only if they are whole: their states are adjacent.
    const bool one_by_one = !row_.folded && !column_.folded && columns < column_.length;
    const Index together = one_by_one ? 1 : convert::PackedReader::kElements / columns;
    for (Index r = 0; r < rows; r += together) {
      for (Index c = 0; c < column_.length; c += columns) {
        if (r + c > 0) check_interrupt();
        const Place at = moved(moved(place, row_, r), column_, c);
        const Index count = std::min(together, rows - r), n = std::min(columns, column_.length - c);
        std::byte* const block = reader_.read_tile(at.in, count, row_.in, n, column_.in);
        if (op_.mapped > 0) op_.map(block, count * n);
        take(at, block, count, n * size_, n);
      }
    }
  }

  // Elements that the loops can read.
  void take(const Place& place, const std::byte* data, Index rows, Index step, Index n) {
    FoldTile tile;
    tile.data = data;
    tile.rows = rows;
    tile.n = n;
    tile.step = step;
    tile.keep = op_.keep;
    tile.flip = op_.flip;
    tile.at = place.at;
    tile.rows_kept = !row_.folded;
    tile.position = place.position;
    tile.row_position = row_.position;
    tile.column_position = column_.position;
    // Rows without gaps, all for one state, are one run.
    if (column_.folded && row_.folded && step == n * size_ && row_.position == n * column_.position) {
      tile.n *= rows;
      tile.rows = 1;
    }
    if (column_.folded) take_runs(tile);
    else take_rows(tile);
  }

  void take_runs(const FoldTile& tile) {
    if (tile.n <= op_.longest_run) {
      if (tile.rows_kept) return op_.along(work_, tile);
      return take_parts(tile);
    }
    const Index n = tile.n;
    for (Index r = 0; r < tile.rows; ++r) {
      if (r > 0) check_interrupt();
      take_long_run(tile, r, n);
    }
  }

  // A run that is cut into rows of its own, all for one state.
  void take_long_run(FoldTile tile, Index r, Index n) {
    tile.data += r * tile.step;
    if (tile.rows_kept) tile.at += r;
    tile.position += r * tile.row_position;
    tile.rows_kept = false;
    tile.n = op_.longest_run;
    tile.rows = n / tile.n;
    tile.step = tile.n * size_;
    tile.row_position = tile.n * tile.column_position;
    take_parts(tile);
    const Index rest = n - tile.rows * tile.n;
    if (rest == 0 || op_.settled(work_)) return;
    tile.data += tile.rows * tile.step;
    tile.position += tile.rows * tile.row_position;
    tile.n = rest;
    tile.rows = 1;
    op_.along(work_, tile);
  }

  void take_parts(const FoldTile& tile) {
    for (Index r = 0; r < tile.rows && !op_.settled(work_); r += kMostParts) {
      if (tile.rows <= kMostParts) return op_.along(work_, tile);  // a copy of what was just made stalls the processor
      if (r > 0) check_interrupt();
      op_.along(work_, tile.rows_from(r, std::min(kMostParts, tile.rows - r), 1));
    }
  }

  void take_rows(FoldTile& tile) {
    const Index row_bytes = tile.n * size_;
    tile.part_step = tile.rows_kept ? tile.n : 0;
    if (!tile.rows_kept && row_bytes < kShortRow && tile.step == row_bytes) {
      const Index together = tile.n * 64 <= work_.parts && row_bytes <= kShortRow / 4 ? 64 : 16;
      if (tile.rows >= 4 * together && tile.n * together <= work_.parts) {
        take_wide_rows(tile, together);
      }
    }
    if (tile.rows > 0) op_.across(work_, tile);
  }

  // Leaves fewer than `together` rows.
  void take_wide_rows(FoldTile& tile, Index together) {
    const Index wide_rows = tile.rows / together;
    FoldTile wide = tile;
    wide.rows = wide_rows;
    wide.n *= together;
    wide.step *= together;
    op_.across_wide(work_, wide, tile.n);
    const Index taken = wide_rows * together;
    tile.rows -= taken;
    tile.data += taken * tile.step;
    tile.position += taken * tile.row_position;
  }

  const Folding& op_;
  convert::PackedReader& reader_;
  FoldWorkspace& work_;
  const IterationSpace& space_;
  TileAxis column_;
  const PlaneAxes plane_;
  const TileAxis& row_;
  Index size_;  // of an element, as loops take it
  unsigned tiles_ = 0;
};

}  // namespace

void fold_tiles(const Folding& op, convert::PackedReader& reader, FoldWorkspace& work, const IterationSpace& space,
                const std::byte* in) {
  TileVisitor(op, reader, work, space).run(in);
}

}  // namespace strided::kernels::reduce
