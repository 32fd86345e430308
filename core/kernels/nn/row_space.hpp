// Row kernels: what is done to each line along one axis, by threads that have buffers of their own.
#pragma once

#include "plan/line_tiles.hpp"
#include "plan/operand.hpp"
#include "plan/record.hpp"
#include "plan/split.hpp"
#include "run/interrupt.hpp"

namespace strided::kernels::nn {

// Which rows come first: as the axes have them, or neighbours in memory.
enum class RowOrder : std::uint8_t { AsGiven, InMemory };

// What is known of so many adjacent rows, such as their sums, stays in the first-level cache: three lists of float64
// numbers are 6 KiB.
inline constexpr Index kMostAdjacent = 256;

class RowSpace {
 public:
  static constexpr int kMost = 4;

  // Along the last axis. The operands have the same lengths on all other axes (stride 0 where one is repeated). With
  // `picked`, index i of the first axis of the first operand, which is not the last, is index picked[i] instead. Where
  // neighbouring rows of the `closer` operands lie closer together than the elements of a row, rows are adjacent.
  RowSpace(OperandList operands, RowOrder order, const Index* picked = nullptr, OperandSet closer = 0);
  // Along the innermost axis of the space that make() returns.
  template <class Make>
  RowSpace(OperandList operands, Make&& make) : space_(make()) {
    keep_storage(operands);
  }

  const IterationSpace& space() const { return space_; }
  Index count() const { return space_.size_of_first(space_.rank() - 1); }
  Index length() const { return space_.inner_length(); }
  // Bytes between the elements of a row.
  Index step(int operand) const { return space_.inner_stride(operand); }

  bool are_adjacent() const { return adjacent_; }
  // Bytes between the first elements of adjacent rows.
  Index adjacent_step(int operand) const { return space_.strides[operand][space_.rank() - 2]; }

  PlanRecord record(const char* operation, Index chunks, std::vector<std::string> loops, std::string tiles = {}) const;

  // Calls take(where each operand's row starts) for the rows begin .. end - 1, in order.
  template <class Take>
  void for_each(Index begin, Index end, Take&& take) const {
    const int axes = space_.rank() - 1;
    if (axes == 0 || space_.picked != nullptr) return for_each_position(space_, storage_, axes, begin, end, take);
    if (begin >= end) return;
    // Rows may be short: along the innermost of their axes all operands step without a walk.
    Index steps[kMost] = {};
    for (int k = 0; k < kMost; ++k) steps[k] = k < space_.operands ? space_.strides[k][axes - 1] : 0;
    Walk<std::byte*> walk(space_, storage_, axes, begin);
    while (true) {
      const Index run = std::min(walk.run(), end - begin);
      std::byte* row[kMost] = {};
      for (int k = 0; k < kMost; ++k) row[k] = k < space_.operands ? walk.places()[k] : nullptr;
      for (Index i = 0; i < run; ++i) {
        take(row);
        for (int k = 0; k < kMost; ++k) row[k] += steps[k];
      }
      if ((begin += run) == end) return;
      walk.skip(run);
    }
  }

  // Calls run(begin, end) for chunks of the rows, which move so many bytes in all. As in all of these functions,
  // loops() names the inner loops, for the plan.
  template <class Loops, class Run>
  void run_in_chunks(const char* operation, Index bytes, Loops&& loops, Run&& run) const {
    const int chunks = chunks_for(count(), bytes);
    const RecordScope scope([&]() __attribute__((noinline, cold)) { return record(operation, chunks, loops()); });
    run_range_in_chunks(count(), chunks, run);
  }

  // Calls make() once per chunk, for a worker with buffers of its own, and worker.run(where each operand's row starts)
  // for the rows of the chunk.
  template <class Loops, class Make>
  void run(const char* operation, Index bytes, Loops&& loops, Make&& make) const {
    run_in_chunks(operation, bytes, loops, [&](Index begin, Index end) {
      auto worker = make();
      for_each(begin, end, [&](std::byte* const* row) { worker.run(row); });
    });
  }

  // Calls run(block, begin, end) for blocks of the rows that do not depend on the number of threads.
  template <class Loops, class Run>
  void run_in_blocks(const char* operation, Index blocks, Loops&& loops, Run&& run) const {
    const RecordScope scope([&] { return record(operation, blocks, loops()); });
    strided::run_in_blocks(count(), blocks, false, run);
  }

  // As run(), for adjacent rows, at most `most` at a time:
  // worker.run(where the first starts, how many).
  template <class Loops, class Make>
  void run_adjacent(const char* operation, Index bytes, Index most, Loops&& loops, Make&& make) const {
    const int side = space_.rank() - 2;
    const Index worth = chunks_for(static_cast<std::size_t>(bytes));
    const Index width = tile_width(space_.shape[side], most, space_.size_of_first(side), worth);
    const LineTiles tiles(space_, width);
    const int chunks = chunks_for(tiles.count(), bytes);
    const RecordScope scope([&] { return record(operation, chunks, loops(), tiles.text()); });
    run_range_in_chunks(tiles.count(), chunks, [&](Index begin, Index end) {
      auto worker = make();
      tiles.for_each(storage_, begin, end, [&](std::byte* const* first, Index rows) {
        check_interrupt();  // a tile of long rows takes a while
        worker.run(first, rows);
      });
    });
  }

 private:
  void keep_storage(OperandList operands) {
    for (std::size_t k = 0; k < operands.size(); ++k) storage_[k] = operands[k]->storage;
  }

  bool adjacent_ = false;
  IterationSpace space_;
  std::byte* storage_[kMost];
};

}  // namespace strided::kernels::nn
