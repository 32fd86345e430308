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

// Indices first .. first + length - 1 of an axis alone: of the space itself, or of a copy.
void narrow_axis(IterationSpace& space, int axis, Index first, Index length);
IterationSpace narrowed(const IterationSpace& space, int axis, Index first, Index length);

// Which axis to cut into independent chunks: along it chunks do not take turns within the cache lines of any operand,
// and it is long enough; or else the longest.
int split_axis(const IterationSpace& space, Index chunks);

// What chunk `chunk` of `chunks` visits; empty where the axis has fewer steps than chunks.
IterationSpace chunk_of(const IterationSpace& space, int axis, Index chunk, Index chunks);

// Calls run(chunk) for the chunks of a space, on the threads of the pool.
template <class Run>
void run_in_chunks(const IterationSpace& space, int chunks, Run&& run) {
  if (chunks == 1 || space.rank() == 0) return run(space);
  const int axis = split_axis(space, chunks);
  run_pieces(chunks, [&](int chunk) { run(chunk_of(space, axis, chunk, chunks)); });
}

}  // namespace strided
