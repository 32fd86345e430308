#include "index_positions.hpp"

#include <atomic>
#include <limits>

#include "errors.hpp"
#include "layout/bounds.hpp"
#include "run/parts.hpp"
#include "plan/walk.hpp"

namespace strided {
namespace {

IterationSpace row_major_plan(const Operand& operand) {
  const SpaceOperand operands[] = {{operand.layout, itemsize(operand.dtype)}};
  IterationSpace plan = space_of(operands);
  drop_unit_axes(plan);
  fuse_axes(plan);
  return plan;
}

// Calls f(positions, stride, n) for blocks of n <= kBlock, in row-major order.
template <class F>
void for_each_block_of(const Operand& positions, F&& f) {
  if (positions.layout->size() == 0) return;
  const IterationSpace plan = row_major_plan(positions);
  const Index stride = plan.inner_stride(0);
  for_each_row(plan, &positions.storage, [&](std::byte* const* row) {
    for (Index i = 0; i < plan.inner_length(); i += kBlock) {
      f(row[0] + i * stride, stride, std::min(kBlock, plan.inner_length() - i));
    }
  });
}

// Reads in any order.
bool are_inside(const Operand& positions, Index length) {
  if (positions.layout->size() == 0) return true;
  const SpaceOperand operands[] = {{positions.layout, itemsize(positions.dtype)}};
  const IterationSpace plan = ordered_space_of(operands);
  const Index n = plan.inner_length(), stride = plan.inner_stride(0);
  std::atomic<bool> inside{true};
  for_each_row(plan, &positions.storage, [&](std::byte* const* row) {
    in_parts(interruptible_pieces_for(static_cast<std::size_t>(n) * sizeof(Index)), n, [&](int, Index begin, Index end) {
      PositionReader reader(positions.dtype, {length, 1});
      for (Index i = begin; i < end; i += kBlock) {
        if (reader.read(row[0] + i * stride, stride, std::min(kBlock, end - i), nullptr)) continue;
        inside.store(false, std::memory_order_relaxed);
      }
    });
  });
  return inside;
}

}  // namespace

bool PositionReader::read(const std::byte* positions, Index stride, Index n, Index* places) {
  const std::byte* const block = reader_.read(positions, stride, n);
  return loops().gather.resolve(n, block, axis_.length, axis_.step, wide_, places);
}

void check_positions(const Operand& positions, Index length, int axis) {
  if (are_inside(positions, length)) return;
  for_each_block_of(positions, [&](const std::byte* block, Index stride, Index n) {
    BlockReader plain(positions.dtype, DType::Int64);
    const std::byte* const numbers = plain.read(block, stride, n);
    for (Index i = 0; i < n; ++i) {
      Index asked = element<Index>(numbers, i);
      if (positions.dtype == DType::UInt64 && asked < 0) asked = std::numeric_limits<Index>::max();
      if (asked < -length || asked >= length) throw errors::index_out_of_bounds(asked, length, axis);
    }
  });
}

std::vector<Index> places_of(const Operand& picked, std::span<const Operand> positions) {
  std::vector<Index> places(static_cast<std::size_t>(positions[0].layout->size()), 0);
  for (std::size_t k = 0; k < positions.size(); ++k) {
    const int axis = static_cast<int>(k);
    const Index length = picked.layout->length(axis);
    const Index step = scaled(picked.layout->stride(axis), itemsize(picked.dtype), length);
    PositionReader reader(positions[k].dtype, {length, step});
    Index* next = places.data();
    bool inside = true;
    for_each_block_of(positions[k], [&](const std::byte* block, Index stride, Index n) {
      Index steps[kBlock];
      inside &= reader.read(block, stride, n, steps);
      for (Index i = 0; i < n; ++i) next[i] += steps[i];
      next += n;
    });
    if (!inside) check_positions(positions[k], length, axis);
  }
  return places;
}

std::vector<Index> places_of_flat(const Operand& picked, const Operand& positions) {
  const IterationSpace plan = row_major_plan(picked);
  const Index length = picked.layout->size();
  std::vector<Index> places(static_cast<std::size_t>(positions.layout->size()), 0);
  if (length == 0) {
    check_positions(positions, length, 0);
    return places;
  }
  PositionReader reader(positions.dtype, {length, 1});
  Index* next = places.data();
  bool inside = true;
  for_each_block_of(positions, [&](const std::byte* block, Index stride, Index n) {
    inside &= reader.read(block, stride, n, next);
    for (Index i = 0; i < n; ++i) next[i] = offset_of(plan, 0, 0, plan.rank(), next[i]);
    next += n;
  });
  if (!inside) check_positions(positions, length, 0);
  return places;
}

}  // namespace strided
