#include "checked_positions.hpp"

#include <algorithm>
#include <atomic>
#include <limits>

#include "errors.hpp"
#include "kernels/loop_names.hpp"
#include "layout/bounds.hpp"
#include "layout/contiguity.hpp"
#include "plan/record.hpp"
#include "plan/split.hpp"
#include "plan/walk.hpp"

namespace strided::kernels::index {
namespace {

// Calls f(row, i, n) for blocks of n <= kPackedBlock elements of rows, from element i of the row on.
template <class F>
void for_each_row_block(const IterationSpace& space, std::byte* const* storage, F&& f) {
  for_each_row(space, storage, [&](std::byte* const* row) {
    for (Index i = 0; i < space.inner_length(); i += convert::kPackedBlock) {
      f(row, i, std::min(convert::kPackedBlock, space.inner_length() - i));
    }
  });
}

PlanRecord record_of(const char* operation, const IterationSpace& space, int chunks) {
  return {operation, space, {loop_name(loops().gather.resolve)}, chunks};
}

int chunks_for(const Operand& positions) {
  return interruptible_chunks_for(static_cast<std::size_t>(saturated_product(positions.layout->size(), sizeof(Index))));
}

// Reads in any order.
bool are_inside(const Operand& positions, Index length) {
  const SpaceOperand operands[] = {positions};
  const IterationSpace space = ordered_space_of(operands);
  const int chunks = chunks_for(positions);
  const RecordScope scope([&] { return record_of("check of positions", space, chunks); });
  std::atomic<bool> inside{true};
  run_in_chunks(space, chunks, [&](const IterationSpace& chunk) {
    PositionReader reader(positions.dtype, {length, 1});
    const Index stride = chunk.inner_stride(0);
    for_each_row_block(chunk, &positions.storage, [&](std::byte* const* row, Index i, Index n) {
      if (reader.read(row[0] + i * stride, stride, n, nullptr)) return;
      inside.store(false, std::memory_order_relaxed);
    });
  });
  return inside;
}

// Places, in row-major order of the positions, and the positions; in any order.
IterationSpace space_of_places(const Operand& positions) {
  const Index size = itemsize(positions.dtype);
  if (!is_row_major(*positions.layout)) {
    const Layout places = Layout::row_major(positions.layout->shape());
    const SpaceOperand operands[] = {{&places, Index{sizeof(Index)}}, positions};
    return ordered_space_of(operands);
  }
  IterationSpace space(2);
  space.start[1] = positions.layout->byte_offset(size);
  const Index steps[] = {Index{sizeof(Index)}, size};
  space.add_axis(positions.layout->size(), Role::Map, steps);
  return space;
}

// Calls finish(n, block, to) for blocks of places of positions along `axis`, which belong at `to`.
// False if a position is outside.
template <class Finish>
bool write_places(const Operand& positions, PickedAxis axis, Index* places, Finish&& finish) {
  const IterationSpace space = space_of_places(positions);
  const int chunks = chunks_for(positions);
  const RecordScope scope([&] { return record_of("places of positions", space, chunks); });
  std::byte* const storage[] = {reinterpret_cast<std::byte*>(places), positions.storage};
  std::atomic<bool> inside{true};
  run_in_chunks(space, chunks, [&](const IterationSpace& chunk) {
    PositionReader reader(positions.dtype, axis);
    const Index stride = chunk.inner_stride(1);
    for_each_row_block(chunk, storage, [&](std::byte* const* row, Index i, Index n) {
      Index block[convert::kPackedBlock];
      if (!reader.read(row[1] + i * stride, stride, n, block)) inside.store(false, std::memory_order_relaxed);
      finish(n, block, reinterpret_cast<Index*>(row[0]) + i);
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
  const SpaceOperand operands[] = {positions};
  const IterationSpace space = space_of(operands);
  convert::PackedReader reader(positions.dtype, DType::Int64);
  for_each_row_block(space, &positions.storage, [&](std::byte* const* row, Index first, Index n) {
    const std::byte* const numbers = reader.read(row[0] + first * space.inner_stride(0), space.inner_stride(0), n);
    for (Index i = 0; i < n; ++i) {
      Index asked = convert::element<Index>(numbers, i);
      if (positions.dtype == DType::UInt64 && asked < 0) asked = std::numeric_limits<Index>::max();
      if (asked < -length || asked >= length) throw errors::index_out_of_bounds(asked, length, axis);
    }
  });
}

std::unique_ptr<Index[]> places_of(const Operand& picked, std::span<const Operand> positions) {
  std::unique_ptr<Index[]> places(new Index[static_cast<std::size_t>(positions[0].layout->size())]);
  for (std::size_t k = 0; k < positions.size(); ++k) {
    const int axis = static_cast<int>(k);
    const Index length = picked.layout->length(axis);
    const Index step = scaled(picked.layout->stride(axis), itemsize(picked.dtype), length);
    const auto finish = [k](Index n, const Index* block, Index* to) {
      if (k == 0) std::copy_n(block, n, to);
      else for (Index i = 0; i < n; ++i) to[i] += block[i];
    };
    if (!write_places(positions[k], {length, step}, places.get(), finish)) check_positions(positions[k], length, axis);
  }
  return places;
}

std::unique_ptr<Index[]> places_of_flat(const Operand& picked, const Operand& positions) {
  const Index length = picked.layout->size();
  std::unique_ptr<Index[]> places(new Index[static_cast<std::size_t>(positions.layout->size())]);
  if (length == 0) {
    check_positions(positions, length, 0);
    return places;
  }
  if (is_row_major(*picked.layout)) {
    const auto finish = [](Index n, const Index* block, Index* to) { std::copy_n(block, n, to); };
    const PickedAxis axis{length, itemsize(picked.dtype)};
    if (!write_places(positions, axis, places.get(), finish)) check_positions(positions, length, 0);
    return places;
  }
  // Positions count in row-major order: axes are fused, but stay in order.
  const SpaceOperand operands[] = {picked};
  IterationSpace space = space_of(operands);
  drop_unit_axes(space);
  fuse_axes(space);
  const auto finish = [&](Index n, const Index* block, Index* to) {
    for (Index i = 0; i < n; ++i) to[i] = offset_of(space, 0, 0, space.rank(), block[i]);
  };
  if (!write_places(positions, {length, 1}, places.get(), finish)) check_positions(positions, length, 0);
  return places;
}

}  // namespace strided::kernels::index
