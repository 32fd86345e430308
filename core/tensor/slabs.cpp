#include "slabs.hpp"

#include <algorithm>

namespace strided {

SlabCut make_cut(Span shape, int cuttable, Index most) {
  SlabCut cut;
  Index inside = 1;
  for (Index length : shape) inside *= length;
  if (inside == 0 || cuttable == 0) {
    cut.step = shape.empty() ? 1 : std::max<Index>(1, shape[0]);
    return cut;
  }
  for (; cut.axis < cuttable - 1; ++cut.axis) {
    inside /= shape[cut.axis];
    if (inside <= most) break;
    cut.count *= shape[cut.axis];
  }
  if (cut.axis == cuttable - 1) inside /= shape[cut.axis];
  cut.step = std::clamp<Index>(most / std::max<Index>(1, inside), 1, shape[cut.axis]);
  cut.ranges = (shape[cut.axis] + cut.step - 1) / cut.step;
  cut.count *= cut.ranges;
  return cut;
}

Place place_of(const SlabCut& cut, Span shape, Index number) {
  Place place;
  place.at[cut.axis] = number % cut.ranges;
  number /= cut.ranges;
  for (int axis = cut.axis - 1; axis >= 0; --axis) {
    place.at[axis] = number % shape[axis];
    number /= shape[axis];
  }
  return place;
}

Tensor slab_of(const Tensor& x, const SlabCut& cut, const Place& place) {
  Tensor part = x;
  Index offset = x.layout.offset();
  for (int axis = 0; axis <= cut.axis && axis < x.layout.rank(); ++axis) {
    if (x.layout.length(axis) == 1) continue;
    const Index step = axis == cut.axis ? cut.step : 1;
    const Index first = place.at[axis] * step;
    offset += first * x.layout.stride(axis);
    part.layout.set_axis(axis, std::min(step, x.layout.length(axis) - first), x.layout.stride(axis));
  }
  part.layout.set_offset(offset);
  return part;
}

Dims slab_shape(Span shape, const SlabCut& cut, const Place& place) {
  Dims part(shape);
  for (int axis = 0; axis < cut.axis; ++axis) part[axis] = 1;
  if (!shape.empty()) part[cut.axis] = std::min(cut.step, shape[cut.axis] - place.at[cut.axis] * cut.step);
  return part;
}

}  // namespace strided
