// Rows of any float dtype and step, converted and packed block by block, as often as a kernel reads them.
#pragma once

#include <algorithm>

#include "kernels/convert/packed.hpp"
#include "plan/operand.hpp"
#include "run/interrupt.hpp"

namespace strided::kernels::nn {

// Fixed: it decides the bits of sums over longer rows. Some milliseconds, between two looks for an interrupt.
inline constexpr Index kLongestBlock = Index{1} << 22;
// The same where elements are only written. Memory that is touched for the first time took up to 3 s per GiB.
inline constexpr Index kWrittenBlock = Index{1} << 20;

// For chunks: exp of an element takes a few times as long as moving it, like moving about so many bytes.
inline constexpr Index kExpBytes = 32;

// How many elements of a row of n are taken at a time: all where they are packed and of dtype `compute`, else a buffer.
constexpr Index block_of_row(Index n, DType compute, bool in_place) {
  return in_place ? std::clamp(n, Index{1}, kLongestBlock) : convert::packed_capacity(compute);
}

// Calls run(begin, count) for the blocks of n elements. Between two blocks it may be interrupted.
template <class Run>
void in_blocks(Index n, Index block, Run&& run) {
  for (Index i = 0; i < n; i += block) {
    if (i > 0) check_interrupt();
    run(i, std::min(block, n - i));
  }
}

// The sum of of(begin, count) over the same blocks, of which there is at least one.
template <class Of>
auto sum_of_blocks(Index n, Index block, Of&& of) {
  auto sum = of(Index{0}, std::min(block, n));
  for (Index i = block; i < n; i += block) {
    check_interrupt();
    sum += of(i, std::min(block, n - i));
  }
  return sum;
}

// A row that is read, or none. The block that was read last is kept: a short row is converted once.
class RowInput {
 public:
  RowInput(DType from, DType compute, Index step) : in_(from, compute, step) {}
  // A weight or a bias, which may be null.
  RowInput(const Operand* from, DType compute)
      : in_(from == nullptr ? compute : from->dtype, compute, from == nullptr ? itemsize(compute) : from->step(0)),
        row_(from == nullptr ? nullptr : from->first()) {}

  bool in_place(Index n) const { return in_.in_place(n); }
  // The same row again keeps what was read of it: the heads of one position have the same angles.
  void start(const std::byte* row) {
    if (row != row_) kept_ = -1;
    row_ = row;
  }
  // The block that begins at element i, packed; null where there is no row.
  const std::byte* read(Index i, Index n) {
    if (kept_ != i) {
      packed_ = row_ == nullptr ? nullptr : in_.read(in_.further(row_, i), n);
      kept_ = i;
    }
    return packed_;
  }

 private:
  convert::PackedInput in_;
  const std::byte* row_ = nullptr;
  const std::byte* packed_ = nullptr;
  Index kept_ = -1;
};

// A row that is written.
class RowOutput {
 public:
  RowOutput(DType to, DType compute, Index step) : out_(to, compute, step) {}

  bool in_place(Index n) const { return out_.in_place(n); }
  void start(std::byte* row) { row_ = row; }
  // make(packed) writes the n elements from element i on.
  template <class Make>
  void write(Index i, Index n, Make&& make) {
    std::byte* const at = out_.further(row_, i);
    make(out_.place(at, n));
    out_.finish(at, n);
  }

 private:
  convert::PackedOutput out_;
  std::byte* row_ = nullptr;
};

}  // namespace strided::kernels::nn
