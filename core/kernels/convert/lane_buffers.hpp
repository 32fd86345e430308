// Elements of any float dtype and step as lanes that lie side by side, a block at a time.
//
// Where they lie that way already they are taken as they are; otherwise they pass through a buffer that
// the second cache holds. So loops of neural networks are written for lanes only.
#pragma once

#include <optional>

#include "kernels/loop_table.hpp"
#include "run/arena.hpp"

namespace strided {

inline constexpr Index kLaneBufferBytes = 32 << 10;

// Converts n elements; steps are in bytes.
inline void convert_lanes(DType from, const std::byte* source, Index from_step, DType to, std::byte* target,
                          Index to_step, Index n) {
  // Loops take all operands as writable, but write only the first.
  std::byte* const places[] = {target, const_cast<std::byte*>(source)};
  const Index steps[] = {to_step, from_step};
  loops().cast[static_cast<int>(from)][static_cast<int>(to)](n, places, steps);
}

// How many lanes a buffer holds.
constexpr Index lanes_per_buffer(DType lane) { return kLaneBufferBytes / itemsize(lane); }

// A buffer, where one is needed.
class LaneBuffer {
 public:
  explicit LaneBuffer(bool needed) {
    if (needed) array_.emplace();
  }
  operator std::byte*() const { return array_ ? array_->data() : nullptr; }

 private:
  std::optional<ScratchArray<std::byte, kLaneBufferBytes>> array_;
};

class LaneInput {
 public:
  // `step` bytes lie between elements.
  LaneInput(DType from, DType lane, Index step)
      : from_(from), lane_(lane), step_(step), buffer_(from != lane || step != itemsize(lane)) {}

  bool in_place(Index n) const { return from_ == lane_ && (step_ == itemsize(lane_) || n <= 1); }
  // At most lanes_per_buffer() elements, unless they are in place. Good until the next call.
  const std::byte* read(const std::byte* at, Index n) {
    if (in_place(n)) return at;
    convert_lanes(from_, at, step_, lane_, buffer_, itemsize(lane_), n);
    return buffer_;
  }
  const std::byte* further(const std::byte* at, Index elements) const { return at + elements * step_; }

 private:
  DType from_, lane_;
  Index step_;
  LaneBuffer buffer_;
};

class LaneOutput {
 public:
  LaneOutput(DType to, DType lane, Index step)
      : to_(to), lane_(lane), step_(step), buffer_(to != lane || step != itemsize(lane)) {}

  bool in_place(Index n) const { return to_ == lane_ && (step_ == itemsize(lane_) || n <= 1); }
  // Where the lanes of the elements at `at` are to be written, before finish().
  std::byte* lanes(std::byte* at, Index n) { return in_place(n) ? at : buffer_; }
  void finish(std::byte* at, Index n) const {
    if (!in_place(n)) convert_lanes(lane_, buffer_, itemsize(lane_), to_, at, step_, n);
  }
  std::byte* further(std::byte* at, Index elements) const { return at + elements * step_; }

 private:
  DType to_, lane_;
  Index step_;
  LaneBuffer buffer_;
};

}  // namespace strided
