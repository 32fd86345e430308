#include "gather_scatter.hpp"

#include <atomic>
#include <cassert>
#include <cstdlib>

#include "kernels/loop_names.hpp"
#include "layout/bounds.hpp"
#include "move_loops.hpp"
#include "plan/record.hpp"
#include "plan/split.hpp"
#include "plan/walk.hpp"
#include "run/interrupt.hpp"
#include "run/machine.hpp"

namespace strided::kernels::index {
namespace {

// Shorter rows would leave too many cache lines half written: a row of four has at most one in five of them so.
constexpr Index kLeastStreamed = 4 * kLine;
// What lies far away costs about half a cache line more than its bytes.
constexpr Index kFarCost = kLine / 2;
// Between two questions whether to go on: some milliseconds.
constexpr Index kBytesAtATime = Index{4} << 20;

struct Transfer {
  const TransferAxes* axes;
  DType index_dtype{};
  PickedAxis axis{};
  bool resolved = false;  // the index holds places, not positions
  bool rows_inside = false;
  Index size = 0;       // of an element, in bytes
  Index row_bytes = 0;  // of the packed elements that are moved at each place
  MoveLoops move{};
  PackedRowsLoop packed_rows = nullptr;  // where whole rows are copied
  bool streams = false;
  // Only rows at places in this range are moved; the others belong to another thread.
  bool in_range = false;
  Index lowest = 0, highest = 0;
};

void order_and_fuse(IterationSpace& group) {
  order_axes(group);
  flip_negative_steps(group);
  fuse_axes(group);
}

// Does each place move a row along the innermost free axis, or each element along it a block of places? The side that
// is picked from decides, unless it repeats its elements.
bool are_rows_inside(const Transfer& transfer) {
  const IterationSpace &by_index = transfer.axes->index, &free = transfer.axes->free;
  if (free.rank() == 0) return false;
  const Index along = std::abs(free.inner_stride(kPicked)), between = std::abs(transfer.axis.step);
  if (along != 0 && between != 0) return along <= between;
  return by_index.rank() == 0 || std::abs(free.inner_stride(kListed)) <= std::abs(by_index.inner_stride(kListed));
}

// Orders and fuses the axes of each group. Reading may happen in any order; what is written must be
// visited in row-major order along the axes that positions replace. Those have no picked stride, so they
// fuse with no other that is written along.
void plan_axes(Transfer& transfer, TransferAxes& axes, bool reading) {
  if (reading) {
    order_and_fuse(axes.index);
  } else {
    // One replaced axis is in order wherever it stands among others.
    if (axes.replaced <= 1) order_axes(axes.index);
    fuse_axes(axes.index);
  }
  order_and_fuse(axes.free);
  transfer.axes = &axes;
  transfer.rows_inside = are_rows_inside(transfer);
  const bool packed = transfer.rows_inside && std::abs(axes.free.inner_stride(kPicked)) == transfer.size;
  transfer.row_bytes = packed ? axes.free.inner_length() * transfer.size : transfer.size;
}

// Index axes and free axes in one space, each with its role.
IterationSpace joined(const Transfer& transfer) {
  IterationSpace space = transfer.axes->index;
  for (int axis = 0; axis < space.rank(); ++axis) {
    if (space.strides[kPicked][axis] == 0) space.roles[axis] = Role::Pick;
  }
  const IterationSpace& free = transfer.axes->free;
  for (int axis = 0; axis < free.rank(); ++axis) {
    const bool is_row = transfer.rows_inside && axis + 1 == free.rank();
    const Index steps[] = {free.strides[kListed][axis], free.strides[kPicked][axis], 0};
    space.add_axis(free.shape[axis], is_row ? Role::Row : Role::Map, steps);
  }
  return space;
}

// Short rows without gaps move as one element each.
template <class How>
void choose_moving_loops(Transfer& transfer, TransferAxes& axes) {
  IterationSpace& free = axes.free;
  const Index size = transfer.size;
  Index moved = size;
  if (free.rank() == 1 && free.strides[kListed][0] == size && free.strides[kPicked][0] == size) {
    const Index row = free.shape[0] * size;
    if (moving_loops<How>(row).row != nullptr) {
      moved = row;
      free.shape.resize(0);
      for (int k = 0; k < free.operands; ++k) axes.index.start[k] += free.start[k];  // not 0 where the row was reversed
      transfer.rows_inside = false;
    } else if (transfer.rows_inside) {
      transfer.packed_rows = &move_packed_rows<How>;
    }
  }
  transfer.move = moving_loops<How>(moved);
}

void choose_loops(Transfer& transfer, TransferAxes& axes, Combine how, DType dtype) {
  switch (how) {
    case Combine::Put: return choose_moving_loops<Put>(transfer, axes);
    case Combine::Add: transfer.move = joining_loops<Combine::Add>(dtype); break;
    case Combine::Multiply: transfer.move = joining_loops<Combine::Multiply>(dtype); break;
    case Combine::Least: transfer.move = joining_loops<Combine::Least>(dtype); break;
    case Combine::Greatest: transfer.move = joining_loops<Combine::Greatest>(dtype); break;
  }
  assert(transfer.move.row != nullptr);
}

// The name of the loop that move_block ends in.
const char* moving_loop(const Transfer& transfer) {
  if (transfer.streams) return "stream_packed_rows";
  if (transfer.packed_rows) return "move_packed_rows";
  return transfer.rows_inside ? "move_row" : "move_places";
}

// n places along the innermost index axis.
void move_block(const Transfer& transfer, std::byte* listed, std::byte* picked, Index n, const Index* places,
                InterruptCheck& check) {
  const Index listed_step = transfer.axes->index.inner_stride(kListed);
  const Index picked_step = transfer.axes->index.inner_stride(kPicked);
  const IterationSpace& free = transfer.axes->free;
  if (free.rank() == 0) {
    check.after(n * kFarCost);
    return transfer.move.places(n, listed, listed_step, picked, picked_step, places);
  }
  const Index length = free.inner_length();
  const Index free_listed = free.inner_stride(kListed);
  const Index free_picked = free.inner_stride(kPicked);
  if (transfer.packed_rows) {
    const Index bytes = length * free_listed;
    // A chunk of the rows starts further on.
    listed += free.start[kListed];
    picked += free.start[kPicked];
    run_in_steps(0, n, std::max<Index>(kBytesAtATime / bytes, 1), [&](Index begin, Index end) {
      transfer.packed_rows(end - begin, listed + begin * listed_step, listed_step, picked + begin * picked_step,
                           picked_step, places + begin, bytes);
    });
    return check.after(n * (bytes + kFarCost));
  }
  if (transfer.rows_inside) {
    for (Index i = 0; i < n; ++i) {
      const Index next = i + kRowsAhead;
      if (next < n) prefetch_row(picked + next * picked_step + places[next], transfer.row_bytes);
      std::byte* const sides[] = {listed + i * listed_step, picked + i * picked_step + places[i]};
      for_each_row(free, sides, [&](std::byte* const* at) {
        transfer.move.row(length, at[0], free_listed, at[1], free_picked);
        check.after(length * transfer.size + kFarCost);
      });
    }
    return;
  }
  std::byte* const sides[] = {listed, picked};
  for_each_row(free, sides, [&](std::byte* const* at) {
    for (Index i = 0; i < length; ++i) {
      transfer.move.places(n, at[0] + i * free_listed, listed_step, at[1] + i * free_picked, picked_step, places);
      check.after(n * kFarCost);
    }
  });
}

void move_in_range(const Transfer& transfer, std::byte* listed, std::byte* picked, Index n, const Index* places,
                   InterruptCheck& check) {
  const Index listed_step = transfer.axes->index.inner_stride(kListed);
  const Index picked_step = transfer.axes->index.inner_stride(kPicked);
  Index own[convert::kPackedBlock + kRowsAhead];
  Index count = 0;
  for (Index i = 0; i < n; ++i) {
    own[count] = i;
    count += places[i] >= transfer.lowest && places[i] <= transfer.highest;
  }
  for (Index k = 0; k < count; ++k) {
    const Index i = own[k];
    if (k + kRowsAhead < count) {
      const Index next = own[k + kRowsAhead];
      prefetch_row(picked + next * picked_step + places[next], transfer.row_bytes);
      prefetch_row(listed + next * listed_step, transfer.row_bytes);  // listed rows are left out, too
    }
    move_block(transfer, listed + i * listed_step, picked + i * picked_step, 1, places + i, check);
  }
}

// False if a position was outside; nothing is moved for its block.
bool move_all(const Transfer& transfer, std::byte* const* sides) {
  const IterationSpace& plan = transfer.axes->index;
  const Index length = plan.inner_length();
  const Index stride = plan.inner_stride(kIndex);
  PositionReader reader(transfer.index_dtype, transfer.axis);
  bool inside = true;
  InterruptCheck check;
  for_each_row(plan, sides, [&](std::byte* const* row) {
    for (Index first = 0; first < length; first += convert::kPackedBlock) {
      const Index n = std::min(convert::kPackedBlock, length - first);
      std::byte* const at = row[kIndex] + first * stride;
      Index own[convert::kPackedBlock];
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
      if (transfer.in_range) move_in_range(transfer, listed, picked, n, places, check);
      else move_block(transfer, listed, picked, n, places, check);
    }
  });
  return inside;
}

// The axes that may be cut into chunks. Where elements are written, only those along which chunks write to different
// places: free ones, and those that positions do not replace. Not the rows themselves: threads that write to one row at
// a time take its cache lines from each other.
AxisSet cuttable_axes(const IterationSpace& space, bool reading) {
  if (reading) return kAllAxes;
  AxisSet axes = 0;
  for (int axis = 0; axis < space.rank(); ++axis) {
    const bool is_disjoint = space.roles[axis] == Role::Map && space.strides[kPicked][axis] != 0;
    if (is_disjoint) axes |= only_axis(axis);
  }
  return axes;
}

// Rows are written by whoever has a range of the places they go to; each thread reads all positions.
bool run_by_place(const Transfer& transfer, std::byte* const* sides, int chunks) {
  const auto [length, step] = transfer.axis;
  std::atomic<bool> inside{true};
  run_range_in_chunks(length, chunks, [&](int, Index begin, Index end) {
    if (begin == end) return;
    Transfer own = transfer;
    own.in_range = true;
    own.lowest = std::min(begin * step, (end - 1) * step);
    own.highest = std::max(begin * step, (end - 1) * step);
    if (!move_all(own, sides)) inside.store(false, std::memory_order_relaxed);
  });
  return inside;
}

struct Chunks {
  int axis = -1;  // of both groups; -1: none, or by place
  int count = 1;
};

Chunks choose_chunks(const Transfer& transfer, bool reading, std::size_t traffic) {
  // Chunks of a free axis all go through the positions again. Where these are few, it may have as many as it takes to
  // interrupt a long row in between.
  const bool few = transfer.axes->index.size() <= convert::kPackedBlock;
  const int worthwhile = few ? interruptible_chunks_for(traffic) : chunks_for(traffic);
  if (worthwhile == 1) return {};
  const int threads = threads_for(static_cast<Index>(traffic));
  const int index_axes = transfer.axes->index.rank();
  const IterationSpace space = joined(transfer);
  const int axis = split_axis(space, few ? worthwhile : threads, cuttable_axes(space, reading));
  if (axis >= 0 && space.shape[axis] > 1) {
    const bool is_cheap = few || axis < index_axes;
    return {axis, static_cast<int>(std::min<Index>(is_cheap ? worthwhile : threads, space.shape[axis]))};
  }
  const bool by_place = !reading && transfer.rows_inside && !transfer.resolved;
  return {-1, by_place ? threads : 1};
}

bool transfer_chunks(const Transfer& transfer, std::byte* const* sides, Chunks chunks) {
  if (chunks.count == 1) return move_all(transfer, sides);
  if (chunks.axis < 0) return run_by_place(transfer, sides, chunks.count);
  const int index_axes = transfer.axes->index.rank();
  std::atomic<bool> inside{true};
  run_chunks(chunks.count, [&](int chunk) {
    TransferAxes axes = *transfer.axes;
    const bool of_index = chunks.axis < index_axes;
    IterationSpace& group = of_index ? axes.index : axes.free;
    const int axis = of_index ? chunks.axis : chunks.axis - index_axes;
    // Even chunks: an index may stand for a long row.
    const Index begin = chunk_begin(group.shape[axis], chunks.count, chunk);
    group = narrowed(group, axis, begin, chunk_begin(group.shape[axis], chunks.count, chunk + 1) - begin);
    Transfer own = transfer;
    own.axes = &axes;
    if (!move_all(own, sides)) inside.store(false, std::memory_order_relaxed);
  });
  return inside;
}

bool run(const Transfer& transfer, std::byte* const* sides, bool reading, Index elements) {
  const auto rows = static_cast<std::size_t>(saturated_product(elements, transfer.size) / transfer.row_bytes);
  const std::size_t traffic = rows * static_cast<std::size_t>(2 * transfer.row_bytes + kFarCost);
  const Chunks chunks = choose_chunks(transfer, reading, traffic);
  const RecordScope scope([&] {
    PlanRecord record(reading ? "gather" : "scatter", joined(transfer));
    record.chunks = chunks.count;
    record.streams = transfer.streams;
    if (!transfer.resolved) record.loops = {loop_name(loops().gather.resolve)};
    record.loops.push_back(plain_loop("kernels/index/move_loops.hpp", moving_loop(transfer)));
    return record;
  });
  return transfer_chunks(transfer, sides, chunks);
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

void run_gather(TransferAxes&& axes, const Operand& listed, const Operand& picked,
                const PickedPositions& positions) {
  if (listed.layout->size() == 0) return check(positions);
  Transfer transfer = start(listed, positions);
  plan_axes(transfer, axes, true);
  choose_moving_loops<Take>(transfer, axes);
  const bool large = worth_streaming(listed.layout->size() * transfer.size);
  if (transfer.packed_rows && large && transfer.row_bytes >= kLeastStreamed) {
    transfer.packed_rows = &stream_packed_rows;
    transfer.streams = true;
  }
  std::byte* const sides[] = {listed.first(), picked.first(), positions.index.first()};
  if (!run(transfer, sides, true, listed.layout->size())) check(positions);
}

void run_scatter(TransferAxes&& axes, const Operand& listed, const Operand& picked,
                 const PickedPositions& positions, Combine how) {
  check(positions);
  if (listed.layout->size() == 0) return;
  Transfer transfer = start(listed, positions);
  plan_axes(transfer, axes, false);
  choose_loops(transfer, axes, how, picked.dtype);
  std::byte* const sides[] = {listed.first(), picked.first(), positions.index.first()};
  run(transfer, sides, false, listed.layout->size());
}

}  // namespace strided::kernels::index
