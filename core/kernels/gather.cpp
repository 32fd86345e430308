// In every call one side is picked from by positions, the other lists what was picked.
#include "gather.hpp"

#include <algorithm>
#include <cassert>
#include <complex>
#include <cstdlib>
#include <vector>

#include "block_reader.hpp"
#include "dtype/bits.hpp"
#include "errors.hpp"
#include "plan/plan.hpp"

namespace strided {
namespace {

// How many bytes after the first element of `picked` each index tuple points, in row-major order.
std::vector<Index> find_places(const Operand& picked, std::span<const Operand> indices) {
  const Layout order = Layout::row_major(indices[0].layout->shape());
  std::vector<Index> places(static_cast<std::size_t>(order.size()), 0);
  for (int axis = 0; axis < static_cast<int>(indices.size()); ++axis) {
    const Operand& index = indices[static_cast<std::size_t>(axis)];
    const Index length = picked.layout->length(axis);
    const Index step = picked.layout->stride(axis) * itemsize(picked.dtype);
    const PlanOperand operands[] = {{&order, sizeof(Index)}, {index.layout, sizeof(Index)}};
    const Plan plan = make_plan(operands);
    std::byte* const storage[] = {reinterpret_cast<std::byte*>(places.data()), index.storage};
    for_each_row(plan, storage, [&](std::byte* const* row) {
      for (Index i = 0; i < plan.inner_length(); ++i) {
        std::byte* place = row[0] + i * plan.inner_stride(0);
        const Index asked = load<Index>(row[1] + i * plan.inner_stride(1));
        const Index at = asked < 0 ? asked + length : asked;
        if (at < 0 || at >= length) throw errors::index_out_of_bounds(asked, length, axis);
        store(place, load<Index>(place) + at * step);
      }
    });
  }
  return places;
}

// Axes first, first + 1, ... (count of them) as a layout of their own.
Layout axes_of(const Layout& layout, int first, int count, Index offset) {
  const auto from = static_cast<std::size_t>(first);
  const auto n = static_cast<std::size_t>(count);
  return {layout.shape().subspan(from, n), layout.strides().subspan(from, n), offset};
}

// A plan that keeps row-major order: which of two writes to one place comes last matters.
Plan row_major_plan(const Layout& layout, Index itemsize) {
  Plan plan;
  plan.operands = 1;
  plan.shape = layout.shape();
  plan.start[0] = layout.offset() * itemsize;
  for (Index stride : layout.strides()) plan.strides[0].push_back(stride * itemsize);
  drop_unit_axes(plan);
  fuse_axes(plan);
  return plan;
}

struct Transfer {
  std::vector<Index> places;
  Plan batch;  // listed: one element for each place
  Plan rest;   // listed and picked, from where `batch` and a place stand: what belongs to one place
  bool rest_inside;
};

Transfer plan_transfer(const Operand& listed, const Operand& picked,
                       std::span<const Operand> indices) {
  assert(listed.dtype == picked.dtype && !indices.empty());
  const int batch_rank = indices[0].layout->rank();
  const int rest_rank = listed.layout->rank() - batch_rank;
  const int picked_axes = static_cast<int>(indices.size());
  const Index size = itemsize(listed.dtype);
  const Layout batch = axes_of(*listed.layout, 0, batch_rank, listed.layout->offset());
  const Layout listed_rest = axes_of(*listed.layout, batch_rank, rest_rank, 0);
  const Layout picked_rest = axes_of(*picked.layout, picked_axes, rest_rank, 0);
  const PlanOperand rest[] = {{&listed_rest, size}, {&picked_rest, size}};
  Transfer transfer{find_places(picked, indices), row_major_plan(batch, size), make_plan(rest),
                    listed_rest.size() > 1};
  // Whichever steps less through what is picked from belongs inside.
  for (int axis = 0; axis < picked_axes; ++axis) {
    const Index step = std::abs(picked.layout->stride(axis) * size);
    if (step < std::abs(transfer.rest.inner_stride(1))) transfer.rest_inside = false;
  }
  return transfer;
}

// ---- what happens to one element ----

struct Take {
  template <class T>
  static void move(std::byte* listed, std::byte* picked) { store(listed, load<T>(picked)); }
};

struct Put {
  template <class T>
  static void move(std::byte* listed, std::byte* picked) { store(picked, load<T>(listed)); }
};

struct Add {
  template <class T>
  static T sum(T a, T b) {
    if constexpr (std::is_same_v<T, bool>) return a || b;
    else if constexpr (std::is_integral_v<T>) {  // unsigned, where wrapping around is defined
      return static_cast<T>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
    } else if constexpr (sizeof(T) == 2) {
      return T(static_cast<float>(a) + static_cast<float>(b));
    } else return a + b;
  }
  template <class T>
  static void move(std::byte* listed, std::byte* picked) {
    store(picked, sum(load<T>(picked), load<T>(listed)));
  }
};

// ---- the innermost loops ----

// n elements of both sides, at even steps.
using RowLoop = void (*)(Index n, std::byte* listed, Index listed_step, std::byte* picked,
                         Index picked_step);
// n listed elements at an even step, picked at `places`.
using PlaceLoop = void (*)(Index n, std::byte* listed, Index listed_step, std::byte* picked,
                           const Index* places);

struct MoveLoops {
  RowLoop row;
  PlaceLoop places;
};

template <class How, class T>
void move_row(Index n, std::byte* __restrict listed, Index listed_step,
              std::byte* __restrict picked, Index picked_step) {
  constexpr Index size = sizeof(T);
  if (listed_step == size && picked_step == size) {
    for (Index i = 0; i < n; ++i) How::template move<T>(listed + i * size, picked + i * size);
  } else {
    for (Index i = 0; i < n; ++i) {
      How::template move<T>(listed + i * listed_step, picked + i * picked_step);
    }
  }
}

template <class How, class T>
void move_places(Index n, std::byte* listed, Index listed_step, std::byte* picked,
                 const Index* places) {
  for (Index i = 0; i < n; ++i) How::template move<T>(listed + i * listed_step, picked + places[i]);
}

// Moving needs to know no more of a dtype than its size.
template <class How>
MoveLoops moving_loops(DType dtype) {
  return visit_bits(itemsize(dtype), []<class Bits>(Bits) -> MoveLoops {
    return {&move_row<How, Bits>, &move_places<How, Bits>};
  });
}

MoveLoops adding_loops(DType dtype) {
  return visit(dtype, []<class T>(Type<T>) -> MoveLoops {
    return {&move_row<Add, T>, &move_places<Add, T>};
  });
}

void run(const Transfer& transfer, MoveLoops move, const Operand& listed, const Operand& picked) {
  const Plan& batch = transfer.batch;
  const Plan& rest = transfer.rest;
  const Index batch_length = batch.inner_length();
  const Index batch_step = batch.inner_stride(0);
  const Index rest_length = rest.inner_length();
  const Index listed_step = rest.inner_stride(0);
  const Index picked_step = rest.inner_stride(1);
  const Index* place = transfer.places.data();
  if (transfer.rest_inside) {
    for_each_row(batch, &listed.storage, [&](std::byte* const* row) {
      for (Index i = 0; i < batch_length; ++i, ++place) {
        std::byte* const sides[] = {row[0] + i * batch_step, picked.first() + *place};
        for_each_row(rest, sides, [&](std::byte* const* at) {
          move.row(rest_length, at[0], listed_step, at[1], picked_step);
        });
      }
    });
    return;
  }
  std::byte* const sides[] = {listed.storage, picked.first()};
  for_each_row(rest, sides, [&](std::byte* const* at) {
    for (Index i = 0; i < rest_length; ++i) {
      std::byte* const first = at[0] + i * listed_step;
      place = transfer.places.data();
      for_each_row(batch, &first, [&](std::byte* const* row) {
        move.places(batch_length, row[0], batch_step, at[1] + i * picked_step, place);
        place += batch_length;
      });
    }
  });
}

}  // namespace

void gather(const Operand& out, const Operand& in, std::span<const Operand> indices) {
  run(plan_transfer(out, in, indices), moving_loops<Take>(in.dtype), out, in);
}

void scatter(const Operand& out, const Operand& in, std::span<const Operand> indices,
             bool accumulate) {
  const MoveLoops move = accumulate ? adding_loops(out.dtype) : moving_loops<Put>(out.dtype);
  run(plan_transfer(in, out, indices), move, in, out);
}

void nonzero(const Operand& out, const Operand& in) {
  const Layout& layout = *in.layout;
  if (layout.rank() == 0 || layout.size() == 0) return;  // rows of no columns, or no rows
  const int last = layout.rank() - 1;
  const Index size = itemsize(in.dtype);
  const Index stride = layout.stride(last) * size;
  const Index row_step = out.layout->stride(0) * static_cast<Index>(sizeof(Index));
  const Index column_step = out.layout->stride(1) * static_cast<Index>(sizeof(Index));
  std::byte* row = out.first();
  // Another thread may have written to `in` since it was counted: what no longer fits is left out.
  Index left = out.layout->length(0);
  BlockReader reader(in.dtype, DType::Bool);
  Dims index;
  for (int axis = 0; axis <= last; ++axis) index.push_back(0);
  for (int axis = 0; axis >= 0;) {
    Index position = layout.offset();
    for (int k = 0; k < last; ++k) position += index[k] * layout.stride(k);
    for (Index first = 0; first < layout.length(last); first += kBlock) {
      const Index n = std::min(kBlock, layout.length(last) - first);
      const std::byte* truth =
          reader.read(in.storage + position * size + first * stride, stride, n);
      for (Index i = 0; i < n; ++i) {
        if (truth[i] == std::byte{0}) continue;
        if (left-- == 0) return;
        index[last] = first + i;
        for (int k = 0; k <= last; ++k) store(row + k * column_step, index[k]);
        row += row_step;
      }
    }
    for (axis = last - 1; axis >= 0 && ++index[axis] == layout.length(axis); --axis) index[axis] = 0;
  }
  for (; left > 0; --left, row += row_step) {
    for (int k = 0; k <= last; ++k) store(row + k * column_step, Index{0});
  }
}

}  // namespace strided
