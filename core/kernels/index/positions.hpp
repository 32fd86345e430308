// Where the elements of a group of axes lie, numbered in row-major order, for groups that are no single
// stride.
#pragma once

#include "layout/dims.hpp"

namespace strided {

class Positions {
 public:
  void add(Index length, Index stride) {
    lengths_.push_back(length);
    strides_.push_back(stride);
  }
  int rank() const { return lengths_.size(); }
  Index length(int axis) const { return lengths_[axis]; }
  Index stride(int axis) const { return strides_[axis]; }

  // The distances from the first element of elements [begin, begin + count), in elements times `scale`.
  void list(Index begin, Index count, Index scale, Index* to) const {
    Index counter[kMaxRank];
    Index place = 0;
    for (int axis = rank() - 1; axis >= 0; --axis) {
      counter[axis] = begin % lengths_[axis];
      begin /= lengths_[axis];
      place += counter[axis] * strides_[axis];
    }
    for (Index i = 0; i < count; ++i) {
      to[i] = place * scale;
      for (int axis = rank() - 1; axis >= 0; --axis) {
        place += strides_[axis];
        if (++counter[axis] < lengths_[axis]) break;
        place -= lengths_[axis] * strides_[axis];
        counter[axis] = 0;
      }
    }
  }

 private:
  Dims lengths_, strides_;
};

}  // namespace strided
