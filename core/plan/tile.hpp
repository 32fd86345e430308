// Tiles for the caches: where operands disagree on the fast axis, or rows are short.
//
// Along the innermost axis of the result an operand whose fast axis is another would use one element of every cache
// line; and to begin a row of a few elements takes longer than to compute it. So such operands are transposed tile by
// tile into the tile's own order, in cache, and read from there; results are copied out of it.
#pragma once

#include <limits>

#include "axes.hpp"
#include "run/machine.hpp"
#include "walk.hpp"

namespace strided {

// The operands of a space as tiles see them; outputs come first.
struct TiledOperands {
  int count;
  int outputs;
  const Index* itemsize;
};

// How a space is cut for threads before it is cut for caches: chunks have at most `longest` indices of `axis`.
struct TileChunks {
  int axis = 0;
  Index longest = std::numeric_limits<Index>::max();
};

struct Tiles {
  int axes = 1;                // of a tile, counted from the innermost; 1: rows
  Index lengths[kMaxRank];     // of a full tile, along these axes; not set for rows
  OperandSet transposed = 0;   // these have the tile's own order while it is computed
  OperandSet strided = 0;      // others that are strided along the innermost axis
  int chunk_axis = 0;          // where the axis that is cut for threads has gone

  bool are_rows() const { return axes == 1; }
};

// What all transposed operands together may take of the second cache; more than this has no memory.
inline constexpr Index kMostPackedBytes = Index{256} << 10;

// Moves the axes that a tile spans to the end of the space (the innermost stays the innermost). A space without axes of
// length 1.
Tiles make_tiles(IterationSpace& space, const TiledOperands& operands, const TileChunks& chunks = {},
                 const Machine& on = machine());

// Visits the tiles of a chunk, or of the whole space: along the axes that tiles span a walk steps by whole tiles.
template <class Place>
class TileWalk {
 public:
  TileWalk(const IterationSpace& chunk, const Tiles& tiles, Place const* storage)
      : chunk_(chunk), tiles_(tiles), first_(chunk.rank() - tiles.axes), counted_(counted(chunk, tiles)),
        walk_(counted_, storage, chunk.rank()) {
    set_lengths();
  }

  // Where the tile begins, and how long it is along each of its axes.
  Place const* places() const { return walk_.places(); }
  const Index* lengths() const { return lengths_; }

  bool next() {
    const bool more = walk_.next();
    set_lengths();
    return more;
  }

 private:
  static IterationSpace counted(const IterationSpace& chunk, const Tiles& tiles) {
    IterationSpace space = chunk;
    for (int i = 0; i < tiles.axes; ++i) {
      const int axis = chunk.rank() - tiles.axes + i;
      space.shape[axis] = (chunk.shape[axis] + tiles.lengths[i] - 1) / tiles.lengths[i];
      for (int k = 0; k < chunk.operands; ++k) space.strides[k][axis] *= tiles.lengths[i];
    }
    return space;
  }

  void set_lengths() {
    for (int i = 0; i < tiles_.axes; ++i) {
      const Index done = walk_.index(first_ + i) * tiles_.lengths[i];
      lengths_[i] = std::min(tiles_.lengths[i], chunk_.shape[first_ + i] - done);
    }
  }

  const IterationSpace& chunk_;
  const Tiles& tiles_;
  const int first_;  // axis of a tile
  const IterationSpace counted_;  // a position is a tile
  Walk<Place> walk_;
  Index lengths_[kMaxRank];
};

// Of the axes in [begin, end) that `skipped` does not have as bits, the one along which operand k takes its smallest
// step other than 0; -1 if there is none.
int smallest_step_axis(const IterationSpace& space, int k, int begin, int end, std::uint64_t skipped = 0);

}  // namespace strided
