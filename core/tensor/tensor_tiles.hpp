// A tensor cut into tiles along its first axes, so that what is read several times stays in a cache.
#pragma once

#include "plan/blocks.hpp"
#include "tensor.hpp"

namespace strided {

// Where tile `number` lies along each axis that is cut, counted in single indices or, along cut.axis, in ranges.
struct TilePlace {
  Index at[kMaxRank] = {};
};

TilePlace tile_place(const BlockCut& cut, Span shape, Index number);

// The part of a tensor (of the common rank) that a tile covers; axes of length 1 are never cut.
Tensor tile_of(const Tensor& x, const BlockCut& cut, const TilePlace& place);

Dims tile_shape(Span shape, const BlockCut& cut, const TilePlace& place);

}  // namespace strided
