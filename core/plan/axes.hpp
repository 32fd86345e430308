// The iteration space of an operation: its axes, decided before any element is touched.
//
// An axis has a length, a role, and for each operand the bytes from one index to the next. Every kernel family gets its
// axes from here. A space is made in steps: drop axes of length 1, order axes by the size of their steps and flip
// negative steps (order.cpp), fuse neighbours that step together (fuse.cpp). split.hpp cuts a space into chunks for
// threads, walk.hpp visits it.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <span>
#include <string>

#include "layout/layout.hpp"
#include "operand.hpp"

namespace strided {

inline constexpr int kMaxOperands = 24;

// What happens along an axis. Map and Fold axes may be visited in any order and direction; the others stay where
// they are, behind those.
enum class Role : std::uint8_t {
  Map,     // every index is computed by itself
  Fold,    // all indices give one result: outputs have step 0
  Scan,    // in order, with a result at each index
  Pick,    // indices come from a table
  Row,     // a line that the kernel takes as a whole; in a product: rows of the result
  Column,  // lines that are taken together, one per SIMD lane; in a product: columns of the result
  Inner,   // what a product sums over
};

const char* name_of(Role role);

// The roles of a space's axes, Map unless somebody says otherwise. Three bits each in whole words: lists of bytes
// would be written one by one and copied at once, which stalls the processor.
class Roles {
 public:
  class Entry {
   public:
    Entry(Roles& roles, int axis) : roles_(roles), axis_(axis) {}
    Entry& operator=(Role role) { return roles_.set(axis_, role), *this; }
    Entry& operator=(const Entry& other) { return *this = static_cast<Role>(other); }
    operator Role() const { return roles_.get(axis_); }

   private:
    Roles& roles_;
    const int axis_;
  };

  bool are_all_map() const { return (words_[0] | words_[1] | words_[2]) == 0; }
  Role operator[](int axis) const { return get(axis); }
  Entry operator[](int axis) { return {*this, axis}; }

 private:
  static constexpr int kBits = 3;

  Role get(int axis) const {
    int role = 0;
    for (int bit = 0; bit < kBits; ++bit) role |= static_cast<int>(words_[bit] >> axis & 1) << bit;
    return static_cast<Role>(role);
  }
  void set(int axis, Role role) {
    for (int bit = 0; bit < kBits; ++bit) {
      const std::uint64_t mask = std::uint64_t{1} << axis;
      words_[bit] = (static_cast<int>(role) >> bit & 1) != 0 ? words_[bit] | mask : words_[bit] & ~mask;
    }
  }

  std::uint64_t words_[kBits] = {};
};
static_assert(kMaxRank <= 64);

// Operands as bits: bit k is operand k.
using OperandSet = std::uint32_t;
inline constexpr OperandSet kAllOperands = ~OperandSet{0};
constexpr OperandSet only(int operand) { return OperandSet{1} << operand; }
constexpr bool has(OperandSet set, int operand) { return (set >> operand & 1) != 0; }

struct SpaceOperand {
  const Layout* layout;
  Index itemsize;

  SpaceOperand() = default;
  SpaceOperand(const Layout* over, Index size) : layout(over), itemsize(size) {}
  SpaceOperand(const Operand& operand) : layout(operand.layout), itemsize(strided::itemsize(operand.dtype)) {}

  Index start() const { return layout->byte_offset(itemsize); }
  // As Operand::step: strides that are never stepped along may be anything, also too large to count in bytes.
  Index step(int axis) const { return scaled(layout->stride(axis), itemsize, 1); }
};

// Those of a list of operands.
class SpaceOperands {
 public:
  explicit SpaceOperands(OperandList operands) : count_(operands.size()) {
    for (std::size_t k = 0; k < count_; ++k) list_[k] = *operands[k];
  }
  operator std::span<const SpaceOperand>() const { return {list_, count_}; }

 private:
  SpaceOperand list_[kMaxOperands];
  std::size_t count_;
};

// How far one operand steps along each axis, in bytes. The space knows how many axes there are.
class StepList {
 public:
  Index& operator[](int axis) { return steps_[axis]; }
  Index operator[](int axis) const { return steps_[axis]; }
  Index* data() { return steps_; }
  const Index* data() const { return steps_; }

 private:
  Index steps_[Dims::kMost];
};

struct IterationSpace {
  int operands = 0;
  Roles roles;  // of each axis
  // Indices of operand 0 along axis 0, a Pick axis, if a walk is to follow them. Kernels that read them as an operand
  // of their own leave it null.
  const Index* picked = nullptr;
  Dims shape;                 // slowest axis first; rank 0 means a single element
  Index start[kMaxOperands];  // byte distance from the storage's first byte
  // Only those of operands and axes in use are set and copied: touching the others would cost small calls more than
  // all the rest of a space.
  StepList strides[kMaxOperands];

  // No axes yet, for operands that begin at the storage's first byte.
  explicit IterationSpace(int count = 0) : operands(count) { std::fill_n(start, count, 0); }
  // No axes yet, for operands that begin where these do.
  explicit IterationSpace(std::span<const SpaceOperand> over) : operands(static_cast<int>(over.size())) {
    for (int k = 0; k < operands; ++k) start[k] = over[static_cast<std::size_t>(k)].start();
  }
  IterationSpace(const IterationSpace& other) { *this = other; }
  IterationSpace& operator=(const IterationSpace& other) {
    operands = other.operands;
    roles = other.roles;
    picked = other.picked;
    shape = other.shape;
    for (int k = 0; k < operands; ++k) {
      start[k] = other.start[k];
      std::copy_n(other.strides[k].data(), rank(), strides[k].data());
    }
    return *this;
  }

  int rank() const { return shape.size(); }
  Index size() const { return size_of_first(rank()); }
  // How many positions the first `axes` axes have together.
  Index size_of_first(int axes) const {
    Index count = 1;
    for (int axis = 0; axis < axes; ++axis) count *= shape[axis];
    return count;
  }
  bool is_empty() const {
    for (Index length : shape) if (length == 0) return true;
    return false;
  }
  Index inner_length() const { return rank() == 0 ? 1 : shape.back(); }
  Index inner_stride(int operand) const { return rank() == 0 ? 0 : strides[operand][rank() - 1]; }
  Span steps(int operand) const { return {strides[operand].data(), static_cast<std::size_t>(rank())}; }

  // One axis more, the innermost; step(k) is the step of operand k in bytes.
  template <std::invocable<int> Step>
  void add_axis(Index length, Role role, Step&& step) {
    const int axis = rank();
    shape.push_back(length);
    if (role != Role::Map) roles[axis] = role;
    for (int k = 0; k < operands; ++k) strides[k][axis] = step(k);
  }
  void add_axis(Index length, Role role, const Index* steps) {
    add_axis(length, role, [=](int k) { return steps[k]; });
  }
  void erase_axis(int axis);
  // "(64, 1024) bytes to step: (4096, 4) (4096, 4)"; roles are told where an axis is no Map axis.
  std::string text() const;
};

// The axes as the layouts have them, all of them Map axes, in order. All layouts have the same shape (stride 0 where
// an operand is broadcast); the output comes first.
IterationSpace space_of(std::span<const SpaceOperand> operands);

// The same for work in which the order of elements does not matter: ordered, flipped and fused.
IterationSpace ordered_space_of(std::span<const SpaceOperand> operands);

// ---- the steps ----

// Makes `axis` the innermost and gives it `role`.
void set_role_innermost(IterationSpace& space, int axis, Role role);

void drop_unit_axes(IterationSpace& space);

// Where an axis goes along which the operand that decides repeats its elements (step 0): where the other operands say,
// or outside the axes that move within a cache line and inside those that leave it. Then a line is read once, and
// its elements are repeated from the first-level cache.
enum class Repeated : std::uint8_t { Anywhere, PerLine };

// Sorts the Map and Fold axes at the front by the size of their steps, widest outside. The first of the deciding
// operands that steps differently along two axes decides.
void order_axes(IterationSpace& space, OperandSet deciding = kAllOperands, Repeated repeated = Repeated::Anywhere);
// Reverses Map and Fold axes along which the first deciding operand that moves steps backwards.
void flip_negative_steps(IterationSpace& space, OperandSet deciding = kAllOperands);
void reverse_axis(IterationSpace& space, int axis);
void swap_axes(IterationSpace& space, int a, int b);
void move_axis(IterationSpace& space, int from, int to);

// Neighbours of one role that step together in every operand of the set become one axis. Scan and Pick axes stay.
void fuse_axes(IterationSpace& space, OperandSet together = kAllOperands);

// ---- questions ----

struct AxisRange {
  int begin, end;

  int count() const { return end - begin; }
};

inline Index size_of(const IterationSpace& space, AxisRange axes) {
  Index count = 1;
  for (int axis = axes.begin; axis < axes.end; ++axis) count *= space.shape[axis];
  return count;
}

// Whether every operand of the set goes from the end of one pass over `inner` to the next by one step of `outer`. Roles
// are not asked, and the two need not be neighbours.
bool step_together(const IterationSpace& space, int outer, int inner, OperandSet together = kAllOperands);

// The one step with which an operand passes through these axes, row-major (0 where there are none); false if it has
// no such step.
inline bool has_single_step(const IterationSpace& space, int operand, AxisRange axes, Index& step) {
  step = axes.count() == 0 ? 0 : space.strides[operand][axes.end - 1];
  for (int inner = axes.begin + 1; inner < axes.end; ++inner) {
    if (!step_together(space, inner - 1, inner, only(operand))) return false;
  }
  return true;
}

// How many of the first indices of a table, which is not empty, are evenly spaced, and how far apart (1 for a single
// one).
Index even_run(Span table, Index& step);

}  // namespace strided
