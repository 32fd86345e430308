// The axes of a product c = a @ b.
//
// Operands are {c, a, b}. Map axes count the products of a batch. Along Row axes b has step 0, along Column axes a,
// along Inner axes c. They stand in this order: Map, Row, Column, Inner.
#pragma once

#include "plan/axes.hpp"
#include "plan/operand.hpp"

namespace strided::kernels::matmul {

enum ProductOperand : int { kProductC, kProductA, kProductB };

class ProductSpace {
 public:
  // No axes yet, for operands that begin where these do.
  ProductSpace(const Operand& c, const Operand& a, const Operand& b);

  // One axis more, with steps in bytes; axes come in the order of their roles. Raises InvalidArgument
  // beyond kMaxRank: such a product has too many multiplications to end.
  void add(Role role, Index length, Index c, Index a, Index b) {
    if (axes_.rank() == kMaxRank) checked_rank(kMaxRank + 1);
    const Index steps[] = {c, a, b};
    axes_.add_axis(length, role, steps);
    for (int i = number_of(role); i < 4; ++i) ends_[i] = axes_.rank();
  }

  // The fewest axes: neighbours fuse, and batch axes become part of the matrices. With one b for all, the rows of all
  // a are the rows of one long matrix, if they lie that way; likewise columns with one a for all.
  void join();

  const IterationSpace& axes() const { return axes_; }
  AxisRange batch() const { return {0, ends_[0]}; }
  AxisRange rows() const { return {ends_[0], ends_[1]}; }
  AxisRange columns() const { return {ends_[1], ends_[2]}; }
  AxisRange inner() const { return {ends_[2], ends_[3]}; }

 private:
  static int number_of(Role role) {
    static_assert(static_cast<int>(Role::Inner) == static_cast<int>(Role::Row) + 2);
    return role == Role::Map ? 0 : static_cast<int>(role) - static_cast<int>(Role::Row) + 1;
  }
  bool is_joined() const;
  void fuse();
  bool join_axis(int axis, Role role, AxisRange own);

  IterationSpace axes_;
  int ends_[4] = {};  // where the Map, Row, Column and Inner axes end
};

// c[..., i, j] = the sum over p of a[..., i, p] * b[..., p, j], with the axes that NumPy's rules give c: those before
// the last two broadcast, and where a (b) has rank 1 the axis i (j) is missing.
ProductSpace matmul_space(const Operand& c, const Operand& a, const Operand& b);
// The same with several axes for each of i, j and p: a has `batch` axes, those of i, then `summed` axes; b has `batch`
// axes, `summed` axes, then those of j.
ProductSpace contraction_space(const Operand& c, const Operand& a, const Operand& b, int batch, int summed);

}  // namespace strided::kernels::matmul
