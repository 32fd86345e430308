#include "reduce_walks.hpp"

#include <algorithm>

#include "run/interrupt.hpp"

namespace strided {
namespace {

// How far a third axis is walked inside small tiles: what it passes stays in the first-level cache.
constexpr Index kPassedBytes = 16 << 10;
// Rows of fewer bytes are taken several at a time, as one wide row.
constexpr Index kShortRow = 256;
// Rows of fewer bytes with gaps between them, and at least so many, are worth a copy.
constexpr Index kGappedRow = 64;
constexpr Index kManyRows = 64;

// Tiles may be small: it is asked after 64 of them whether to go on.
constexpr unsigned kBetweenChecks = 63;

constexpr ReducedAxis kOne{1, 0, 0, 0, 0, true};

class Walk {
 public:
  Walk(const Folding& op, TileReader& reader, Workspace& work, const Unit& unit)
      : op_(op), reader_(reader), work_(work), list_(unit.list), rank_(unit.list.rank),
        column_(rank_ > 0 ? list_.axis[rank_ - 1] : kOne), row_(rank_ > 1 ? list_.axis[rank_ - 2] : kOne),
        third_(rank_ > 2 ? list_.axis[rank_ - 3] : kOne),
        size_(op.mapped > 0 ? op.mapped : reader.size()) {
    if (rank_ == 0) column_.in = reader.size();
  }

  void run(const Unit& unit) {
    const int outer = std::max(0, rank_ - 3);
    Place place{unit.in, 0, unit.position};
    Index counter[kMaxRank];
    for (int i = 0; i < outer; ++i) counter[i] = 0;
    while (!op_.settled(work_)) {
      take_plane(place);
      int i = outer - 1;
      for (; i >= 0; --i) {
        move(place, list_.axis[i], 1);
        if (++counter[i] < list_.axis[i].length) break;
        move(place, list_.axis[i], -counter[i]);
        counter[i] = 0;
      }
      if (i < 0) return;
    }
  }

 private:
  struct Place {
    std::byte* in;
    Index at;
    Index position;
  };

  static void move(Place& place, const ReducedAxis& axis, Index steps) {
    place.in += steps * axis.in;
    place.at += steps * axis.state;
    place.position += steps * axis.position;
  }
  static Place moved(Place place, const ReducedAxis& axis, Index steps) {
    move(place, axis, steps);
    return place;
  }

  // May the third axis be walked inside the second? Not past states that lie between its own.
  bool swaps() const {
    return !op_.in_order && row_.length * column_.length < kSmallTile && third_.length > row_.length &&
           (third_.swept || row_.swept);
  }

  void take_plane(Place place) {
    if (!swaps()) {
      for (Index i = 0; i < third_.length && !op_.settled(work_); ++i) {
        take_tile(moved(place, third_, i), row_, row_.length);
      }
      return;
    }
    const Index longest = std::max<Index>(16, kPassedBytes / std::max<Index>(1, third_.in));
    for (Index first = 0; first < third_.length; first += longest) {
      for (Index i = 0; i < row_.length; ++i) {
        take_tile(moved(moved(place, third_, first), row_, i), third_,
                  std::min(longest, third_.length - first));
      }
    }
  }

  // Short rows with gaps between them are brought side by side: loops take such rows many at a time.
  bool has_gaps(const ReducedAxis& row, Index rows) const {
    const Index nbytes = column_.length * size_;
    return row.swept && rows >= kManyRows && nbytes < kGappedRow && row.in != nbytes;
  }

  void take_tile(const Place& place, const ReducedAxis& row, Index rows) {
    if ((++tiles_ & kBetweenChecks) == 0) check_interrupt();
    if (op_.mapped == 0 && reader_.reads_in_place(column_.in) && !has_gaps(row, rows)) {
      return take(place, place.in, row, rows, row.in, column_.length);
    }
    const Index columns = std::min(column_.length, column_.swept ? TileReader::kElements : op_.gathered);
    // Rows of results are handed over together only if they are whole: their states lie side by side.
    const bool apart = !row.swept && !column_.swept && columns < column_.length;
    const Index together = apart ? 1 : TileReader::kElements / columns;
    for (Index r = 0; r < rows; r += together) {
      for (Index c = 0; c < column_.length; c += columns) {
        if (r + c > 0) check_interrupt();
        const Place at = moved(moved(place, row, r), column_, c);
        const Index count = std::min(together, rows - r), n = std::min(columns, column_.length - c);
        std::byte* const block = reader_.read(at.in, count, row.in, n, column_.in);
        if (op_.mapped > 0) op_.map(block, count * n);
        take(at, block, row, count, n * size_, n);
      }
    }
  }

  // Elements that the loops can read.
  void take(const Place& place, const std::byte* data, const ReducedAxis& row, Index rows,
            Index step, Index n) {
    SweptTile tile;
    tile.data = data;
    tile.rows = rows;
    tile.n = n;
    tile.step = step;
    tile.at = place.at;
    tile.rows_kept = !row.swept;
    tile.position = place.position;
    tile.row_position = row.position;
    tile.column_position = column_.position;
    // Rows without gaps, all for one state, are one run.
    if (column_.swept && row.swept && step == n * size_ && row.position == n * column_.position) {
      tile.n *= rows;
      tile.rows = 1;
    }
    if (column_.swept) take_runs(tile);
    else take_rows(tile);
  }

  void take_runs(SweptTile tile) {
    if (tile.n <= op_.longest_run) {
      if (tile.rows_kept) return op_.along(work_, tile);
      return take_parts(tile);
    }
    const Index n = tile.n;
    for (Index r = 0; r < tile.rows; ++r) take_long_run(tile, r, n);
  }

  // A run that is cut into rows of its own, all for one state.
  void take_long_run(SweptTile tile, Index r, Index n) {
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

  void take_parts(SweptTile tile) {
    const Index all = tile.rows;
    for (Index left = all; left > 0 && !op_.settled(work_); left -= tile.rows) {
      if (left < all) check_interrupt();
      tile.rows = std::min(left, kMostParts);
      op_.along(work_, tile);
      tile.data += tile.rows * tile.step;
      tile.position += tile.rows * tile.row_position;
    }
  }

  void take_rows(SweptTile tile) {
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
  void take_wide_rows(SweptTile& tile, Index together) {
    const Index wide_rows = tile.rows / together;
    SweptTile wide = tile;
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
  TileReader& reader_;
  Workspace& work_;
  const AxisList& list_;
  int rank_;
  ReducedAxis column_, row_, third_;
  Index size_;  // of an element, as loops take it
  unsigned tiles_ = 0;
};

}  // namespace

void walk_unit(const Folding& op, TileReader& reader, Workspace& work, const Unit& unit) {
  Walk(op, reader, work, unit).run(unit);
}

}  // namespace strided
