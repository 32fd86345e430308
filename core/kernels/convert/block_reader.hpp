// Brings elements, a block at a time, side by side and into the dtype that a kernel computes in. So a
// kernel is written for one step and for few dtypes; what it reads fits the fastest cache.
#pragma once

#include "kernels/elementwise/inner_loop.hpp"
#include "run/arena.hpp"

namespace strided {

inline constexpr Index kBlock = 512;   // elements
inline constexpr int kBlocksHeld = 4;  // at a time, one in each slot

class BlockReader {
 public:
  BlockReader(DType from, DType to)
      : loop_(loops().cast[static_cast<int>(from)][static_cast<int>(to)]),
        same_dtype_(from == to),
        size_(itemsize(to)) {}

  // n <= kBlock elements, `stride` bytes apart: where they lie, if nothing needs to be done; otherwise in
  // the reader's own memory, until the next call for the same slot.
  const std::byte* read(const std::byte* data, Index stride, Index n, int slot = 0) {
    if (same_dtype_ && stride == size_) return data;
    // Loops take all operands as writable, but write only the first.
    std::byte* const operands[] = {block_[slot], const_cast<std::byte*>(data)};
    const Index steps[] = {size_, stride};
    loop_(n, operands, steps);
    return block_[slot];
  }

 private:
  Loop loop_;
  bool same_dtype_;
  Index size_;
  ScratchArray<std::byte[kBlock * 16], kBlocksHeld> block_;
};

// The i-th of elements that lie side by side.
template <class T>
[[gnu::always_inline]] inline T element(const std::byte* block, Index i) {
  return load<T>(block + i * static_cast<Index>(sizeof(T)));
}

}  // namespace strided
