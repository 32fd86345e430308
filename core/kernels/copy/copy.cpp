#include "copy.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "dtype/element.hpp"
#include "dtype/bits.hpp"
#include "layout/contiguity.hpp"
#include "kernels/convert/packed.hpp"
#include "kernels/elementwise/chain.hpp"
#include "transpose.hpp"
#include "kernels/loop_names.hpp"
#include "kernels/loop_table.hpp"
#include "plan/record.hpp"
#include "plan/split.hpp"
#include "plan/walk.hpp"
#include "run/interrupt.hpp"
#include "run/pool.hpp"

namespace strided::kernels::copy {
namespace {

// Below this, a packed copy is over before a plan is made.
constexpr Index kSmall = Index{64} << 10;

// Bytes that are moved within an operand between looks for an interrupt: about a millisecond.
constexpr Index kMovedAtOnce = Index{4} << 20;
constexpr const char* kFile = "kernels/copy/copy.cpp";  // in plans

static_assert(kMostCopyPlanes == kMostPlanes);

CopyPlanes planes_loop(const CopyPlan& copy) {
  const CopyLoops& copies = loops().copy;
  return (copy.join ? copies.interleave : copies.deinterleave)[bit_size(copy.itemsize)][copy.streams()];
}
CopyRows rows_loop(const CopyPlan& copy) { return loops().copy.rows[bit_size(copy.itemsize)][copy.streams()]; }

void copy_planes(const CopyPlan& copy, std::byte* const* storage) {
  const CopyPlanes kernel = planes_loop(copy);
  run_in_chunks(copy.space, copy.chunks, [&](const IterationSpace& chunk) {
    for_each_row(chunk, storage, [&](std::byte* const* data) {
      kernel(chunk.inner_length(), copy.planes, data[0], data[1], copy.plane_step);
    });
  });
}

void copy_runs(const CopyPlan& copy, std::byte* const* storage) {
  const CopyRows kernel = rows_loop(copy);
  run_in_chunks(copy.space, copy.chunks, [&](const IterationSpace& chunk) {
    const auto length = [&](int axis) { return axis < chunk.rank() ? chunk.shape[chunk.rank() - 1 - axis] : 1; };
    const auto step = [&](int k, int axis) {
      return axis < chunk.rank() ? chunk.strides[k][chunk.rank() - 1 - axis] : 0;
    };
    for_each_block(chunk, 3, storage, [&](std::byte* const* data) {
      kernel({data[0], data[1], length(1), length(0), step(0, 1), step(1, 1), step(0, 0), step(1, 0), length(2),
              step(0, 2), step(1, 2)});
    });
  });
}

PlanRecord record_of_row(const char* operation, Index count, Index to, Index from, std::string loop) {
  IterationSpace row(2);
  const Index steps[] = {to, from};
  row.add_axis(count, Role::Map, steps);
  PlanRecord record(operation, row);
  record.add_loop(std::move(loop));
  return record;
}

void run_recorded(const char* operation, const CopyPlan& copy, std::byte* const* storage) {
  const RecordScope scope([&] {
    PlanRecord record(operation, copy.space, {}, copy.chunks, copy.text());
    record.streams = copy.streams();
    record.add_loop(name_of_loop(copy));
    return record;
  });
  run_copy(copy, storage);
}

}  // namespace

void run_copy(const CopyPlan& copy, std::byte* const* storage) {
  switch (copy.way) {
    case CopyWay::Planes: return copy_planes(copy, storage);
    case CopyWay::Tiles: return copy_tiles(copy, storage);
    case CopyWay::Runs: return copy_runs(copy, storage);
  }
}

std::string name_of_loop(const CopyPlan& copy) {
  switch (copy.way) {
    case CopyWay::Planes: return loop_name(planes_loop(copy));
    case CopyWay::Tiles: return loop_name(loops().copy.cross[bit_size(copy.itemsize)][copy.streams()]);
    case CopyWay::Runs: break;
  }
  return loop_name(rows_loop(copy));
}

CopyPlan copy_plan_of(const Operand& out, const Operand& in) {
  const Index item = itemsize(out.dtype);
  const SpaceOperand operands[] = {out, in};
  return {[&] { return ordered_space_of(operands); }, item, copy_kind_for(out.layout->size() * item)};
}

void copy(const Operand& out, const Operand& in) {
  const Index count = out.layout->size();
  if (count == 0) return;
  const Index item = itemsize(out.dtype);
  std::byte* const storage[] = {out.storage, in.storage};
  const bool packed = count * item < kSmall && is_row_major(*out.layout) && is_row_major(*in.layout);
  if (out.dtype == in.dtype) {
    if (!packed) return run_recorded("copy", copy_plan_of(out, in), storage);
    const RecordScope scope([&] { return record_of_row("copy", count, item, item, plain_loop(kFile, "copy")); });
    std::memcpy(out.first(), in.first(), static_cast<std::size_t>(count * item));
    return;
  }
  const Loop cast = convert::loop_between(in.dtype, out.dtype);
  const Index sizes[] = {item, itemsize(in.dtype)};
  if (packed) {
    const RecordScope scope([&] { return record_of_row("cast", count, sizes[0], sizes[1], loop_name(cast)); });
    std::byte* const data[] = {out.first(), in.first()};
    return cast(count, data, sizes);
  }
  const elementwise::Step step = {cast, 2, {0, 1}};
  const SpaceOperand operands[] = {out, in};
  elementwise::run_chain({2, 1, sizes, {}, {&step, 1}, worth_streaming(count * item), "cast"},
                         ordered_space_of(operands), storage);
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
  const SpaceOperand operands[] = {out, in};
  IterationSpace plan = ordered_space_of(operands);
  // Moving up in memory: start at the far end, so that nothing is overwritten before it is read.
  if (plan.start[0] > plan.start[1]) {
    for (int axis = 0; axis < plan.rank(); ++axis) reverse_axis(plan, axis);
  }
  std::byte* const storage[] = {out.storage, in.storage};
  const RecordScope scope([&] {
    PlanRecord record("move", plan);
    record.add_loop(plain_loop(kFile, "copy_in_order"));
    return record;
  });
  const Index n = plan.inner_length();
  const Index step = plan.inner_stride(0);
  Index moved = 0;  // bytes since somebody asked for an interrupt
  visit_bits(itemsize(out.dtype), [&](auto bits) {
    using T = decltype(bits);
    for_each_row(plan, storage, [&](std::byte* const* data) {
      for (Index done = 0; done < n;) {
        const Index count = std::min(n - done, kMovedAtOnce / size);
        std::byte* const to = data[0] + done * step;
        const std::byte* const from = data[1] + done * step;
        if (std::abs(step) == size) {
          const Index back = step < 0 ? (count - 1) * step : 0;
          std::memmove(to + back, from + back, static_cast<std::size_t>(count * size));
        } else {
          for (Index i = 0; i < count; ++i) store(to + i * step, load<T>(from + i * step));
        }
        done += count;
        moved += count * size;
        if (moved < kMovedAtOnce) continue;
        check_interrupt();
        moved = 0;
      }
    });
  });
}

void fill(const Operand& out, const void* value) {
  alignas(Bits16) std::byte bits[sizeof(Bits16)];
  const Index item = itemsize(out.dtype), count = out.layout->size();
  std::memcpy(bits, value, static_cast<std::size_t>(item));
  if (count * item < kSmall && is_row_major(*out.layout)) {
    const CopyRows kernel = loops().copy.rows[bit_size(item)][0];
    const RecordScope scope([&] { return record_of_row("fill", count, item, 0, loop_name(kernel)); });
    if (count > 0) kernel({out.first(), bits, 1, count, 0, 0, item, 0});
    return;
  }
  // The value is an input that is broadcast along every axis.
  Layout repeated = Layout::uninitialised(out.layout->rank(), 0);
  for (int axis = 0; axis < out.layout->rank(); ++axis) {
    repeated.set_axis(axis, out.layout->length(axis), 0);
  }
  if (count == 0) return;
  std::byte* const storage[] = {out.storage, bits};
  run_recorded("fill", copy_plan_of(out, {bits, &repeated, out.dtype}), storage);
}

}  // namespace strided::kernels::copy
