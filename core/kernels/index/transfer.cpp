#include "transfer.hpp"

#include <atomic>
#include <cassert>
#include <cstdlib>

#include "move_loops.hpp"
#include "plan/split.hpp"
#include "plan/walk.hpp"
#include "run/machine.hpp"
#include "run/parts.hpp"

namespace strided {
namespace {

// Rows shorter than this would leave too many lines half written.
constexpr Index kLeastStreamed = 4 * kLine;

struct Transfer {
  IterationSpace index_axes;  // listed, picked, index
  IterationSpace free_axes;   // listed, picked: from where an index axis stands
  DType index_dtype{};
  PickedAxis axis{};
  bool resolved = false;  // the index holds places, not positions
  bool rows_inside = false;
  Index size = 0;       // of an element, in bytes
  Index row_bytes = 0;  // what is moved at each place, side by side
  MoveLoops move{};
  PackedRowsLoop packed_rows = nullptr;  // where whole rows are copied
  // Only rows at places in this range are moved; the others belong to another thread.
  bool in_range = false;
  Index lowest = 0, highest = 0;
};

// Splits axes into groups, orders and fuses each. Reading may happen in any order; what is written must be
// visited in row-major order along the axes that positions replace. Those have no picked stride, so they
// fuse with no other.
void plan_axes(Transfer& transfer, const TransferShape& shape, bool reading) {
  IterationSpace& by_index = transfer.index_axes;
  IterationSpace& free = transfer.free_axes;
  by_index.operands = 3;
  free.operands = 2;
  for (int k = 0; k < 3; ++k) by_index.start[k] = 0;
  for (int k = 0; k < 2; ++k) free.start[k] = 0;
  int replaced = 0;
  for (int axis = 0; axis < shape.lengths.size(); ++axis) {
    if (shape.lengths[axis] == 1) continue;
    const bool varies = shape.strides[kIndex][axis] != 0 || shape.strides[kPicked][axis] == 0;
    replaced += varies && shape.strides[kPicked][axis] == 0;
    IterationSpace& plan = varies ? by_index : free;
    plan.shape.push_back(shape.lengths[axis]);
    for (int k = 0; k < plan.operands; ++k) plan.strides[k].push_back(shape.strides[k][axis]);
  }
  // One replaced axis is in order wherever it stands among others.
  if (reading || replaced <= 1) order_axes(by_index);
  if (reading) flip_negative_steps(by_index);
  fuse_axes(by_index);
  order_axes(free);
  flip_negative_steps(free);
  fuse_axes(free);
  transfer.rows_inside =
      free.rank() > 0 && std::abs(free.inner_stride(kPicked)) <= std::abs(transfer.axis.step);
  const bool side_by_side = transfer.rows_inside && std::abs(free.inner_stride(kPicked)) == transfer.size;
  transfer.row_bytes = side_by_side ? free.inner_length() * transfer.size : transfer.size;
}

// Short rows without gaps move as one element each.
template <class How>
void choose_moving_loops(Transfer& transfer) {
  IterationSpace& free = transfer.free_axes;
  const Index size = transfer.size;
  Index moved = size;
  if (free.rank() == 1 && free.strides[kListed][0] == size && free.strides[kPicked][0] == size) {
    const Index row = free.shape[0] * size;
    if (moving_loops<How>(row).row != nullptr) {
      moved = row;
      free.shape.resize(0);
      for (int k = 0; k < 2; ++k) {
        free.strides[k].resize(0);
        transfer.index_axes.start[k] += free.start[k];  // not 0 where the row was turned round
      }
      transfer.rows_inside = false;
    } else if (transfer.rows_inside) {
      transfer.packed_rows = &move_packed_rows<How>;
    }
  }
  transfer.move = moving_loops<How>(moved);
}

void choose_loops(Transfer& transfer, Combine how, DType dtype) {
  switch (how) {
    case Combine::Put: return choose_moving_loops<Put>(transfer);
    case Combine::Add: transfer.move = joining_loops<Combine::Add>(dtype); break;
    case Combine::Multiply: transfer.move = joining_loops<Combine::Multiply>(dtype); break;
    case Combine::Least: transfer.move = joining_loops<Combine::Least>(dtype); break;
    case Combine::Greatest: transfer.move = joining_loops<Combine::Greatest>(dtype); break;
  }
  assert(transfer.move.row != nullptr);
}

// n places along the innermost index axis.
void move_block(const Transfer& transfer, std::byte* listed, std::byte* picked, Index n, const Index* places) {
  const Index listed_step = transfer.index_axes.inner_stride(kListed);
  const Index picked_step = transfer.index_axes.inner_stride(kPicked);
  const IterationSpace& free = transfer.free_axes;
  if (free.rank() == 0) return transfer.move.places(n, listed, listed_step, picked, picked_step, places);
  const Index length = free.inner_length();
  const Index free_listed = free.inner_stride(kListed);
  const Index free_picked = free.inner_stride(kPicked);
  if (transfer.packed_rows) {
    const Index bytes = length * free_listed;
    // A part of the rows starts further on.
    transfer.packed_rows(n, listed + free.start[kListed], listed_step, picked + free.start[kPicked],
                         picked_step, places, bytes);
    return;
  }
  if (transfer.rows_inside) {
    for (Index i = 0; i < n; ++i) {
      const Index next = i + kRowsAhead;
      if (next < n) send_for(picked + next * picked_step + places[next], transfer.row_bytes);
      std::byte* const sides[] = {listed + i * listed_step, picked + i * picked_step + places[i]};
      for_each_row(free, sides, [&](std::byte* const* at) {
        transfer.move.row(length, at[0], free_listed, at[1], free_picked);
      });
    }
    return;
  }
  std::byte* const sides[] = {listed, picked};
  for_each_row(free, sides, [&](std::byte* const* at) {
    for (Index i = 0; i < length; ++i) {
      transfer.move.places(n, at[0] + i * free_listed, listed_step, at[1] + i * free_picked, picked_step,
                           places);
    }
  });
}

void move_in_range(const Transfer& transfer, std::byte* listed, std::byte* picked, Index n,
                   const Index* places) {
  const Index listed_step = transfer.index_axes.inner_stride(kListed);
  const Index picked_step = transfer.index_axes.inner_stride(kPicked);
  Index own[kBlock + kRowsAhead];
  Index count = 0;
  for (Index i = 0; i < n; ++i) {
    own[count] = i;
    count += places[i] >= transfer.lowest && places[i] <= transfer.highest;
  }
  for (Index k = 0; k < count; ++k) {
    const Index i = own[k];
    if (k + kRowsAhead < count) {
      const Index next = own[k + kRowsAhead];
      send_for(picked + next * picked_step + places[next], transfer.row_bytes);
      send_for(listed + next * listed_step, transfer.row_bytes);  // listed rows are left out, too
    }
    move_block(transfer, listed + i * listed_step, picked + i * picked_step, 1, places + i);
  }
}

// False if a position was outside; nothing is moved for its block.
bool move_all(const Transfer& transfer, std::byte* const* sides) {
  const IterationSpace& plan = transfer.index_axes;
  const Index length = plan.inner_length();
  const Index stride = plan.inner_stride(kIndex);
  PositionReader reader(transfer.index_dtype, transfer.axis);
  bool inside = true;
  for_each_row(plan, sides, [&](std::byte* const* row) {
    for (Index first = 0; first < length; first += kBlock) {
      const Index n = std::min(kBlock, length - first);
      std::byte* const at = row[kIndex] + first * stride;
      Index own[kBlock];
      const Index* places = own;
      if (!transfer.resolved) {
        if (!reader.read(at, stride, n, own)) {
          inside = false;
          continue;
        }
      } else if (stride == sizeof(Index)) {
        places = reinterpret_cast<const Index*>(at);
      } else {
        for (Index i = 0; i < n; ++i) own[i] = load<Index>(at + i * stride);
      }
      std::byte* const listed = row[kListed] + first * plan.inner_stride(kListed);
      std::byte* const picked = row[kPicked] + first * plan.inner_stride(kPicked);
      if (transfer.in_range) move_in_range(transfer, listed, picked, n, places);
      else move_block(transfer, listed, picked, n, places);
    }
  });
  return inside;
}

// The axis to share among threads: the longest one. Of what is written only axes that keep apart the places
// written to: free ones, and those that positions do not replace. Not the rows themselves: threads that
// write to different parts of one row at a time take its cache lines from each other.
struct Cut {
  IterationSpace* plan = nullptr;
  int axis = 0;
  Index length = 1;
};

Cut longest_axis(Transfer& transfer, bool reading) {
  Cut cut;
  for (IterationSpace* plan : {&transfer.index_axes, &transfer.free_axes}) {
    for (int axis = 0; axis < plan->rank(); ++axis) {
      if (!reading && plan->strides[kPicked][axis] == 0) continue;
      const bool is_row = plan == &transfer.free_axes && axis + 1 == plan->rank() && transfer.rows_inside;
      if (!reading && is_row) continue;
      if (plan->shape[axis] > cut.length) cut = {plan, axis, plan->shape[axis]};
    }
  }
  return cut;
}

// Rows are written by whoever has a range of the places they go to; each thread reads all positions.
bool run_by_place(const Transfer& transfer, std::byte* const* sides, int pieces) {
  const auto [length, step] = transfer.axis;
  std::atomic<bool> inside{true};
  in_parts(pieces, length, [&](int, Index begin, Index end) {
    if (begin == end) return;
    Transfer part = transfer;
    part.in_range = true;
    part.lowest = std::min(begin * step, (end - 1) * step);
    part.highest = std::max(begin * step, (end - 1) * step);
    if (!move_all(part, sides)) inside.store(false, std::memory_order_relaxed);
  });
  return inside;
}

bool run(Transfer& transfer, std::byte* const* sides, bool reading, Index elements) {
  // What lies far away costs about half a cache line more than its bytes.
  const auto rows = static_cast<std::size_t>(elements * transfer.size / transfer.row_bytes);
  const std::size_t traffic = rows * static_cast<std::size_t>(2 * transfer.row_bytes + 32);
  const Cut cut = longest_axis(transfer, reading);
  const bool of_index = cut.plan == &transfer.index_axes;
  // Parts of a free axis all go through the positions again: not more of them than needed.
  const int worthwhile = of_index ? pieces_for(traffic) : std::min(pieces_for(traffic), thread_count());
  const int pieces = static_cast<int>(std::min<Index>(worthwhile, cut.length));
  if (pieces <= 1) {
    const bool by_place = !reading && transfer.rows_inside && !transfer.resolved;
    const int parts = by_place ? parts_for(static_cast<Index>(traffic)) : 1;
    return parts > 1 ? run_by_place(transfer, sides, parts) : move_all(transfer, sides);
  }
  std::atomic<bool> inside{true};
  in_parts(pieces, cut.length, [&](int, Index begin, Index end) {
    Transfer part = transfer;
    IterationSpace& plan = of_index ? part.index_axes : part.free_axes;
    plan = narrowed(plan, cut.axis, begin, end - begin);
    if (!move_all(part, sides)) inside.store(false, std::memory_order_relaxed);
  });
  return inside;
}

Transfer start(const Operand& listed, const PickedPositions& positions) {
  Transfer transfer;
  transfer.index_dtype = positions.index.dtype;
  transfer.axis = positions.axis;
  transfer.resolved = positions.resolved;
  transfer.size = itemsize(listed.dtype);
  return transfer;
}

void check(const PickedPositions& positions) {
  if (!positions.resolved) check_positions(positions.index, positions.axis.length, positions.number);
}

}  // namespace

void transfer_out(const TransferShape& shape, const Operand& listed, const Operand& picked,
                  const PickedPositions& positions) {
  if (listed.layout->size() == 0) return check(positions);
  Transfer transfer = start(listed, positions);
  plan_axes(transfer, shape, true);
  choose_moving_loops<Take>(transfer);
  const bool large = worth_streaming(listed.layout->size() * transfer.size);
  if (transfer.packed_rows && large && transfer.row_bytes >= kLeastStreamed) {
    transfer.packed_rows = &stream_packed_rows;
  }
  std::byte* const sides[] = {listed.first(), picked.first(), positions.index.first()};
  if (!run(transfer, sides, true, listed.layout->size())) check(positions);
}

void transfer_in(const TransferShape& shape, const Operand& listed, const Operand& picked,
                 const PickedPositions& positions, Combine how) {
  check(positions);
  if (listed.layout->size() == 0) return;
  Transfer transfer = start(listed, positions);
  plan_axes(transfer, shape, false);
  choose_loops(transfer, how, picked.dtype);
  std::byte* const sides[] = {listed.first(), picked.first(), positions.index.first()};
  run(transfer, sides, false, listed.layout->size());
}

}  // namespace strided
