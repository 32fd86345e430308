#include "walk.hpp"

namespace strided {

void list_offsets(const IterationSpace& space, int k, int begin, int end, Index first, Index n, Index* offsets) {
  const Index* const steps = space.strides[k].data();
  Index index[kMaxRank];
  Index base = 0;
  for (int axis = end - 1; axis >= begin; --axis) {
    index[axis] = first % space.shape[axis];
    first /= space.shape[axis];
    base += index[axis] * steps[axis];
  }
  // A pass over the innermost axis at a time: without a division, which short axes would pay for.
  const int last = end - 1;
  const Index length = begin < end ? space.shape[last] : 1, step = begin < end ? steps[last] : 0;
  Index at = begin < end ? index[last] : 0;
  for (Index i = 0; i < n;) {
    const Index run = std::min(n - i, length - at);
    for (Index j = 0; j < run; ++j) offsets[i + j] = base + j * step;
    i += run;
    base -= at * step;
    at = 0;
    for (int axis = last - 1; axis >= begin; --axis) {
      base += steps[axis];
      if (++index[axis] < space.shape[axis]) break;
      base -= space.shape[axis] * steps[axis];
      index[axis] = 0;
    }
  }
}

}  // namespace strided
