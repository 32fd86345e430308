// Small random layouts, and what they reach found the slow, obvious way: one index after another.
#pragma once

#include <random>
#include <vector>

#include "layout/layout.hpp"

namespace strided::testing {

using Random = std::mt19937_64;

inline Index between(Random& random, Index low, Index high) {
  return std::uniform_int_distribution<Index>(low, high)(random);
}

// Lengths 0 to `longest` (0 rarely), strides of either sign and 0.
inline Layout random_layout(Random& random, int max_rank, Index longest, Index steepest) {
  const int rank = static_cast<int>(between(random, 0, max_rank));
  Layout layout = Layout::uninitialised(rank, between(random, -20, 20));
  for (int axis = 0; axis < rank; ++axis) {
    const Index length = between(random, 0, 19) == 0 ? 0 : between(random, 1, longest);
    layout.set_axis(axis, length, between(random, -steepest, steepest));
  }
  return layout;
}

// Calls visit(index, position) for every index tuple, in row-major order.
template <class Visit>
void for_each_index(const Layout& layout, Visit visit) {
  if (layout.size() == 0) return;
  Dims index;
  for (int axis = 0; axis < layout.rank(); ++axis) index.push_back(0);
  while (true) {
    Index position = layout.offset();
    for (int axis = 0; axis < layout.rank(); ++axis) position += index[axis] * layout.stride(axis);
    visit(index, position);
    int axis = layout.rank() - 1;
    while (axis >= 0 && ++index[axis] == layout.length(axis)) index[axis--] = 0;
    if (axis < 0) return;
  }
}

inline std::vector<Index> positions_of(const Layout& layout) {
  std::vector<Index> positions;
  for_each_index(layout, [&](const Dims&, Index position) { positions.push_back(position); });
  return positions;
}

}  // namespace strided::testing
