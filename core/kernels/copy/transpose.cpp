// Tiles of many rows and a long run of columns go to the kernel, which reads whole runs of a few rows and
// writes whole cache lines.
#include "transpose.hpp"

#include <algorithm>
#include <utility>

#include "kernels/loop_table.hpp"
#include "plan/split.hpp"
#include "plan/walk.hpp"
#include "run/pool.hpp"

namespace strided::kernels::copy {
namespace {

// The tiles first .. end - 1: of each place among the outer axes all, columns outside rows.
void copy_some_tiles(const CopyPlan& copy, std::byte* const* storage, CopyCross kernel, Index first, Index end) {
  const IterationSpace& space = copy.space;
  const int rank = space.rank(), rows = copy.rows_begin, columns = copy.columns_begin;
  const Index row_tiles = copy.row_tiles(), each = copy.column_tiles() * row_tiles;
  const Index row_step = space.strides[0][rank - 1], column_step = space.strides[1][rows - 1];
  const bool has_outer = columns > 0;
  // One behind the other: the lists of a small tile touch few lines.
  Index offsets[kMostTileRows + kMostTileColumns];
  Index* const row_in = offsets;
  Index* const column_out = offsets + copy.tile_rows;
  Walk<std::byte*> place(space, storage, columns, first / each);
  Index inside = first % each, rows_at = -1, columns_at = -1, in = 0, out = 0;
  for (Index tile = first; tile < end;) {
    const Index row = inside % row_tiles * copy.tile_rows, column = inside / row_tiles * copy.tile_columns;
    const Index n_rows = std::min(copy.tile_rows, copy.rows - row);
    const Index n_columns = std::min(copy.tile_columns, copy.columns - column);
    if (std::exchange(rows_at, row) != row) {
      list_offsets(space, 1, rows, rank, row, n_rows, row_in);
      out = offset_of(space, 0, rows, rank, row);
    }
    if (std::exchange(columns_at, column) != column) {
      list_offsets(space, 0, columns, rows, column, n_columns, column_out);
      in = offset_of(space, 1, columns, rows, column);
    }
    // Tiles that fill their place go to the kernel many at a time: they may be small.
    const Index repeats = each == 1 ? std::min(place.run(), end - tile) : 1;
    kernel({place.places()[0] + out, place.places()[1] + in, row_in, column_out, n_rows, n_columns, row_step,
            column_step, copy.kind != CopyKind::Cached, repeats, has_outer ? space.strides[1][columns - 1] : 0,
            has_outer ? space.strides[0][columns - 1] : 0});
    tile += repeats;
    if (++inside == each) {
      inside = 0;
      place.skip(repeats);
    }
  }
}

}  // namespace

void copy_tiles(const CopyPlan& copy, std::byte* const* storage) {
  const CopyCross kernel = loops().copy.cross[bit_size(copy.itemsize)][copy.streams()];
  const Index tiles = copy.tiles();
  run_range_in_chunks(tiles, copy.chunks,
                      [&](Index begin, Index end) { copy_some_tiles(copy, storage, kernel, begin, end); });
}

}  // namespace strided::kernels::copy
