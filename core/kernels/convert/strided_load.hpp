// Strided loads and stores inside loops: elements a few steps apart come into a buffer by vector instructions, so that
// the loop for packed elements serves them. At steps of 2, 3, 4 and -1 elements that is faster than one by one.
#pragma once

#include <cstddef>
#include <cstdint>

#include "dtype/element.hpp"
#include "kernels/loop_table.hpp"

namespace strided::kernels::convert::STRIDED_ISA {

// n elements, to packed places.
using StridedLoad = void (*)(Index n, std::byte* to, const std::byte* from);
// The step is known to the compiler, which turns the loop into shuffles.
template <class Bits, Index step> void load_at_step(Index n, std::byte* to, const std::byte* from) {
  constexpr Index kSize = sizeof(Bits);
  for (Index i = 0; i < n; ++i) store(to + i * kSize, load<Bits>(from + i * step * kSize));
}

template <class Bits> StridedLoad load_of(Index stride) {
  constexpr Index kSize = sizeof(Bits);
  if (stride == -kSize) return &load_at_step<Bits, -1>;
  if constexpr (kSize < 8) {  // of the large ones too few are in a vector
    if (stride == 2 * kSize) return &load_at_step<Bits, 2>;
    if (stride == 3 * kSize) return &load_at_step<Bits, 3>;
    if (stride == 4 * kSize) return &load_at_step<Bits, 4>;
  }
  return nullptr;
}
// For elements of a size at a stride, in bytes; null where one by one is as good.
inline StridedLoad strided_load(Index size, Index stride) {
  switch (size) {
    case 1: return load_of<std::uint8_t>(stride);
    case 2: return load_of<std::uint16_t>(stride);
    case 4: return load_of<std::uint32_t>(stride);
    case 8: return load_of<std::uint64_t>(stride);
    default: return nullptr;
  }
}

// n elements of T, a stride of bytes apart, to or from the beginning of a buffer.
template <class T> void load_strided(Index n, T* to, const std::byte* from, Index stride) {
  const StridedLoad at_once = strided_load(sizeof(T), stride);
  if (at_once != nullptr) return at_once(n, reinterpret_cast<std::byte*>(to), from);
  for (Index i = 0; i < n; ++i) to[i] = load<T>(from + i * stride);
}
template <class T> void store_strided(Index n, std::byte* to, Index stride, const T* from) {
  for (Index i = 0; i < n; ++i) store(to + i * stride, from[i]);
}

// Runs the loop on blocks whose inputs were packed or are repeated. False, and nothing is done, where no input can be
// packed faster than it is read, or the output is not packed.
inline bool run_on_packed(Loop loop, int count, const Index* sizes, Index n, std::byte* const* data,
                          const Index* strides) {
  constexpr Index kBlock = 512;  // elements; with those of three inputs the buffers take 12 KiB of the first cache
  constexpr int kMost = 4;  // operands of a loop: the output and at most three inputs
  if (strides[0] != sizes[0]) return false;
  StridedLoad to_packed[kMost] = {};
  bool any = false;
  for (int k = 1; k < count; ++k) {
    if (strides[k] == sizes[k] || strides[k] == 0) continue;
    to_packed[k] = strided_load(sizes[k], strides[k]);
    if (to_packed[k] == nullptr) return false;
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
      here[k] = to_packed[k] == nullptr ? from : buffers[k];
      steps[k] = to_packed[k] == nullptr ? strides[k] : sizes[k];
      if (to_packed[k] != nullptr) to_packed[k](left, buffers[k], from);
    }
    loop(left, here, steps);
  }
  return true;
}

}  // namespace strided::kernels::convert::STRIDED_ISA
