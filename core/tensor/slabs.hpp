// A tensor cut into slabs along its first axes, so that what is read several times stays in a cache.
#pragma once

#include "plan/blocks.hpp"
#include "tensor.hpp"

namespace strided {

// Where slab `number` lies along each axis that is cut, counted in single indices or, along cut.axis, in ranges.
struct SlabPlace {
  Index at[kMaxRank] = {};
};

SlabPlace slab_place(const BlockCut& cut, Span shape, Index number);

// The part of a tensor (of the common rank) that a slab covers; axes of length 1 are never cut.
Tensor slab_of(const Tensor& x, const BlockCut& cut, const SlabPlace& place);

Dims slab_shape(Span shape, const BlockCut& cut, const SlabPlace& place);

}  // namespace strided
