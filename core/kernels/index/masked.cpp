#include "masked.hpp"

#include <cstring>

#include "dtype/bits.hpp"
#include "kernels/convert/packed.hpp"
#include "layout/bounds.hpp"
#include "plan/record.hpp"
#include "plan/split.hpp"
#include "plan/walk.hpp"
#include "run/interrupt.hpp"

namespace strided::kernels::index {
namespace {

constexpr const char* kFile = "kernels/index/masked.cpp";
constexpr Index kOrigin[] = {0, 0};  // of both operands of a space
// Between two questions whether to go on: to begin a row, and to find and move an element, take about as long as to
// read so many bytes.
constexpr Index kRowCost = 64, kElementCost = 8;

// In row-major order: axes are neither reordered nor flipped. Chunks are cut from the slowest axis, so that all of one
// comes before the next, and before axes are fused, so that they are the same whatever `other` is.
IterationSpace space_in_order(const Operand& mask, const Layout& other, Index size) {
  const SpaceOperand operands[] = {mask, {&other, size}};
  IterationSpace space = space_of(operands);
  drop_unit_axes(space);
  return space;
}

int chunks_of(const Operand& mask, const IterationSpace& space) {
  if (space.rank() == 0 || space.is_empty()) return 1;
  return static_cast<int>(std::min<Index>(threads_for(saturated_product(mask.layout->size(), 8)), space.shape[0]));
}

PlanRecord record_of(const char* operation, IterationSpace space, int chunks, std::vector<std::string> loops) {
  fuse_axes(space);
  return {operation, space, std::move(loops), chunks};
}

Index count_true(const std::byte* truth, Index n) {
  std::uint32_t count = 0;  // n <= kPackedBlock
  for (Index i = 0; i < n; ++i) count += truth[i] != std::byte{0};
  return count;
}

// Writes which of n <= kPackedBlock bytes are not zero; returns how many.
Index find_true(const std::byte* truth, Index n, std::uint16_t* found) {
  Index count = 0, i = 0;
  for (; i + 8 <= n; i += 8) {
    std::uint64_t eight;
    std::memcpy(&eight, truth + i, 8);
    if (eight == 0) continue;
    for (Index k = i; k < i + 8; ++k) {
      found[count] = static_cast<std::uint16_t>(k);
      count += truth[k] != std::byte{0};
    }
  }
  for (; i < n; ++i) {
    found[count] = static_cast<std::uint16_t>(i);
    count += truth[i] != std::byte{0};
  }
  return count;
}

}  // namespace

Masked::Masked(const Operand& mask) : mask_(mask) {
  const IterationSpace space = space_in_order(mask, *mask.layout, itemsize(mask.dtype));
  const int chunks = chunks_of(mask, space);
  counts_.assign(static_cast<std::size_t>(chunks) + 1, 0);
  if (space.is_empty()) return;
  const RecordScope scope([&] { return record_of("count_nonzero", space, chunks, {plain_loop(kFile, "count_true")}); });
  run_chunks_along(space, 0, chunks, [&](IterationSpace own, int chunk) {
    fuse_axes(own);
    const Index stride = own.inner_stride(0);
    convert::PackedReader reader(mask_.dtype, DType::Bool);
    Index count = 0;
    InterruptCheck check;
    for_each_row(own, kOrigin, [&](const Index* at) {
      for (Index i = 0; i < own.inner_length(); i += convert::kPackedBlock) {
        const Index n = std::min(convert::kPackedBlock, own.inner_length() - i);
        check.after(n + kRowCost);
        count += count_true(reader.read(mask_.storage + at[0] + i * stride, stride, n), n);
      }
    });
    counts_[static_cast<std::size_t>(chunk) + 1] = count;
  });
  for (std::size_t chunk = 1; chunk < counts_.size(); ++chunk) counts_[chunk] += counts_[chunk - 1];
}

// Calls block(number, n, found, at, stride): elements `number` .. number + n - 1 of those that are true lie
// found[0] * stride, found[1] * stride, ... behind `at`, in bytes over `other`.
template <class Block>
void Masked::for_each_block(const char* operation, const char* loop, const Layout& other, Index itemsize,
                            Block&& block) const {
  if (count() == 0) return;
  const IterationSpace space = space_in_order(mask_, other, itemsize);
  const int chunks = static_cast<int>(counts_.size()) - 1;
  const RecordScope scope([&] {
    return record_of(operation, space, chunks, {plain_loop(kFile, "find_true"), plain_loop(kFile, loop)});
  });
  run_chunks_along(space, 0, chunks, [&](IterationSpace own, int chunk) {
    fuse_axes(own);
    const Index length = own.inner_length();
    const Index stride = own.inner_stride(0);
    convert::PackedReader reader(mask_.dtype, DType::Bool);
    Index number = counts_[static_cast<std::size_t>(chunk)];
    const Index end = counts_[static_cast<std::size_t>(chunk) + 1];
    InterruptCheck check;
    for_each_row(own, kOrigin, [&](const Index* at) {
      for (Index i = 0; i < length && number < end; i += convert::kPackedBlock) {
        const Index n = std::min(convert::kPackedBlock, length - i);
        check.after(kElementCost * n + kRowCost);
        std::uint16_t found[convert::kPackedBlock + 1];
        const std::byte* const truth = reader.read(mask_.storage + at[0] + i * stride, stride, n);
        const Index count = std::min(find_true(truth, n, found), end - number);
        block(number, count, found, at[1] + i * own.inner_stride(1), own.inner_stride(1));
        number += count;
      }
    });
  });
}

// Elements between a list, an operand of rank 1, and where the mask is true in another.
template <class Move>
void Masked::move(const char* operation, const char* loop, const Operand& list, const Operand& other,
                  Move&& move) const {
  visit_bits(itemsize(list.dtype), [&]<class Bits>(Bits) {
    const Index step = list.step(0);
    std::byte *const first = list.first(), *const storage = other.storage;
    const auto block = [=](Index number, Index n, const std::uint16_t* found, Index at, Index stride) {
      for (Index i = 0; i < n; ++i) {
        move.template operator()<Bits>(first + (number + i) * step, storage + at + found[i] * stride);
      }
    };
    for_each_block(operation, loop, *other.layout, Index{sizeof(Bits)}, block);
  });
}

void Masked::take(const Operand& out, const Operand& in) const {
  move("masked_select", "take", out, in, []<class Bits>(std::byte* to, const std::byte* from) {
    store(to, load<Bits>(from));
  });
}

void Masked::put(const Operand& out, const Operand& in) const {
  move("masked_scatter", "put", in, out, []<class Bits>(const std::byte* from, std::byte* to) {
    store(to, load<Bits>(from));
  });
}

void Masked::write_positions(const Operand& out) const {
  const Layout flat = Layout::row_major(mask_.layout->shape());
  const int rank = flat.rank();
  if (rank == 0) return;  // rows of no columns
  const Index row_step = out.step(0);
  const Index column_step = out.step(1);
  std::byte* const first = out.first();
  if (rank == 1) {
    const auto write = [=](Index number, Index n, const std::uint16_t* found, Index at, Index stride) {
      for (Index i = 0; i < n; ++i) store<Index>(first + (number + i) * row_step, at + found[i] * stride);
    };
    return for_each_block("nonzero", "write_positions", flat, 1, write);
  }
  const SpaceOperand counted[] = {{&flat, 1}};
  const IterationSpace space = space_of(counted);
  const Index columns = flat.length(rank - 1);
  // By value: what is only referred to would be read anew after every store.
  const auto write = [=, &space](Index number, Index n, const std::uint16_t* found, Index at, Index stride) {
    std::byte* row = first + number * row_step;
    // All but the last number stay the same along the last axis.
    Index line[kMaxRank];
    Index begin = 0, end = 0;
    for (Index i = 0; i < n; ++i, row += row_step) {
      const Index position = at + found[i] * stride;
      if (position < begin || position >= end) {
        indices_of(space, rank, position, line);
        begin = position - line[rank - 1];
        end = begin + columns;
      }
      for (int axis = 0; axis + 1 < rank; ++axis) store<Index>(row + axis * column_step, line[axis]);
      store<Index>(row + (rank - 1) * column_step, position - begin);
    }
  };
  for_each_block("nonzero", "write_positions", flat, 1, write);
}

}  // namespace strided::kernels::index
