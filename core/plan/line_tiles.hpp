// Lines along one axis, which a kernel takes one by one or some neighbours at a time: scans, softmax, norms.
//
// Where a line lies packed in memory, one by one is best. Where its neighbours lie closer together than its own
// elements, a tile of neighbouring lines is taken together, one index of all of them at a time.
#pragma once

#include <span>

#include "axes.hpp"
#include "sizes.hpp"
#include "walk.hpp"

namespace strided {

// The axes of the operands with `axis` innermost, in that role; a line of one element counts as packed. The others are
// Map axes in their order, without those of length 1. Operands may have lines of different lengths: that of the first
// counts. With `picked`, index i of the first operand's axis 0, which is not `axis`, is index picked[i] instead.
IterationSpace lines_of(std::span<const SpaceOperand> operands, int axis, Role role, const Index* picked = nullptr);

// The same with the other axes ordered, flipped and fused, for lines that may be taken in any order.
IterationSpace ordered_lines_of(std::span<const SpaceOperand> operands, int axis, Role role);

// Whether the deciding operands' neighbours along axis a lie closer together than along axis b, and are no repeats.
// Along an axis of length 1 there are no neighbours: those along any other are closer.
bool lies_closer(const IterationSpace& space, int a, int b, OperandSet deciding = kAllOperands);

// The axis outside the innermost one, of at least that length, along which neighbours lie closest together; -1 if they
// are no closer than along the innermost.
int closer_axis(const IterationSpace& space, Index least_length, OperandSet deciding = kAllOperands);

// Puts `axis` next to the innermost one, as the axis whose lines are taken together.
void set_side_axis(IterationSpace& space, int axis);

// How many of `columns` neighbouring lines make a tile, at most `most`, so that `chunks` chunks find something to do in
// `rows` times as many lines.
Index tile_width(Index columns, Index most, Index rows, Index chunks);

// Tiles of at most `width` lines that are neighbours along the axis next to the innermost one.
class LineTiles {
 public:
  LineTiles(const IterationSpace& space, Index width);

  Index count() const { return tiles_.size_of_first(axes_); }
  Index width() const { return width_; }
  std::string text() const { return std::to_string(std::min(width_, lines_)) + " lines at a time"; }

  // Calls run(places, lines) for the tiles begin .. end - 1: where the first line of a tile starts, and how many it
  // has.
  template <class Place, class Run>
  void for_each(Place const* storage, Index begin, Index end, Run&& run) const {
    if (begin >= end) return;
    Walk<Place> walk(tiles_, storage, axes_, begin);
    while (true) {
      run(walk.places(), axes_ == 0 ? 1 : std::min(width_, lines_ - walk.index(axes_ - 1) * width_));
      if (++begin == end) return;
      walk.next();
    }
  }

 private:
  IterationSpace tiles_;  // the axis of neighbours counts tiles
  int axes_;              // all but the line
  Index width_;
  Index lines_;  // along the axis of neighbours
};

}  // namespace strided
