#include "tensor_tiles.hpp"

#include <algorithm>

#include "plan/walk.hpp"

namespace strided {

TilePlace tile_place(const BlockCut& cut, Span shape, Index number) {
  TilePlace place;
  if (shape.empty()) return place;
  IterationSpace space;  // without operands: only indices are of interest
  space.shape = Dims(shape);
  const IterationSpace starts = block_starts(space, cut);
  const Walk<Index> walk(starts, nullptr, starts.rank(), number);
  for (int axis = 0; axis <= cut.axis; ++axis) place.at[axis] = walk.index(axis);
  return place;
}

Tensor tile_of(const Tensor& x, const BlockCut& cut, const TilePlace& place) {
  Tensor part = x;
  Index offset = x.layout.offset();
  for (int axis = 0; axis <= cut.axis && axis < x.layout.rank(); ++axis) {
    if (x.layout.length(axis) == 1) continue;
    const Index step = axis == cut.axis ? cut.length : 1;
    const Index first = place.at[axis] * step;
    offset += first * x.layout.stride(axis);
    part.layout.set_axis(axis, std::min(step, x.layout.length(axis) - first), x.layout.stride(axis));
  }
  part.layout.set_offset(offset);
  return part;
}

Dims tile_shape(Span shape, const BlockCut& cut, const TilePlace& place) {
  Dims part(shape);
  for (int axis = 0; axis < cut.axis; ++axis) part[axis] = 1;
  if (!shape.empty()) part[cut.axis] = std::min(cut.length, shape[cut.axis] - place.at[cut.axis] * cut.length);
  return part;
}

}  // namespace strided
