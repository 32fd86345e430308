// The iteration space of an operation: its axes, decided before any element is touched.
//
// An axis has a length, a role, and for each operand the bytes from one index to the next. Every kernel family
// gets its axes from here. A space is made in steps, one file each: drop axes of length 1, order axes by the
// size of their steps and flip negative steps (order.cpp), fuse neighbours that step together (fuse.cpp). split.hpp cuts
// a space into chunks for threads, walk.hpp visits it.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "layout/layout.hpp"

namespace strided {

inline constexpr int kMaxOperands = 24;

// What happens along an axis. Map and Fold axes may be visited in any order and direction; the others stay where
// they are, behind those.
enum class Role : std::uint8_t {
  Map,     // every index is computed by itself
  Fold,    // all indices give one result: outputs have step 0
  Scan,    // in order, with a result at each index
  Pick,    // indices come from a table: only the first axis, only for the first operand
  Row,     // a line that the kernel takes as a whole; in a product: rows of the result
  Column,  // lines that are taken side by side; in a product: columns of the result
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
};

struct IterationSpace {
  int operands = 0;
  Dims shape;                  // slowest axis first; rank 0 means a single element
  Dims strides[kMaxOperands];  // in bytes
  Index start[kMaxOperands];   // byte distance from the storage's first byte
  Roles roles;                 // of each axis
  const Index* picked = nullptr;  // the indices of operand 0 along axis 0, where that is a Pick axis

  IterationSpace() = default;
  IterationSpace(const IterationSpace& other) { *this = other; }
  // There is room for many operands; only those in use are worth copying.
  IterationSpace& operator=(const IterationSpace& other) {
    operands = other.operands;
    shape = other.shape;
    for (int k = 0; k < operands; ++k) {
      strides[k] = other.strides[k];
      start[k] = other.start[k];
    }
    roles = other.roles;
    picked = other.picked;
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
  Index inner_stride(int operand) const { return rank() == 0 ? 0 : strides[operand].back(); }

  // One axis more, the innermost; `steps` in bytes, one for each operand.
  void add_axis(Index length, Role role, const Index* steps);
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

// Where an axis goes along which the operand that decides repeats its elements (step 0).
enum class Repeated : std::uint8_t { Anywhere, Outside };

// Sorts the Map and Fold axes at the front by the size of their steps, widest outside. The first of the deciding
// operands that steps differently along two axes decides.
void order_axes(IterationSpace& space, OperandSet deciding = kAllOperands, Repeated repeated = Repeated::Anywhere);
// Turns Map and Fold axes round along which the first deciding operand that moves steps backwards.
void flip_negative_steps(IterationSpace& space, OperandSet deciding = kAllOperands);
void reverse_axis(IterationSpace& space, int axis);
void swap_axes(IterationSpace& space, int a, int b);
void move_axis(IterationSpace& space, int from, int to);

// Neighbours of one role that step together in every operand of the set become one axis. Scan and Pick axes stay.
void fuse_axes(IterationSpace& space, OperandSet together = kAllOperands);

}  // namespace strided
