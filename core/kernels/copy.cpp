#include "copy.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "element.hpp"
#include "dtype/bits.hpp"
#include "layout/contiguity.hpp"
#include "loops.hpp"
#include "plan/plan.hpp"

namespace strided {
namespace {

template <class T>
void move_row(Index n, std::byte* out, Index out_step, const std::byte* in, Index in_step) {
  constexpr Index size = sizeof(T);
  if (out_step == size && in_step == size) {
    std::memcpy(out, in, static_cast<std::size_t>(n * size));
  } else if (out_step == size && in_step == 0) {
    const T value = load<T>(in);
    for (Index i = 0; i < n; ++i) store(out + i * size, value);
  } else {
    for (Index i = 0; i < n; ++i) {
      store(out + i * out_step, load<T>(in + i * in_step));
    }
  }
}

// Two innermost axes in square tiles, so that the cache lines of the operand that walks across are used
// up before they are evicted.
template <class T>
void move_tiles(const Plan& plan, std::byte* out, const std::byte* in) {
  constexpr Index tile = 64 / static_cast<Index>(sizeof(T)) * 2;
  const int inner = plan.rank() - 1;
  const Index rows = plan.shape[inner - 1];
  const Index columns = plan.shape[inner];
  const Index out_row = plan.strides[0][inner - 1];
  const Index out_column = plan.strides[0][inner];
  const Index in_row = plan.strides[1][inner - 1];
  const Index in_column = plan.strides[1][inner];
  for (Index r0 = 0; r0 < rows; r0 += tile) {
    const Index r1 = std::min(rows, r0 + tile);
    for (Index c0 = 0; c0 < columns; c0 += tile) {
      const Index count = std::min(columns - c0, tile);
      for (Index r = r0; r < r1; ++r) {
        move_row<T>(count, out + r * out_row + c0 * out_column, out_column,
                    in + r * in_row + c0 * in_column, in_column);
      }
    }
  }
}

// When the input's fast axis is not the output's, brings it next to the innermost axis.
bool arrange_for_tiles(Plan& plan) {
  const int inner = plan.rank() - 1;
  if (inner < 1) return false;
  int fast = inner;
  for (int axis = 0; axis < inner; ++axis) {
    const Index step = std::abs(plan.strides[1][axis]);
    if (step != 0 && step < std::abs(plan.strides[1][fast])) fast = axis;
  }
  if (fast == inner) return false;
  for (int axis = fast; axis + 1 < inner; ++axis) {
    std::swap(plan.shape[axis], plan.shape[axis + 1]);
    for (int k = 0; k < 2; ++k) std::swap(plan.strides[k][axis], plan.strides[k][axis + 1]);
  }
  return true;
}

template <class T>
void move_elements(Plan& plan, std::byte* const* storage) {
  if (arrange_for_tiles(plan)) {
    Plan outer = plan;  // for_each_row leaves out one axis; tiles need two left out
    outer.shape.resize(plan.rank() - 1);
    for (int k = 0; k < 2; ++k) outer.strides[k].resize(plan.rank() - 1);
    for_each_row(outer, storage,
                 [&](std::byte* const* data) { move_tiles<T>(plan, data[0], data[1]); });
    return;
  }
  const Index n = plan.inner_length();
  for_each_row(plan, storage, [&](std::byte* const* data) {
    move_row<T>(n, data[0], plan.inner_stride(0), data[1], plan.inner_stride(1));
  });
}

}  // namespace

void copy(const Operand& out, const Operand& in) {
  const Index count = out.layout->size();
  if (count == 0) return;
  if (out.dtype == in.dtype && is_row_major(*out.layout) && is_row_major(*in.layout)) {
    std::memcpy(out.first(), in.first(), static_cast<std::size_t>(count * itemsize(out.dtype)));
    return;
  }
  const PlanOperand operands[] = {{out.layout, itemsize(out.dtype)},
                                  {in.layout, itemsize(in.dtype)}};
  Plan plan = make_plan(operands);
  std::byte* const storage[] = {out.storage, in.storage};
  if (out.dtype == in.dtype) {
    visit_bits(itemsize(out.dtype),
                   [&](auto bits) { move_elements<decltype(bits)>(plan, storage); });
    return;
  }
  const Loop cast = loops().cast[static_cast<int>(in.dtype)][static_cast<int>(out.dtype)];
  const Index steps[] = {plan.inner_stride(0), plan.inner_stride(1)};
  const Index n = plan.inner_length();
  for_each_row(plan, storage, [&](std::byte* const* data) { cast(n, data, steps); });
}

bool can_order_travel(const Layout& out, const Layout& in) {
  for (int axis = 0; axis < out.rank(); ++axis) {
    if (out.length(axis) > 1 && out.stride(axis) != in.stride(axis)) return false;
  }
  // Monotone exactly when each axis steps over everything that the faster ones reach.
  Index reach = 0;
  const Dims order = memory_order(out);
  for (int i = out.rank() - 1; i >= 0; --i) {
    const int axis = static_cast<int>(order[i]);
    if (out.length(axis) <= 1) continue;
    const Index step = std::abs(out.stride(axis));
    if (step <= reach) return false;
    reach += step * (out.length(axis) - 1);
  }
  return true;
}

void copy_in_order(const Operand& out, const Operand& in) {
  if (out.layout->size() == 0) return;
  const Index size = itemsize(out.dtype);
  const PlanOperand operands[] = {{out.layout, size}, {in.layout, size}};
  Plan plan = make_plan(operands);
  // Moving up in memory: start at the far end, so that nothing is overwritten before it is read.
  if (plan.start[0] > plan.start[1]) {
    for (int axis = 0; axis < plan.rank(); ++axis) {
      for (int k = 0; k < 2; ++k) {
        plan.start[k] += plan.strides[k][axis] * (plan.shape[axis] - 1);
        plan.strides[k][axis] = -plan.strides[k][axis];
      }
    }
  }
  std::byte* const storage[] = {out.storage, in.storage};
  const Index n = plan.inner_length();
  const Index step = plan.inner_stride(0);
  visit_bits(itemsize(out.dtype), [&](auto bits) {
    using T = decltype(bits);
    for_each_row(plan, storage, [&](std::byte* const* data) {
      if (std::abs(step) == size) {
        const Index back = step < 0 ? (n - 1) * step : 0;
        std::memmove(data[0] + back, data[1] + back, static_cast<std::size_t>(n * size));
        return;
      }
      for (Index i = 0; i < n; ++i) {
        store(data[0] + i * step, load<T>(data[1] + i * step));
      }
    });
  });
}

void fill(const Operand& out, const void* value) {
  // The value is an input that is broadcast along every axis.
  Layout repeated = Layout::uninitialised(out.layout->rank(), 0);
  for (int axis = 0; axis < out.layout->rank(); ++axis) {
    repeated.set_axis(axis, out.layout->length(axis), 0);
  }
  alignas(Bits16) std::byte bits[sizeof(Bits16)];
  std::memcpy(bits, value, static_cast<std::size_t>(itemsize(out.dtype)));
  copy(out, {bits, &repeated, out.dtype});
}

}  // namespace strided
