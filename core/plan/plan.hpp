// A Plan says how to walk several operands of one shape together, before any element is touched.
//
// It is made in steps, one file each: drop axes of length 1, order axes by stride magnitude (the
// output has the first word) and undo negative strides, then fuse neighbours that step together.
// split.cpp cuts a plan into pieces for threads. The order in which elements are visited is free, so a Plan is only for work in which it does not matter.
#pragma once

#include <span>
#include <string>

#include "layout/layout.hpp"

namespace strided {

inline constexpr int kMaxOperands = 24;

struct PlanOperand {
  const Layout* layout;
  Index itemsize;
};

struct Plan {
  int operands = 0;
  Dims shape;                  // slowest axis first; rank 0 means a single element
  Dims strides[kMaxOperands];  // in bytes
  Index start[kMaxOperands];   // byte distance from the storage's first byte

  Plan() = default;
  Plan(const Plan& other) { *this = other; }
  // There is room for many operands; only those in use are worth copying.
  Plan& operator=(const Plan& other) {
    operands = other.operands;
    shape = other.shape;
    for (int k = 0; k < operands; ++k) {
      strides[k] = other.strides[k];
      start[k] = other.start[k];
    }
    return *this;
  }

  int rank() const { return shape.size(); }
  Index inner_length() const { return rank() == 0 ? 1 : shape.back(); }
  Index inner_stride(int operand) const { return rank() == 0 ? 0 : strides[operand].back(); }
  // One line: "(64, 1024) bytes to step: (4096, 4) (4096, 4)"
  std::string text() const;
};

// All layouts have the same shape (stride 0 where an operand is broadcast); the output comes first.
Plan make_plan(std::span<const PlanOperand> operands);

// The steps, public for tests.
void drop_unit_axes(Plan& plan);
void order_axes(Plan& plan);
void undo_negative_strides(Plan& plan);
void reverse_axis(Plan& plan, int axis);
void swap_axes(Plan& plan, int a, int b);
void fuse_axes(Plan& plan);

// Which axis to cut into independent pieces: the slowest that is long enough, or else the longest.
int split_axis(const Plan& plan, Index pieces);
// The part that piece `piece` of `pieces` walks; empty where the axis has fewer steps than pieces.
Plan piece_of(const Plan& plan, int axis, Index piece, Index pieces);

// Calls run(places) for every index of all axes but the innermost. A place is a pointer, or a number where
// an operand exists only as positions.
template <class Place, class Run>
void for_each_row(const Plan& plan, Place const* storage, Run&& run) {
  const int outer = plan.rank() > 0 ? plan.rank() - 1 : 0;
  Place data[kMaxOperands];
  for (int k = 0; k < plan.operands; ++k) data[k] = storage[k] + plan.start[k];
  for (Index length : plan.shape) if (length == 0) return;
  Index counter[kMaxRank];
  for (int axis = 0; axis < outer; ++axis) counter[axis] = 0;
  while (true) {
    run(static_cast<Place const*>(data));
    int axis = outer - 1;
    for (; axis >= 0; --axis) {
      for (int k = 0; k < plan.operands; ++k) data[k] += plan.strides[k][axis];
      if (++counter[axis] < plan.shape[axis]) break;
      for (int k = 0; k < plan.operands; ++k) data[k] -= plan.strides[k][axis] * plan.shape[axis];
      counter[axis] = 0;
    }
    if (axis < 0) return;
  }
}

}  // namespace strided
