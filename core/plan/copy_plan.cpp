#include "copy_plan.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>

#include "run/pool.hpp"
#include "tile.hpp"

namespace strided {
namespace {

// A power of two from 1 on.
Index power_below(Index n, Index most) {
  return std::min<Index>(most, static_cast<Index>(std::bit_floor(static_cast<std::uint64_t>(std::max<Index>(1, n)))));
}
// Of the input, before the kernel goes on to the next rows: sixteen rows of it fit the first cache: 2 KiB where that
// has 32 to 48.
Index run_bytes(const Machine& on) { return power_below(on.l1 / 16, kMostTileColumns); }
// The lists of their offsets take a quarter of the first cache: 1024 where that has 32 to 48 KiB.
Index most_rows(const Machine& on) { return power_below(on.l1 / 4 / static_cast<Index>(sizeof(Index)), kMostTileRows); }

int chunks_of(const CopyPlan& copy, Index itemsize) {
  // A tile is copied inside a chunk of something larger.
  if (copy.kind == CopyKind::Fetched || copy.space.rank() == 0) return 1;
  return interruptible_chunks_for(static_cast<std::size_t>(2 * copy.space.size() * itemsize));
}

// Two or four neighbours that stay neighbours move as one wider element.
void widen_items(CopyPlan& copy) {
  const IterationSpace& space = copy.space;
  if (space.rank() < 2 || space.inner_stride(0) != copy.itemsize || space.inner_stride(1) != copy.itemsize) return;
  const Index wide = space.inner_length() * copy.itemsize;
  if (wide != 2 && wide != 4 && wide != 8 && wide != 16) return;
  copy.itemsize = wide;
  copy.space.erase_axis(space.rank() - 1);
}

// The two innermost axes are (i, k) or (k, i), with few k.
bool finds_planes(CopyPlan& copy) {
  const IterationSpace& space = copy.space;
  const Index itemsize = copy.itemsize;
  if (space.rank() < 2) return false;
  const int a = space.rank() - 2, b = a + 1;
  // As many as the smallest square has columns are transposed faster as tiles.
  const Index most = std::max<Index>(4, std::min<Index>(kMostCopyPlanes, 16 / itemsize - 1));
  const auto few = [&](int axis) { return space.shape[axis] >= 2 && space.shape[axis] <= most; };
  const auto packed = [&](int operand, int slow, int fast) {
    return space.strides[operand][fast] == itemsize && space.strides[operand][slow] == space.shape[fast] * itemsize;
  };
  copy.join = few(b) && packed(0, a, b) && space.strides[1][a] == itemsize;
  const bool part = few(a) && packed(1, b, a) && space.strides[0][b] == itemsize;
  if (!copy.join && !part) return false;
  const int axis = copy.join ? b : a;
  copy.planes = static_cast<int>(space.shape[axis]);
  copy.plane_step = space.strides[copy.join ? 1 : 0][axis];
  copy.space.erase_axis(axis);
  copy.chunks = chunks_of(copy, itemsize * copy.planes);
  return true;
}

// The axes [begin, end) of a space that make rows, or columns; the fastest of them is the last.
struct AxisRange {
  int begin, end;
  Index count;  // positions

  // Takes in axes from [0, free) that continue the range in operand k, until it has `enough` positions: an axis of a
  // few elements would make runs and lines short. They are moved to its begin, past the axes [free, begin).
  void grow(IterationSpace& space, int k, Index enough, int& free) {
    while (count < enough) {
      const Index next = space.strides[k][end - 1] * count;
      int found = free - 1;
      while (found >= 0 && space.strides[k][found] != next) --found;
      if (found < 0) return;
      count *= space.shape[found];
      move_axis(space, found, begin - 1);
      --begin;
      --free;
    }
  }
};

bool finds_tiles(CopyPlan& copy, const Machine& on) {
  IterationSpace& space = copy.space;
  const int rank = space.rank();
  if (rank < 2) return false;
  const int column = smallest_step_axis(space, 1, 0, rank - 1);
  if (column < 0 || std::abs(space.strides[1][column]) >= std::abs(space.inner_stride(1))) return false;
  if (space.strides[1][column] < 0) reverse_axis(space, column);
  const Index line = std::max<Index>(1, on.line / copy.itemsize);
  move_axis(space, column, rank - 2);
  // [free axes, column, rows]: rows grow first, then the column.
  int free = rank - 2;
  AxisRange rows{rank - 1, rank, space.shape[rank - 1]};
  rows.grow(space, 0, 4 * line, free);
  AxisRange columns{free, free + 1, space.shape[free]};
  columns.grow(space, 1, std::max<Index>(1, run_bytes(on) / copy.itemsize), free);
  copy.rows_begin = rows.begin;
  copy.columns_begin = columns.begin;
  copy.rows = rows.count;
  copy.columns = columns.count;
  copy.outer = space.size_of_first(columns.begin);
  copy.tile_columns = std::min(columns.count, std::max<Index>(1, run_bytes(on) / copy.itemsize));
  copy.tile_rows = std::min(rows.count, most_rows(on));
  copy.chunks = chunks_of(copy, copy.itemsize);
  if (copy.chunks == 1) return true;
  while (copy.tile_rows > 4 * line && copy.tiles() < 2 * copy.chunks) {
    copy.tile_rows = (copy.tile_rows / 2 + line - 1) / line * line;
  }
  copy.chunks = static_cast<int>(std::min<Index>(copy.chunks, copy.tiles()));
  return true;
}

// Large copies visit runs in the order in which the input has them: memory that is read in order is fetched
// ahead, and non-temporal stores need no such help. In a cache it is the other way round.
void order_by_input(IterationSpace& space) {
  if (space.rank() < 2) return;
  const int inner = space.rank() - 1;
  space.roles[inner] = Role::Row;  // it stays where it is
  order_axes(space, only(1));
  space.roles[inner] = Role::Map;
}

}  // namespace

void CopyPlan::decide(const Machine& on) {
  widen_items(*this);
  if (finds_planes(*this)) {
    way = CopyWay::Planes;
  } else if (finds_tiles(*this, on)) {
    way = CopyWay::Tiles;
  } else {
    way = CopyWay::Runs;
    if (streams()) order_by_input(space);
    chunks = chunks_of(*this, itemsize);
  }
}

std::string CopyPlan::text() const {
  const auto number = [](Index value) { return std::to_string(value); };
  std::string out;
  const Index runs = space.size_of_first(std::max(0, space.rank() - 1));
  switch (way) {
    case CopyWay::Planes:
      out = number(planes) + (join ? " planes into groups" : " planes out of groups");
      break;
    case CopyWay::Tiles:
      out = "tiles: rows of " + number(rows) + " by columns of " + number(columns) + ", " + number(tile_rows) + " x " +
            number(tile_columns) + " at a time";
      if (outer > 1) out += ", " + number(outer) + " times";
      break;
    case CopyWay::Runs:
      out = number(runs) + (runs == 1 ? " run of " : " runs of ") + number(space.inner_length()) +
            ", steps " + number(space.inner_stride(1)) + " to " + number(space.inner_stride(0)) + " bytes";
      break;
  }
  return out + "; elements of " + number(itemsize) + (itemsize == 1 ? " byte" : " bytes");
}

}  // namespace strided
