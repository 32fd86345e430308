// Chunks of a space, for threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <type_traits>

#include "axes.hpp"
#include "run/interrupt.hpp"
#include "run/pool.hpp"
#include "sizes.hpp"

namespace strided {

// Where chunk `chunk` of `chunks` even ones begins; chunk number `chunks` begins at n.
inline Index chunk_begin(Index n, Index chunks, Index chunk) {
  return n / chunks * chunk + std::min(n % chunks, chunk);
}

// Indices first .. first + length - 1 of an axis alone: of the space itself, or of a copy.
void narrow_axis(IterationSpace& space, int axis, Index first, Index length);
IterationSpace narrowed(const IterationSpace& space, int axis, Index first, Index length);

// Axes as bits: bit i is axis i.
using AxisSet = std::uint64_t;
inline constexpr AxisSet kAllAxes = ~AxisSet{0};
constexpr AxisSet only_axis(int axis) { return AxisSet{1} << axis; }

// Which axis to cut into independent chunks, of those that may be cut: along it chunks do not alternate within the
// cache lines of any operand, and it is long enough; or else the longest. -1 where none may be cut.
int split_axis(const IterationSpace& space, Index chunks, AxisSet cuttable = kAllAxes);

// What chunk `chunk` of `chunks` visits; empty where the axis has fewer steps than chunks.
IterationSpace chunk_of(const IterationSpace& space, int axis, Index chunk, Index chunks);

// How many indices of the axis the longest of these chunks has.
Index longest_chunk(const IterationSpace& space, int axis, Index chunks);

// Calls run(chunk) for the chunks of a space, on the threads of the pool.
template <class Run>
void run_in_chunks(const IterationSpace& space, int chunks, Run&& run) {
  if (chunks == 1 || space.rank() == 0) return run(space);
  const int axis = split_axis(space, chunks);
  run_chunks(chunks, [&](int chunk) { run(chunk_of(space, axis, chunk, chunks)); });
}

// Calls run(chunk of the space, its number) for chunks of one axis, in order of that axis, on the threads of the pool.
template <class Run>
void run_chunks_along(const IterationSpace& space, int axis, int chunks, Run&& run) {
  if (chunks == 1) return run(space, 0);
  run_chunks(chunks, [&](int chunk) { run(chunk_of(space, axis, chunk, chunks), chunk); });
}

// The numbers 0 .. count - 1 in order, for threads that take the next when they are done: for work of unequal length.
class ChunkQueue {
 public:
  explicit ChunkQueue(Index count) : count_(count) {}
  bool take(Index& number) { return (number = next_.fetch_add(1, std::memory_order_relaxed)) < count_; }

 private:
  std::atomic<Index> next_{0};
  const Index count_;
};

// Calls run(worker, number) for the numbers 0 .. count - 1, each on the next worker that is free (dynamic scheduling).
// A worker does one thing at a time, so it may have memory of its own. Between numbers it may be interrupted.
template <class Run>
void run_dynamically(int workers, Index count, Run&& run) {
  ChunkQueue queue(count);
  run_chunks(workers, [&](int worker) {
    for (Index number; queue.take(number);) {
      check_interrupt();
      run(worker, number);
    }
  });
}

// How many threads traffic of `bytes` is worth, for work that keeps something per chunk: one chunk each.
inline int threads_for(Index bytes) { return std::min(chunks_for(static_cast<std::size_t>(bytes)), thread_count()); }

// How many chunks n independent positions are cut into that move so many bytes in all. Long work is cut into more, so
// that it can be interrupted in between.
inline int chunks_for(Index n, Index bytes) {
  return static_cast<int>(std::min<Index>(n, interruptible_chunks_for(static_cast<std::size_t>(bytes))));
}

// Calls run(begin, end) or run(chunk, begin, end) for even chunks of the positions 0 .. n - 1, on the threads of the
// pool.
template <class Run>
void run_range_in_chunks(Index n, int chunks, Run&& run) {
  const auto one = [&](int chunk) {
    const Index begin = chunk_begin(n, chunks, chunk), end = chunk_begin(n, chunks, chunk + 1);
    if constexpr (std::is_invocable_v<Run&, int, Index, Index>) run(chunk, begin, end);
    else run(begin, end);
  };
  if (chunks == 1) return one(0);
  run_chunks(chunks, one);
}

// Calls run(first, last) for the positions begin .. end - 1, at most `step` at a time. Between steps it may be
// interrupted.
template <class Run>
void run_in_steps(Index begin, Index end, Index step, Run&& run) {
  while (end - begin > step) {
    run(begin, begin + step);
    begin += step;
    check_interrupt();
  }
  if (begin < end) run(begin, end);
}

// Calls run(block, begin, end) for blocks of the positions 0 .. n - 1, on the threads of the pool or `alone` on the
// caller. All have the same length, but the last ones may be shorter or empty. They do not depend on the number of
// threads: what is summed up per block has the same bits on any.
template <class Run>
void run_in_blocks(Index n, Index blocks, bool alone, Run&& run) {
  const Index length = ceil_div(n, blocks);
  const auto one = [&](int block) {
    const Index begin = std::min(n, block * length);
    run(Index{block}, begin, std::min(n, begin + length));
  };
  if (!alone) return run_chunks(static_cast<int>(blocks), one);
  for (int block = 0; block < blocks; ++block) one(block);
}

}  // namespace strided
