#include "walk.hpp"

namespace strided {

void list_offsets(const IterationSpace& space, int k, int begin, int end, Index first, Index n, Index* offsets) {
  const Index length = begin < end ? space.shape[end - 1] : 1;
  const Index step = begin < end ? space.strides[k][end - 1] : 0;
  for (Index i = 0; i < n;) {
    const Index base = offset_of(space, k, begin, end, first + i);
    const Index run = std::min(n - i, length - (first + i) % length);
    for (Index j = 0; j < run; ++j) offsets[i + j] = base + j * step;
    i += run;
  }
}

}  // namespace strided
