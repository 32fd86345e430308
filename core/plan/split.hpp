// Chunks of a space, for threads.
#pragma once

#include <algorithm>

#include "axes.hpp"
#include "run/pool.hpp"

namespace strided {

// Where chunk `chunk` of `chunks` even ones begins; chunk number `chunks` begins at n.
inline Index chunk_begin(Index n, Index chunks, Index chunk) {
  return n / chunks * chunk + std::min(n % chunks, chunk);
}

// Indices first .. first + length - 1 of an axis alone.
IterationSpace narrowed(const IterationSpace& space, int axis, Index first, Index length);

// Which axis to cut into independent chunks: along it chunks do not take turns within the cache lines of any operand,
// and it is long enough; or else the longest.
int split_axis(const IterationSpace& space, Index chunks);

// What chunk `chunk` of `chunks` visits; empty where the axis has fewer steps than chunks.
IterationSpace chunk_of(const IterationSpace& space, int axis, Index chunk, Index chunks);

// How many indices of the axis the longest of these chunks has.
Index longest_chunk(const IterationSpace& space, int axis, Index chunks);

// Calls run(chunk) for the chunks of a space, on the threads of the pool.
template <class Run>
void run_in_chunks(const IterationSpace& space, int chunks, Run&& run) {
  if (chunks == 1 || space.rank() == 0) return run(space);
  const int axis = split_axis(space, chunks);
  run_pieces(chunks, [&](int chunk) { run(chunk_of(space, axis, chunk, chunks)); });
}

// Calls run(chunk of the space, its number) for chunks of one axis, in order of that axis, on the threads of the pool.
template <class Run>
void run_chunks_along(const IterationSpace& space, int axis, int chunks, Run&& run) {
  if (chunks == 1) return run(space, 0);
  run_pieces(chunks, [&](int chunk) { run(chunk_of(space, axis, chunk, chunks), chunk); });
}

}  // namespace strided
