// Small random iteration spaces, and the positions they visit found the slow, obvious way.
#pragma once

#include <algorithm>
#include <vector>

#include "layout/random_layout.hpp"
#include "plan/axes.hpp"

namespace strided::testing {

using Places = std::vector<Index>;  // of each operand, at one position

// Lengths 0 to 5 (0 rarely), steps of either sign and 0; the last axis may have another role.
inline IterationSpace random_space(Random& random, int max_rank, int max_operands) {
  IterationSpace space(static_cast<int>(between(random, 1, max_operands)));
  for (int k = 0; k < space.operands; ++k) space.start[k] = between(random, -50, 50);
  const int rank = static_cast<int>(between(random, 0, max_rank));
  for (int axis = 0; axis < rank; ++axis) {
    Index steps[kMaxOperands];
    for (int k = 0; k < space.operands; ++k) {
      // Often a step that continues the axis before, so that there is something to fuse.
      steps[k] = between(random, 0, 2) == 0 ? between(random, -6, 6) : 4 * between(random, -20, 20);
    }
    const Index length = between(random, 0, 39) == 0 ? 0 : between(random, 1, 5);
    if (axis > 0 && between(random, 0, 1) == 0 && length > 0) {
      for (int k = 0; k < space.operands; ++k) space.strides[k][axis - 1] = length * steps[k];
    }
    space.add_axis(length, between(random, 0, 3) == 0 ? Role::Fold : Role::Map, steps);
  }
  return space;
}

// What every position of the axes [0, axes) has, row-major.
inline std::vector<Places> visited(const IterationSpace& space, int axes) {
  std::vector<Places> all;
  if (space.size_of_first(axes) == 0) return all;
  std::vector<Index> index(static_cast<std::size_t>(axes), 0);
  while (true) {
    Places places;
    for (int k = 0; k < space.operands; ++k) {
      Index place = space.start[k];
      for (int axis = 0; axis < axes; ++axis) {
        const Index i = index[static_cast<std::size_t>(axis)];
        const bool by_table = space.picked != nullptr && axis == 0 && k == 0;
        place += (by_table ? space.picked[i] : i) * space.strides[k][axis];
      }
      places.push_back(place);
    }
    all.push_back(places);
    int axis = axes - 1;
    while (axis >= 0 && ++index[static_cast<std::size_t>(axis)] == space.shape[axis]) {
      index[static_cast<std::size_t>(axis--)] = 0;
    }
    if (axis < 0) return all;
  }
}

inline std::vector<Places> sorted(std::vector<Places> places) {
  std::ranges::sort(places);
  return places;
}

}  // namespace strided::testing
