// A tensor cut into slabs along its first axes, so that what is read several times stays in a cache.
#pragma once

#include "tensor.hpp"

namespace strided {

// The first axes are cut: all before `axis` into single steps, `axis` into ranges of `step`.
struct SlabCut {
  int axis = 0;
  Index step = 0;
  Index ranges = 1;  // along `axis`
  Index count = 1;   // of slabs
};

// Slabs of at most `most` elements, if the first `cuttable` axes allow it.
SlabCut make_cut(Span shape, int cuttable, Index most);

// Where slab `number` lies along each cut axis, counted in cuts.
struct Place {
  Index at[kMaxRank] = {};
};

Place place_of(const SlabCut& cut, Span shape, Index number);

// The part of a tensor (of the common rank) that a slab covers; axes of length 1 are never cut.
Tensor slab_of(const Tensor& x, const SlabCut& cut, const Place& place);

Dims slab_shape(Span shape, const SlabCut& cut, const Place& place);

}  // namespace strided
