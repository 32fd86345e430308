// The tiles of a chain, one by one: transposed operands are copied into the tile's own order, computed there, and
// results that are transposed are copied to their places.
#pragma once

#include <memory>
#include <vector>

#include "plan/copy_plan.hpp"
#include "row_runner.hpp"

namespace strided::kernels::elementwise {

// What is done with every tile of one shape.
struct TileShape {
  Index lengths[kMaxRank];
  IterationSpace rows;           // its axes, with transposed operands in the tile's own order
  OperandSet prefetched = 0;     // inputs that come from memory and are packed along rows
  std::vector<CopyPlan> copies;  // of the transposed operands, in their order

  // Of a space whose last axes are cut into `tiles`.
  TileShape(const Chain& chain, const Tiles& tiles, const IterationSpace& space, const Index* lengths);
};

class TileRunner {
 public:
  // `full` is the shape of most tiles; others are met where axes end.
  TileRunner(RowRunner& runner, const Chain& chain, const Tiles& tiles, const TileShape& full,
             const IterationSpace& chunk, std::byte* const* storage);

  void run();

 private:
  const TileShape& shape_of(const Index* lengths);
  void pack(int k, const TileShape& shape, const CopyPlan& copy, std::byte* from);
  void run_tile(const TileShape& shape, std::byte* const* data);

  RowRunner& runner_;
  const Chain& chain_;
  const Tiles& tiles_;
  const TileShape& full_;
  const IterationSpace& chunk_;
  std::byte* const* const storage_;
  std::vector<std::unique_ptr<TileShape>> others_;
  int same_[kMaxOperands];               // the first input that is this one: x * x packs x once
  std::byte* packed_[kMaxOperands];
  const std::byte* packed_from_[kMaxOperands] = {};
  const TileShape* packed_as_[kMaxOperands];
};

}  // namespace strided::kernels::elementwise
