// The rows of several operands that are walked together: one row per index of all axes but the last.
#pragma once

#include <span>

#include "plan/operand.hpp"

namespace strided {

class RowWalk {
 public:
  static constexpr int kMost = 4;

  // The operands have the same lengths on all axes but the last (stride 0 where one is repeated). With
  // `places`, index i of the first axis of the first operand is index places[i] instead.
  explicit RowWalk(std::span<const Operand> operands, const Index* places = nullptr);

  Index count() const { return count_; }
  // Bytes between the elements of a row.
  Index step(int operand) const { return steps_[operand]; }

  // Calls run(rows) for rows [begin, end), in order, with where each operand's row starts.
  template <class Run>
  void run(Index begin, Index end, Run&& run) const {
    std::byte* rows[kMost];
    Index position[kMaxRank];
    locate(begin, position, rows);
    for (Index row = begin; row < end; ++row) {
      run(static_cast<std::byte* const*>(rows));
      advance(position, rows);
    }
  }

 private:
  void locate(Index row, Index* position, std::byte** rows) const;
  void advance(Index* position, std::byte** rows) const {
    for (int axis = rank_ - 1; axis >= 0; --axis) {
      const Index next = position[axis] + 1;
      const bool ends = next == lengths_[axis];
      move(axis, position[axis], ends ? 0 : next, rows);
      position[axis] = ends ? 0 : next;
      if (!ends) return;
    }
  }
  void move(int axis, Index from, Index to, std::byte** rows) const {
    for (int k = 0; k < count_of_operands_; ++k) rows[k] += (to - from) * strides_[k][axis];
    // The first operand goes by the table where there is one.
    if (axis == 0 && places_ != nullptr) {
      rows[0] += (places_[to] - places_[from] - (to - from)) * strides_[0][0];
    }
  }

  int count_of_operands_;
  int rank_ = 0;
  Index count_ = 1;
  const Index* places_;
  std::byte* first_[kMost];
  Index steps_[kMost];
  Index lengths_[kMaxRank];
  Index strides_[kMost][kMaxRank];  // in bytes
};

}  // namespace strided
