// One row of a chain, block by block: the steps run one after the other on a block whose elements stay in the
// fastest cache. Operands whose elements lie apart go through blocks of their own, results that are too large
// for the caches past them.
#pragma once

#include "chain.hpp"
#include "run/arena.hpp"

namespace strided {

struct Boxes;

class RowRunner {
 public:
  RowRunner(const Chain& chain, const Boxes& boxes);

  // Memory for what is packed, kPackedBytes.
  std::byte* packed() const { return memory_; }
  // Elements of a block; 0 where a row is computed as a whole.
  Index block() const { return temporaries_ == 0 && !any_stepped_ && !stream_ ? 0 : block_; }

  void run(Index n, std::byte* const* data, const Index* strides);

 private:
  bool streams_itself() const;
  int count_streamed(Index n, const Index* strides) const;
  void copy_elements(int k, Index n, std::byte* out, Index out_step, const std::byte* in, Index in_step) const;
  void take(const Step& step, Index count, bool streams);

  Scratch scratch_;
  const Chain& chain_;
  std::byte* memory_;
  const bool* stepped_;  // by operand: goes through a block of its own, in which elements lie side by side
  bool any_stepped_ = false;
  bool stream_;
  Index block_;
  int temporaries_ = 0;
  std::byte* slots_[kMostSlots];
  Index steps_[kMostSlots];
  std::byte* held_[kMaxOperands];
};

}  // namespace strided
