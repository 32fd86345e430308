// The odometer: visits the positions of a space in order, from any of them on.
//
// A place is what an operand has at a position: a pointer, or a number where an operand exists only as offsets.
#pragma once

#include <algorithm>

#include "axes.hpp"

namespace strided {

template <class Place>
class Walk {
 public:
  // Over the first `axes` axes, row-major, from position `first` on, which exists.
  Walk(const IterationSpace& space, Place const* storage, int axes, Index first = 0)
      : space_(space), axes_(axes), inner_(std::max(0, axes - 1)) {
    const bool goes_by_table = axes == 1 && space.picked != nullptr;
    even_end_ = axes == 0 || goes_by_table ? 0 : space.shape[inner_];
    index_[0] = 0;
    places_[0] = Place{};  // compilers do not know that there is an operand
    for (int k = 0; k < space.operands; ++k) {
      places_[k] = storage[k] + space.start[k];
      if (axes > 0) inner_steps_[k] = space.strides[k][inner_];
    }
    if (space.picked != nullptr && axes > 0) places_[0] += space.picked[0] * space.strides[0][0];
    for (int axis = axes - 1; axis >= 0; --axis) {
      index_[axis] = first == 0 ? 0 : first % space.shape[axis];
      if (first == 0) continue;
      first /= space.shape[axis];
      move(axis, 0, index_[axis]);
    }
  }

  Place const* places() const { return places_; }
  Index index(int axis) const { return index_[axis]; }

  // To the next position; false, and back at the first one, after the last.
  bool next() {
    // Mostly only the innermost index changes, by one step.
    if (index_[inner_] + 1 < even_end_) {
      ++index_[inner_];
      for (int k = 0; k < space_.operands; ++k) places_[k] += inner_steps_[k];
      return true;
    }
    for (int axis = axes_ - 1; axis >= 0; --axis) {
      const Index from = index_[axis];
      const bool ends = from + 1 == space_.shape[axis];
      index_[axis] = ends ? 0 : from + 1;
      move(axis, from, index_[axis]);
      if (!ends) return true;
    }
    return false;
  }

  // How many positions are left before the innermost of the axes begins anew.
  Index run() const { return axes_ == 0 ? 1 : space_.shape[axes_ - 1] - index_[axes_ - 1]; }
  // By at most run() positions.
  bool skip(Index positions) {
    if (axes_ == 0) return false;
    const Index from = index_[axes_ - 1];
    index_[axes_ - 1] = from + positions - 1;
    move(axes_ - 1, from, from + positions - 1);
    return next();
  }

 private:
  void move(int axis, Index from, Index to) {
    for (int k = 0; k < space_.operands; ++k) places_[k] += (to - from) * space_.strides[k][axis];
    if (axis == 0 && space_.picked != nullptr) {
      places_[0] += (space_.picked[to] - space_.picked[from] - (to - from)) * space_.strides[0][0];
    }
  }

  const IterationSpace& space_;
  const int axes_, inner_;
  Index even_end_;  // of the innermost axis, where its indices are one step apart; else 0
  Place places_[kMaxOperands];
  Index inner_steps_[kMaxOperands];
  Index index_[kMaxRank];
};

// Calls run(places) for the positions begin .. end - 1 of the first `axes` axes.
template <class Place, class Run>
void for_each_position(const IterationSpace& space, Place const* storage, int axes, Index begin, Index end, Run&& run) {
  if (begin >= end) return;
  Walk<Place> walk(space, storage, axes, begin);
  while (true) {
    run(walk.places());
    if (++begin == end) return;
    walk.next();
  }
}

// Calls run(places) for every position of all axes but the `inner` innermost, once where there are no others.
template <class Place, class Run>
void for_each_block(const IterationSpace& space, int inner, Place const* storage, Run&& run) {
  if (space.is_empty()) return;
  Walk<Place> walk(space, storage, std::max(0, space.rank() - inner));
  do run(walk.places());
  while (walk.next());
}

template <class Place, class Run>
void for_each_row(const IterationSpace& space, Place const* storage, Run&& run) {
  for_each_block(space, 1, storage, std::forward<Run>(run));
}

// The index along each of the first `axes` axes at position `number`, which exists, counted row-major.
inline void indices_of(const IterationSpace& space, int axes, Index number, Index* indices) {
  for (int axis = axes - 1; axis > 0; --axis) {
    indices[axis] = number % space.shape[axis];
    number /= space.shape[axis];
  }
  if (axes > 0) indices[0] = number;
}

// How far operand k moves to position `number` of the axes [begin, end), counted row-major.
inline Index offset_of(const IterationSpace& space, int k, int begin, int end, Index number) {
  Index offset = 0;
  for (int axis = end - 1; axis >= begin; --axis) {
    offset += number % space.shape[axis] * space.strides[k][axis];
    number /= space.shape[axis];
  }
  return offset;
}

// The same for the positions first .. first + n - 1.
void list_offsets(const IterationSpace& space, int k, int begin, int end, Index first, Index n, Index* offsets);

}  // namespace strided
