// Operands that step through memory by a few elements, taken to buffers by vector instructions so that the
// loop for packed elements serves them: at strides of 2, 3, 4 and -1 that is faster than one by one.
#pragma once

#include <cstddef>
#include <cstdint>

#include "dtype/element.hpp"
#include "kernels/loop_table.hpp"

namespace strided::STRIDED_ISA {

// n elements `step` apart, to places side by side.
template <class U, Index step> void pick(Index n, std::byte* to, const std::byte* from) {
  constexpr Index kSize = sizeof(U);
  for (Index i = 0; i < n; ++i) store(to + i * kSize, load<U>(from + i * step * kSize));
}
using Pick = void (*)(Index n, std::byte* to, const std::byte* from);

template <class U> Pick pick_of(Index stride) {
  constexpr Index kSize = sizeof(U);
  if (stride == -kSize) return &pick<U, -1>;
  if constexpr (kSize < 8) {  // of the large ones too few are in a vector
    if (stride == 2 * kSize) return &pick<U, 2>;
    if (stride == 3 * kSize) return &pick<U, 3>;
    if (stride == 4 * kSize) return &pick<U, 4>;
  }
  return nullptr;
}
// How to take elements of a size at a stride, in bytes; null where one by one is as good.
inline Pick pick_for(Index size, Index stride) {
  switch (size) {
    case 1: return pick_of<std::uint8_t>(stride);
    case 2: return pick_of<std::uint16_t>(stride);
    case 4: return pick_of<std::uint32_t>(stride);
    case 8: return pick_of<std::uint64_t>(stride);
    default: return nullptr;
  }
}

// Runs the loop on blocks whose inputs were made packed or are repeated. False, and nothing is done, where
// no input can be made packed, one steps otherwise, or the output is not packed.
inline bool run_spread(Loop loop, int count, const Index* sizes, Index n, std::byte* const* data,
                       const Index* strides) {
  constexpr Index kBlock = 512;
  constexpr int kMost = 4;
  if (strides[0] != sizes[0]) return false;
  Pick picks[kMost] = {};
  bool any = false;
  for (int k = 1; k < count; ++k) {
    if (strides[k] == sizes[k] || strides[k] == 0) continue;
    picks[k] = pick_for(sizes[k], strides[k]);
    if (picks[k] == nullptr) return false;
    any = true;
  }
  if (!any) return false;  // or the loop would ask again
  alignas(64) std::byte buffers[kMost][kBlock * 8];
  std::byte* here[kMost];
  Index steps[kMost];
  for (Index done = 0; done < n; done += kBlock) {
    const Index left = n - done < kBlock ? n - done : kBlock;
    for (int k = 0; k < count; ++k) {
      std::byte* const from = data[k] + done * strides[k];
      here[k] = picks[k] == nullptr ? from : buffers[k];
      steps[k] = picks[k] == nullptr ? strides[k] : sizes[k];
      if (picks[k] != nullptr) picks[k](left, buffers[k], from);
    }
    loop(left, here, steps);
  }
  return true;
}

}  // namespace strided::STRIDED_ISA
