// Brings tiles of elements side by side and into the dtype that a loop takes, as much at a time as the
// fastest cache holds. So loops are written for one step and for few dtypes.
#pragma once

#include <algorithm>
#include <cstring>

#include "kernels/loop_table.hpp"
#include "run/arena.hpp"

namespace strided {

class TileReader {
 public:
  static constexpr Index kElements = 2048;

  TileReader(DType from, DType to)
      : loop_(loops().cast[static_cast<int>(from)][static_cast<int>(to)]),
        size_(itemsize(to)),
        same_dtype_(from == to) {}

  // Whether elements `step` bytes apart can be taken where they lie.
  bool reads_in_place(Index step) const { return same_dtype_ && step == size_; }
  Index size() const { return size_; }

  // rows * n <= kElements elements, rows `row_step` and elements `step` bytes apart. The rows that come
  // out are n * size() bytes apart, until the next call.
  std::byte* read(const std::byte* data, Index rows, Index row_step, Index n, Index step) {
    if (same_dtype_ && step == size_ && n < rows) {  // several rows at a time
      loops().copy.rows[bit_size(size_)][0]({block_, data, rows, n, n * size_, row_step, size_, step});
      return block_;
    }
    if (step == 0 && n >= kWorthRepeating) {  // converted once per row
      for (Index r = 0; r < rows; ++r) repeat(n, r * n, data + r * row_step);
      return block_;
    }
    // Whichever is longer is walked inside.
    if (n >= rows) {
      for (Index r = 0; r < rows; ++r) move(n, r * n, size_, data + r * row_step, step);
    } else {
      for (Index c = 0; c < n; ++c) move(rows, c, n * size_, data + c * step, row_step);
    }
    return block_;
  }

 private:
  static constexpr Index kWorthRepeating = 64;

  void repeat(Index n, Index to, const std::byte* from) {
    move(1, to, size_, from, 0);
    std::byte* const first = block_ + to * size_;
    for (Index done = 1; done < n; done *= 2) {
      std::memcpy(first + done * size_, first, static_cast<std::size_t>(std::min(done, n - done) * size_));
    }
  }

  void move(Index n, Index to, Index to_step, const std::byte* from, Index step) {
    // Loops take all operands as writable, but write only the first.
    std::byte* const operands[] = {block_ + to * size_, const_cast<std::byte*>(from)};
    const Index steps[] = {to_step, step};
    loop_(n, operands, steps);
  }

  Loop loop_;
  Index size_;
  bool same_dtype_;
  ScratchArray<std::byte, kElements * 16> block_;
};

}  // namespace strided
