#include "boxes.hpp"

#include <algorithm>
#include <cstdlib>

namespace strided {
namespace {

constexpr Index kWorthTurning = 1024;   // elements
constexpr Index kWorthGathering = 64;   // elements of a row
constexpr Index kShortRow = 64;         // elements: to begin a shorter one takes longer than to compute it
constexpr Index kRowsBytes = Index{32} << 10;  // of short rows that are computed together

// The axis on which operand k takes its smallest step, if it is not the innermost: along the innermost it
// would use one element of every line.
int own_fast_axis(const IterationSpace& plan, int k, Index itemsize) {
  const int inner = plan.rank() - 1;
  const Index inner_step = std::abs(plan.strides[k][inner]);
  int fast = inner;
  if (inner_step <= itemsize) return inner;
  for (int axis = 0; axis < inner; ++axis) {
    const Index step = std::abs(plan.strides[k][axis]);
    if (step != 0 && step < std::abs(plan.strides[k][fast])) fast = axis;
  }
  return fast;
}

void mark_stepped(Boxes& boxes, const Chain& chain) {
  if (boxes.plan.inner_length() < kWorthGathering) return;
  for (int k = 0; k < chain.operands; ++k) {
    const Index step = boxes.plan.inner_stride(k);
    boxes.stepped[k] = !boxes.turned[k] && step != 0 && step != chain.itemsize[k];
  }
}

// Chooses the axes that a box spans, and how much of each. Where axes are short it spans several: a box of few
// elements would cost more to set up than to compute.
class BoxAxes {
 public:
  // A box holds at most `room` elements.
  BoxAxes(const IterationSpace& plan, Index room) : plan_(plan), inner_(plan.rank() - 1), room_(room) {}

  bool has(int axis) const { return length_[axis] != 0; }
  void take(int axis, Index most) {
    length_[axis] = std::min({most, plan_.shape[axis], room_});
    room_ /= length_[axis];
  }
  // Says that the axis will be taken.
  void reserve(int axis) { length_[axis] = 1; }
  bool is_reserved(int axis) const { return length_[axis] == 1; }

  // Short rows: the innermost axis and those before it, as far as there is room.
  void take_short_rows() {
    take(inner_, room_);
    for (int axis = inner_ - 1; axis >= 0 && !has(axis) && room_ > 1; --axis) take(axis, room_);
  }

  // The innermost axis and, where it is short, whole axes before it.
  void take_rows(Index longest) {
    take(inner_, longest);
    Index run = length_[inner_];
    for (int axis = inner_ - 1; axis >= 0 && !has(axis) && run < kLongRow; --axis) {
      const Index length = plan_.shape[axis];
      if (length_[axis + 1] < plan_.shape[axis + 1] || run * length > kLongestRow || length > room_) break;
      take(axis, length);
      run *= length;
    }
  }

  // Next to its fastest axis the next ones of a turned operand, until it uses whole lines.
  void widen(int k, int fast) {
    for (Index run = length_[fast]; run < kWideRun && room_ > 1;) {
      int next = -1;
      for (int axis = 0; axis < inner_; ++axis) {
        const Index step = std::abs(plan_.strides[k][axis]);
        if (has(axis) || step == 0) continue;
        if (next < 0 || step < std::abs(plan_.strides[k][next])) next = axis;
      }
      if (next < 0) return;
      take(next, (kWideRun + run - 1) / run);
      run *= length_[next];
    }
  }

  // Moves these axes to the end, in the order that they have.
  void apply(Boxes& boxes) const {
    boxes.boxed = 0;
    for (int axis = 0; axis <= inner_; ++axis) {
      if (!has(axis)) continue;
      for (int at = axis - boxes.boxed; at < inner_; ++at) swap_axes(boxes.plan, at, at + 1);
      boxes.box[boxes.boxed++] = length_[axis];
    }
  }

 private:
  static constexpr Index kLongRow = 256, kLongestRow = 4096;  // elements of the result
  static constexpr Index kWideRun = 64;                       // and of a turned operand

  const IterationSpace& plan_;
  const int inner_;
  Index room_;
  Index length_[kMaxRank] = {};  // 0 where a box does not span the axis
};

// Whether operand k goes through a box in one step, or through enough of it for a row.
bool has_long_rows(const Boxes& boxes, int k, Index itemsize) {
  const int first = boxes.plan.rank() - boxes.boxed;
  const Index step = boxes.plan.inner_stride(k);
  if (step != itemsize && step != 0) return false;
  Index run = 1;
  for (int i = boxes.boxed - 1; i >= 0 && run < kShortRow; --i) {
    if (boxes.box[i] > 1 && boxes.plan.strides[k][first + i] != run * step) return false;
    run *= boxes.box[i];
  }
  return true;
}

}  // namespace

Boxes make_boxes(const Chain& chain, const IterationSpace& chunk) {
  Boxes boxes;
  boxes.plan = chunk;
  drop_unit_axes(boxes.plan);
  const IterationSpace& plan = boxes.plan;
  const int inner = plan.rank() - 1;
  Index count = 1;
  for (Index length : plan.shape) count *= length;
  if (count < kWorthTurning) return boxes;
  if (inner < 1) return mark_stepped(boxes, chain), boxes;
  const bool is_short = plan.inner_length() < kShortRow;
  int fast[kMaxOperands];
  Index turned_bytes = 0, all_bytes = 0;
  for (int k = 0; k < chain.operands; ++k) all_bytes += chain.itemsize[k];
  for (int k = chain.outputs; k < chain.operands; ++k) {
    fast[k] = own_fast_axis(plan, k, chain.itemsize[k]);
    boxes.turned[k] = fast[k] != inner && turned_bytes + chain.itemsize[k] <= 64;
    if (boxes.turned[k]) turned_bytes += chain.itemsize[k];
  }
  mark_stepped(boxes, chain);
  if (turned_bytes == 0 && !is_short) return boxes;
  BoxAxes axes(plan, is_short ? kRowsBytes / all_bytes : kPackedBytes / turned_bytes);
  int directions = 0;
  for (int k = chain.outputs; k < chain.operands; ++k) {
    if (!boxes.turned[k] || axes.has(fast[k])) continue;
    axes.reserve(fast[k]);
    ++directions;
  }
  if (is_short) axes.take_short_rows();
  else axes.take_rows(directions == 1 ? 1024 : 64);
  Index longest = is_short ? 1024 : 64;  // the first direction gets long runs, others what then fits
  for (int k = chain.outputs; k < chain.operands; ++k) {
    if (!boxes.turned[k] || !axes.is_reserved(fast[k])) continue;
    axes.take(fast[k], longest);
    axes.widen(k, fast[k]);
    longest = 16;
  }
  axes.apply(boxes);
  for (int k = 0; k < chain.operands && is_short; ++k) boxes.turned[k] |= !has_long_rows(boxes, k, chain.itemsize[k]);
  return boxes;
}

}  // namespace strided
