#include "bounds.hpp"

#include <limits>

#include "errors.hpp"

namespace strided {
namespace {

// False when a position does not fit in int64; that end is then the nearest Index.
bool find_bounds(const Layout& layout, Bounds& bounds) {
  if (layout.size() == 0) {
    bounds = {0, -1};
    return true;
  }
  bounds = {layout.offset(), layout.offset()};
  bool fits = true;
  for (int axis = 0; axis < layout.rank(); ++axis) {
    const bool down = layout.stride(axis) < 0;
    Index& end = down ? bounds.lowest : bounds.highest;
    Index way;
    if (!multiply(layout.length(axis) - 1, layout.stride(axis), way) || !add(end, way, end)) {
      end = down ? std::numeric_limits<Index>::min() : std::numeric_limits<Index>::max();
      fits = false;
    }
  }
  return fits;
}

Error out_of_bounds(const Layout& layout, const Bounds& bounds, Index storage_size) {
  return errors::out_of_storage_bounds(layout.shape(), layout.strides(), layout.offset(),
                                       bounds.lowest, bounds.highest, storage_size);
}

}  // namespace

Bounds bounds_of(const Layout& layout) {
  Bounds bounds;
  if (!find_bounds(layout, bounds)) {
    throw out_of_bounds(layout, bounds, std::numeric_limits<Index>::max());
  }
  return bounds;
}

void check_fits(const Layout& layout, Index storage_size) {
  Bounds bounds;
  const bool fits = find_bounds(layout, bounds);
  if (bounds.empty()) return;
  if (!fits || bounds.lowest < 0 || bounds.highest >= storage_size) {
    throw out_of_bounds(layout, bounds, storage_size);
  }
}

void refuse_position(Index offset, Index count, Index stride) {
  throw errors::invalid_argument(
      "offset",
      std::to_string(offset) + " + " + std::to_string(count) + " * " + std::to_string(stride),
      "must be a position that fits in 64 bits");
}

void refuse_stride(Index stride, Index factor) {
  throw errors::invalid_argument("stride",
                                 std::to_string(stride) + " * " + std::to_string(factor),
                                 "must fit in 64 bits");
}

}  // namespace strided
