// Tiles of products whose left operand has its rows and steps anywhere: windows of images, say.
//
// A tile reads single elements of its left operand and spreads each over a vector, so it costs nothing to
// look up where they lie instead of packing them.
#pragma once

#include "product_loops.hpp"

namespace strided {

// As `tile` says, but a[i][p] lies rows[i] + steps[p] bytes behind tile.a, and there are as many rows as
// the loop has.
struct ListedWork {
  TileWork tile;
  const Index* rows;
  const Index* steps;
};
using ListedTile = void (*)(const ListedWork& work);

struct ListedTiles {
  ListedTile tile[ProductLoops::kHighest][ProductLoops::kWidest];  // as ProductLoops::Tiles
};

// Of the instruction set in use; null for lanes other than float32 and float64.
const ListedTiles* listed_tiles(DType lane);

namespace baseline { void fill_listed_tiles(ListedTiles (&tiles)[2]); }
namespace avx2 { void fill_listed_tiles(ListedTiles (&tiles)[2]); }
namespace avx512 { void fill_listed_tiles(ListedTiles (&tiles)[2]); }

}  // namespace strided
