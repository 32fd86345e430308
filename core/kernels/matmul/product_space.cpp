#include "product_space.hpp"

namespace strided::kernels::matmul {

ProductSpace::ProductSpace(const Operand& c, const Operand& a, const Operand& b) : axes_(3) {
  axes_.start[kProductC] = c.layout->byte_offset(itemsize(c.dtype));
  axes_.start[kProductA] = a.layout->byte_offset(itemsize(a.dtype));
  axes_.start[kProductB] = b.layout->byte_offset(itemsize(b.dtype));
}

bool ProductSpace::is_joined() const {
  return batch().count() == 0 && rows().count() <= 1 && columns().count() <= 1 && inner().count() <= 1;
}

void ProductSpace::fuse() {
  fuse_axes(axes_);
  int axis = 0;
  for (Role role : {Role::Map, Role::Row, Role::Column, Role::Inner}) {
    while (axis < axes_.rank() && axes_.roles[axis] == role) ++axis;
    ends_[number_of(role)] = axis;
  }
}

// Makes a Map axis the outermost of the Row or Column axes, if it continues them.
bool ProductSpace::join_axis(int axis, Role role, AxisRange own) {
  if (own.count() == 1 && axes_.shape[own.begin] == 1) {
    axes_.erase_axis(own.begin);
    for (int i = number_of(role); i < 4; ++i) --ends_[i];
  } else if (own.count() > 0 && !step_together(axes_, axis, own.begin)) {
    return false;
  }
  move_axis(axes_, axis, own.begin - 1);
  axes_.roles[own.begin - 1] = role;
  for (int i = 0; i < number_of(role); ++i) --ends_[i];
  return true;
}

void ProductSpace::join() {
  if (is_joined()) return;
  fuse();
  const auto steps_evenly = [&](int operand, AxisRange axes) {
    Index step;
    return has_single_step(axes_, operand, axes, step);
  };
  const bool a_is_matrix = steps_evenly(kProductA, rows()) && steps_evenly(kProductA, inner());
  const bool b_is_matrix = steps_evenly(kProductB, columns()) && steps_evenly(kProductB, inner());
  bool joined = false;
  for (int axis = ends_[0] - 1; axis >= 0; --axis) {
    const bool one_b = axes_.strides[kProductB][axis] == 0, one_a = axes_.strides[kProductA][axis] == 0;
    if ((a_is_matrix && one_b && join_axis(axis, Role::Row, rows())) ||
        (b_is_matrix && one_a && join_axis(axis, Role::Column, columns()))) {
      joined = true;
    }
  }
  if (joined) fuse();
}

ProductSpace matmul_space(const Operand& c, const Operand& a, const Operand& b) {
  ProductSpace space(c, a, b);
  const int left = a.layout->rank(), right = b.layout->rank(), last = c.layout->rank() - 1;
  const bool has_rows = left > 1, has_columns = right > 1;
  const int batch = last + 1 - static_cast<int>(has_rows) - static_cast<int>(has_columns);
  // Axes that an operand lacks, or has with length 1, repeat it.
  const auto step_of_batch = [](const Operand& x, int axis) {
    return axis < 0 || x.layout->length(axis) == 1 ? 0 : x.step(axis);
  };
  for (int i = 0; i < batch; ++i) {
    const Index length = c.layout->length(i);
    if (length == 1) continue;
    const Index of_a = step_of_batch(a, left - 2 - batch + i), of_b = step_of_batch(b, right - 2 - batch + i);
    space.add(Role::Map, length, c.step(i), of_a, of_b);
  }
  // Also of length 1: kernels ask whether the elements of a row are contiguous.
  if (has_rows) space.add(Role::Row, c.layout->length(batch), c.step(batch), a.step(left - 2), 0);
  else space.add(Role::Row, 1, 0, 0, 0);
  if (has_columns) space.add(Role::Column, c.layout->length(last), c.step(last), 0, b.step(right - 1));
  else space.add(Role::Column, 1, 0, 0, 0);
  space.add(Role::Inner, a.layout->length(left - 1), 0, a.step(left - 1), b.step(has_columns ? right - 2 : 0));
  return space;
}

ProductSpace contraction_space(const Operand& c, const Operand& a, const Operand& b, int batch, int summed) {
  ProductSpace space(c, a, b);
  const Layout &left = *a.layout, &right = *b.layout;
  const int rows_end = left.rank() - summed, columns_begin = batch + summed;
  const auto add = [&](Role role, Index length, int in_c, int in_a, int in_b) {
    const auto step = [](const Operand& x, int axis) { return axis < 0 ? 0 : x.step(axis); };
    if (length != 1) space.add(role, length, step(c, in_c), step(a, in_a), step(b, in_b));
  };
  for (int i = 0; i < batch; ++i) add(Role::Map, left.length(i), i, i, i);
  for (int i = batch; i < rows_end; ++i) add(Role::Row, left.length(i), i, i, -1);
  for (int i = columns_begin; i < right.rank(); ++i) {
    add(Role::Column, right.length(i), rows_end + i - columns_begin, -1, i);
  }
  for (int i = 0; i < summed; ++i) {
    // A sum over nothing: one axis says it, and there may be too many for all.
    if (left.length(rows_end + i) == 0) return add(Role::Inner, 0, -1, rows_end + i, batch + i), space;
  }
  for (int i = 0; i < summed; ++i) add(Role::Inner, left.length(rows_end + i), -1, rows_end + i, batch + i);
  return space;
}

}  // namespace strided::kernels::matmul
