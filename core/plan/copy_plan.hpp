// How a copy will be done, decided before any element is touched.
//
//   Planes  a few planes that become groups, or groups that become planes: channels, points, pairs
//   Tiles   the operands disagree on the fast axis: squares of elements are transposed in registers
//   Runs    both have the same fast axis
#pragma once

#include <string>

#include "axes.hpp"
#include "run/machine.hpp"

namespace strided {

// Where the operands of a copy are likely to be.
enum class CopyKind : std::uint8_t {
  Cached,    // in a cache, both
  Fetched,   // the input comes from memory, the output stays in a cache: one tile of a larger operation
  Streamed,  // both are large: the output is written by non-temporal stores
};
inline CopyKind copy_kind_for(Index nbytes) {
  return worth_streaming(nbytes) ? CopyKind::Streamed : CopyKind::Cached;
}

enum class CopyWay : std::uint8_t { Planes, Tiles, Runs };

inline constexpr int kMostCopyPlanes = 16;
// Of a tile.
inline constexpr Index kMostTileRows = 1024, kMostTileColumns = 2048;

struct CopyPlan {
  // Of two operands with elements of `item` bytes. make_space() returns the space, right into the plan: it is large.
  template <class MakeSpace>
  CopyPlan(MakeSpace&& make_space, Index item, CopyKind where, const Machine& on = machine())
      : kind(where), space(make_space()), itemsize(item) {
    decide(on);
  }

  CopyWay way;
  CopyKind kind;
  IterationSpace space;  // output, input
  Index itemsize;        // of what moves as one: neighbours that stay neighbours are taken together
  int chunks;            // for threads

  // Planes: how many, how far apart, and whether they become groups. Their axis is not in `space` any more.
  int planes;
  Index plane_step;
  bool join;

  // Tiles: the axes are [outer..., columns..., rows...]. The output runs along the rows, the input along the columns,
  // each packed on its own side. A tile of at most tile_rows x tile_columns goes to the kernel at a time.
  int columns_begin, rows_begin;
  Index rows, columns, outer;  // positions of these axes together
  Index tile_rows, tile_columns;

  bool streams() const { return kind == CopyKind::Streamed; }
  Index row_tiles() const { return (rows + tile_rows - 1) / tile_rows; }
  Index column_tiles() const { return (columns + tile_columns - 1) / tile_columns; }
  Index tiles() const { return outer * row_tiles() * column_tiles(); }
  // "tiles: rows of 4096 by columns of 4096, 1024 x 512 at a time; elements of 4 bytes"
  std::string text() const;

 private:
  void decide(const Machine& on);
};

}  // namespace strided
