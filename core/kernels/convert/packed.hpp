// Strided elements of any dtype as packed elements of the dtype that a loop takes, and back.
//
// Elements that are packed and of that dtype already are read and written where they are. Others pass through a buffer
// that the first two caches hold. So loops are written for one step and for few dtypes.
#pragma once

#include <algorithm>
#include <cstring>
#include <optional>

#include "dtype/element.hpp"
#include "kernels/loop_table.hpp"
#include "run/arena.hpp"

namespace strided::kernels::convert {

inline Loop loop_between(DType from, DType to) { return loops().cast[static_cast<int>(from)][static_cast<int>(to)]; }

// Converts n elements; steps are in bytes.
inline void elements(DType from, const std::byte* source, Index from_step, DType to, std::byte* target, Index to_step,
                     Index n) {
  // Loops take all operands as writable, but write only the first.
  std::byte* const places[] = {target, const_cast<std::byte*>(source)};
  const Index steps[] = {to_step, from_step};
  loop_between(from, to)(n, places, steps);
}

// A buffer's size. Fixed: loops over rows that sum add up as much at a time as it holds, which decides their bits.
inline constexpr Index kPackedBytes = 32 << 10;
constexpr Index packed_capacity(DType dtype) { return kPackedBytes / itemsize(dtype); }

// What loops take at a time that read several operands or keep results of their own beside: all of it stays in a first
// cache of 32 KiB.
inline constexpr Index kPackedBlock = 512;  // elements

// A buffer, where one is needed: taking one costs small calls more than all the rest.
class PackedBuffer {
 public:
  explicit PackedBuffer(bool needed) {
    if (needed) array_.emplace();
  }
  operator std::byte*() const { return array_ ? array_->data() : nullptr; }

 private:
  std::optional<ScratchArray<std::byte, kPackedBytes>> array_;
};

class PackedReader {
 public:
  // Of any dtype.
  static constexpr Index kElements = kPackedBytes / 16;

  // One that is said to need no buffer reads only in place.
  PackedReader(DType from, DType to, bool needs_buffer = true)
      : loop_(loop_between(from, to)), size_(itemsize(to)), same_dtype_(from == to), buffer_(needs_buffer) {}

  // Whether elements `step` bytes apart can be taken where they are.
  bool reads_in_place(Index step) const { return same_dtype_ && step == size_; }
  Index size() const { return size_; }

  // As many elements as the buffer holds; more, if they are read in place. Good until the next call.
  const std::byte* read(const std::byte* at, Index step, Index n) {
    if (reads_in_place(step)) return at;
    convert(n, 0, size_, at, step);
    return buffer_;
  }

  // rows * n <= kElements elements, rows `row_step` and elements `step` bytes apart, into the buffer: rows of
  // n * size() bytes, one after the other.
  std::byte* read_tile(const std::byte* at, Index rows, Index row_step, Index n, Index step) {
    if (same_dtype_ && step == size_ && n < rows) {  // several rows at a time
      loops().copy.rows[copy::bit_size(size_)][0]({buffer_, at, rows, n, n * size_, row_step, size_, step});
      return buffer_;
    }
    if (step == 0 && n >= kWorthRepeating) {  // converted once per row
      for (Index r = 0; r < rows; ++r) repeat(n, r * n, at + r * row_step);
      return buffer_;
    }
    // The longer axis is the inner one.
    if (n >= rows) {
      for (Index r = 0; r < rows; ++r) convert(n, r * n, size_, at + r * row_step, step);
    } else {
      for (Index c = 0; c < n; ++c) convert(rows, c, n * size_, at + c * step, row_step);
    }
    return buffer_;
  }

 private:
  // Shorter rows are converted as fast element by element.
  static constexpr Index kWorthRepeating = 64;

  void repeat(Index n, Index to, const std::byte* from) {
    convert(1, to, size_, from, 0);
    std::byte* const first = buffer_ + to * size_;
    for (Index done = 1; done < n; done *= 2) {
      std::memcpy(first + done * size_, first, static_cast<std::size_t>(std::min(done, n - done) * size_));
    }
  }

  void convert(Index n, Index to, Index to_step, const std::byte* from, Index step) {
    std::byte* const places[] = {buffer_ + to * size_, const_cast<std::byte*>(from)};
    const Index steps[] = {to_step, step};
    loop_(n, places, steps);
  }

  Loop loop_;
  Index size_;
  bool same_dtype_;
  PackedBuffer buffer_;
};

// A reader of elements that are `step` bytes apart.
class PackedInput {
 public:
  PackedInput(DType from, DType to, Index step)
      : step_(step), same_dtype_(from == to), packed_(same_dtype_ && step == itemsize(to)),
        reader_(from, to, !packed_) {}

  bool in_place(Index n) const { return packed_ || (same_dtype_ && n <= 1); }
  // At most packed_capacity() elements, unless they are in place. Good until the next call.
  const std::byte* read(const std::byte* at, Index n) { return in_place(n) ? at : reader_.read(at, step_, n); }
  const std::byte* further(const std::byte* at, Index elements) const { return at + elements * step_; }

 private:
  Index step_;
  bool same_dtype_, packed_;
  PackedReader reader_;
};

// The same for results.
class PackedOutput {
 public:
  PackedOutput(DType to, DType from, Index step)
      : to_(to), from_(from), step_(step), packed_(to == from && step == itemsize(from)), buffer_(!packed_) {}

  bool in_place(Index n) const { return packed_ || (to_ == from_ && n <= 1); }
  // Where the loop writes what belongs to the elements at `at`, before finish().
  std::byte* place(std::byte* at, Index n) { return in_place(n) ? at : buffer_; }
  void finish(std::byte* at, Index n) const {
    if (!in_place(n)) elements(from_, buffer_, itemsize(from_), to_, at, step_, n);
  }
  std::byte* further(std::byte* at, Index elements) const { return at + elements * step_; }

 private:
  DType to_, from_;
  Index step_;
  bool packed_;
  PackedBuffer buffer_;
};

// The i-th of packed elements.
template <class T>
[[gnu::always_inline]] inline T element(const std::byte* packed, Index i) {
  return load<T>(packed + i * static_cast<Index>(sizeof(T)));
}

}  // namespace strided::kernels::convert
