// How many elements are not zero, and whether any or all are.
#pragma once

#include <atomic>
#include <limits>

#include "partial_folds.hpp"
#include "reduce.hpp"

namespace strided::kernels::reduce {

// Unsigned arithmetic gives the bits of the signed result too, and is defined when it wraps around.
template <class L>
struct WrappingSum {
  using Accumulator = L;
  using Total = std::uint64_t;
  using State = std::uint64_t;
  static constexpr bool kCareful = false;
  static constexpr int none = 0;
  static void fold(State& sum, State&, State part) { sum += part; }
};

template <class T>
class Counting : public PartialFolding<WrappingSum<T>> {
 public:
  using Base = PartialFolding<WrappingSum<T>>;
  Index repeats = 1;  // how often each element counts

  // With `early`, a run that may end early is looked at in short rows.
  Counting(Reduction op, DType loop, DType read_as, DType out, std::uint64_t kept_bits, bool early)
      : Base(reduce_loops(Fold::Count, loop), read_as, early ? kLongRun / 8 : kLongRun,
             sizeof(T) == 8 ? kAnyRows : static_cast<Index>(std::numeric_limits<T>::max())),
        op_(op), out_(out) {
    this->keep = kept_bits;
    this->flip = op == Reduction::All;  // counts zeros
  }

  void along(FoldWorkspace& work, const FoldTile& tile) const override {
    if (op_ == Reduction::Count || tile.rows_kept || work.single) return Base::along(work, tile);
    const std::uint64_t& found = this->state(work)[tile.at];
    for (Index first = 0, next = 1; first < tile.rows && found == 0; first += next, next *= 2) {
      Base::along(work, tile.rows_from(first, std::min(next, tile.rows - first), 1));
    }
    if (found != 0 && work.only_result) found_.store(true, std::memory_order_relaxed);
  }

  bool settled(const FoldWorkspace& work) const override {
    return work.only_result && found_.load(std::memory_order_relaxed);
  }

  void write(const FoldWorkspace& work, Index at, Index n, std::byte* out, Index step) const override {
    std::uint64_t* const count = this->state(work) + at;
    if (op_ == Reduction::Count) {
      if (repeats != 1) for (Index i = 0; i < n; ++i) count[i] *= static_cast<std::uint64_t>(repeats);
      return write_as(DType::UInt64, count, n, out_, out, step);
    }
    std::uint8_t truth[kMostParts];
    for (Index first = 0; first < n; first += kMostParts) {
      const Index some = std::min(kMostParts, n - first);
      const bool when_found = op_ == Reduction::Any;
      for (Index i = 0; i < some; ++i) truth[i] = (count[first + i] != 0) == when_found;
      write_as(DType::Bool, truth, some, out_, out + first * step, step);
    }
  }

 private:
  Reduction op_;
  DType out_;
  mutable std::atomic<bool> found_{false};  // by any thread
};

}  // namespace strided::kernels::reduce
