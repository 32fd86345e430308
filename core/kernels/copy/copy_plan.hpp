// How a copy will be done, decided before any element is touched.
//
//   Planes  a few planes that become groups, or groups that become planes: channels, points, pairs
//   Tiles   the operands disagree on the fast axis: squares of elements are turned in registers
//   Runs    both run along the same axis
#pragma once

#include <string>

#include "copy_loops.hpp"
#include "plan/axes.hpp"

namespace strided {

// Where the operands of a copy are likely to be.
enum class CopyKind : std::uint8_t {
  Cached,    // in a cache, both
  Fetched,   // the input comes from memory, the output stays in a cache
  Streamed,  // both are large: the output is written past the caches
};

enum class CopyWay : std::uint8_t { Planes, Tiles, Runs };

// Axes of a plan, fastest first, and how many elements they have together.
struct AxisGroup {
  Dims axes;
  Index count = 1;

  void add(const IterationSpace& plan, int axis);
  bool has(int axis) const;
  // How far operand k moves to element `index` of the group.
  Index offset(const IterationSpace& plan, int k, Index index) const;
  // The same for elements first .. first + n.
  void list_offsets(const IterationSpace& plan, int k, Index first, Index n, Index* offsets) const;
};

struct CopyPlan {
  CopyWay way;
  CopyKind kind;
  IterationSpace plan;       // output, input
  Index itemsize;  // of what moves as one: neighbours that stay neighbours are taken together
  int pieces;      // for threads

  // Planes: which axis they are, and whether they become groups. The axis is not in `plan` any more.
  int planes;
  Index plane_step;
  bool join;

  // Tiles: the output runs along `rows`, the input along `columns`, each packed on its own side. A block
  // of row_run x column_run goes to the kernel at a time.
  AxisGroup rows, columns, outer;
  Index row_run, column_run;

  bool streams() const { return kind == CopyKind::Streamed; }
  // "tiles: rows of 4096 by columns of 4096, blocks of 1024 x 512; elements of 4 bytes"
  std::string text() const;
};

// Of two operands with elements of `itemsize` bytes.
CopyPlan make_copy_plan(const IterationSpace& plan, Index itemsize, CopyKind kind);

}  // namespace strided
