// A list cut into evenly sized parts, one for each piece of work.
#pragma once

#include <algorithm>

#include "layout/dims.hpp"
#include "pool.hpp"

namespace strided {

// Where part `piece` of `pieces` begins; part `pieces` begins at n.
inline Index part_begin(Index n, int pieces, int piece) {
  return n / pieces * piece + std::min<Index>(n % pieces, piece);
}

// Calls run(piece, begin, end) for all parts of 0 .. n - 1. What one throws reaches the caller (pool.hpp).
template <class Run>
void in_parts(int pieces, Index n, Run&& run) {
  run_pieces(pieces, [&](int piece) {
    run(piece, part_begin(n, pieces, piece), part_begin(n, pieces, piece + 1));
  });
}

// For work that keeps something per piece: as many pieces as traffic of `bytes` is worth, one per thread.
inline int parts_for(Index bytes) {
  return std::min(pieces_for(static_cast<std::size_t>(bytes)), thread_count());
}

}  // namespace strided
