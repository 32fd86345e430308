#include "copy.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "element.hpp"
#include "dtype/bits.hpp"
#include "layout/contiguity.hpp"
#include "chain.hpp"
#include "cross.hpp"
#include "loops.hpp"
#include "plan/plan.hpp"
#include "threads.hpp"

namespace strided {
namespace {

// Below this, a packed copy is over before a plan is made.
constexpr Index kSmall = Index{64} << 10;

// ---- the shapes of a copy, tried from the most special to the most general ----

Index bytes_of(const Plan& plan, Index itemsize) {
  Index count = itemsize;
  for (Index length : plan.shape) count *= length;
  return count;
}

// Two or four neighbours that stay neighbours move as one wider element.
Index widen_items(Plan& plan, Index itemsize) {
  if (plan.rank() < 2 || plan.inner_stride(0) != itemsize || plan.inner_stride(1) != itemsize) return itemsize;
  const Index wide = plan.inner_length() * itemsize;
  if (wide != 2 && wide != 4 && wide != 8 && wide != 16) return itemsize;
  plan.shape.resize(plan.rank() - 1);
  for (int k = 0; k < 2; ++k) plan.strides[k].resize(plan.rank());
  return wide;
}

// Runs `part` on pieces of the plan, on as many threads as the work is worth.
template <class Part>
void in_pieces(const Plan& plan, Index itemsize, Part&& part) {
  const int pieces = plan.rank() == 0 ? 1 : pieces_for(static_cast<std::size_t>(2 * bytes_of(plan, itemsize)));
  if (pieces == 1) return part(plan);
  const int axis = split_axis(plan, pieces);
  run_pieces(pieces, [&](int piece) { part(piece_of(plan, axis, piece, pieces)); });
}

// Leaves the two innermost axes to `run`.
template <class Run>
void for_each_matrix(const Plan& plan, std::byte* const* storage, Run&& run) {
  Plan outer = plan;
  outer.shape.resize(plan.rank() - 1);
  for (int k = 0; k < 2; ++k) outer.strides[k].resize(plan.rank() - 1);
  for (Index length : plan.shape) if (length == 0) return;
  for_each_row(outer, storage, std::forward<Run>(run));
}

// A few planes into groups, or groups into planes: the two innermost axes are (i, k) or (k, i).
bool copy_planes(const Plan& plan, Index itemsize, std::byte* const* storage, bool stream) {
  if (plan.rank() < 2) return false;
  const int a = plan.rank() - 2, b = a + 1;
  // As many as a tile has columns are turned faster as tiles.
  const Index most = std::min<Index>(kMostPlanes, kLine / itemsize - 1);
  const auto few = [&](int axis) { return plan.shape[axis] >= 2 && plan.shape[axis] <= std::max<Index>(4, most); };
  const auto side_by_side = [&](int operand, int slow, int fast) {
    return plan.strides[operand][fast] == itemsize &&
           plan.strides[operand][slow] == plan.shape[fast] * itemsize;
  };
  const bool join = few(b) && side_by_side(0, a, b) && plan.strides[1][a] == itemsize;
  const bool part = few(a) && side_by_side(1, b, a) && plan.strides[0][b] == itemsize;
  if (!join && !part) return false;
  const CopyLoops& copies = loops().copy;
  const CopyPlanes kernel =
      join ? copies.interleave[bit_size(itemsize)][stream] : copies.deinterleave[bit_size(itemsize)][stream];
  // The planes are not to be cut apart: pieces are cut from the other axes.
  Plan pieces = plan;
  const int planes_axis = join ? b : a;
  const auto planes = static_cast<int>(plan.shape[planes_axis]);
  const Index plane_step = plan.strides[join ? 1 : 0][planes_axis];
  pieces.shape.erase(planes_axis);
  for (int k = 0; k < 2; ++k) pieces.strides[k].erase(planes_axis);
  in_pieces(pieces, itemsize * planes, [&](const Plan& piece) {
    for_each_row(piece, storage, [&](std::byte* const* data) {
      kernel(piece.inner_length(), planes, data[0], data[1], plane_step);
    });
  });
  return true;
}

// Runs are visited in the order in which the input has them: memory that is read in order is fetched ahead,
// and writing needs no such help.
void order_by_input(Plan& plan) {
  const int inner = plan.rank() - 1;
  for (int i = 1; i < inner; ++i) {
    for (int j = i; j > 0; --j) {
      const Index before = std::abs(plan.strides[1][j - 1]), after = std::abs(plan.strides[1][j]);
      if (before == 0 || after == 0 || after <= before) break;
      swap_axes(plan, j, j - 1);
    }
  }
}

void copy_rows(const Plan& plan, Index itemsize, std::byte* const* storage, bool stream) {
  const CopyRows kernel = loops().copy.rows[bit_size(itemsize)][stream];
  in_pieces(plan, itemsize, [&](const Plan& piece) {
    const Index n = piece.inner_length();
    const Index out_step = piece.inner_stride(0), in_step = piece.inner_stride(1);
    if (piece.rank() < 2) {
      if (n > 0) kernel({storage[0] + piece.start[0], storage[1] + piece.start[1], 1, n, 0, 0, out_step, in_step});
      return;
    }
    const int row = piece.rank() - 2;
    for_each_matrix(piece, storage, [&](std::byte* const* data) {
      kernel({data[0], data[1], piece.shape[row], n, piece.strides[0][row], piece.strides[1][row], out_step,
              in_step});
    });
  });
}

}  // namespace

void copy_planned(const Plan& given, Index itemsize, std::byte* const* storage, CopyKind kind) {
  Plan plan = given;
  const bool stream = kind == CopyKind::Streamed;
  itemsize = widen_items(plan, itemsize);
  if (copy_planes(plan, itemsize, storage, stream)) return;
  if (copy_across(plan, itemsize, storage, kind)) return;
  order_by_input(plan);
  copy_rows(plan, itemsize, storage, stream);
}

void copy(const Operand& out, const Operand& in) {
  const Index count = out.layout->size();
  if (count == 0) return;
  const Index item = itemsize(out.dtype);
  if (out.dtype == in.dtype && count * item < kSmall && is_row_major(*out.layout) && is_row_major(*in.layout)) {
    std::memcpy(out.first(), in.first(), static_cast<std::size_t>(count * item));
    return;
  }
  const PlanOperand operands[] = {{out.layout, item}, {in.layout, itemsize(in.dtype)}};
  const Plan plan = make_plan(operands);
  std::byte* const storage[] = {out.storage, in.storage};
  const bool stream = count * item >= kStreamBytes;
  if (out.dtype == in.dtype) {
    return copy_planned(plan, item, storage, stream ? CopyKind::Streamed : CopyKind::Cached);
  }
  const Step cast = {loops().cast[static_cast<int>(in.dtype)][static_cast<int>(out.dtype)], 2, {0, 1}};
  const Index sizes[] = {item, itemsize(in.dtype)};
  run_chain({2, 1, sizes, {}, {&cast, 1}, stream}, plan, storage);
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
