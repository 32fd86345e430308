// What scans ask of the loops built per instruction set.
#pragma once

#include <cstddef>
#include <cstdint>

#include "layout/dims.hpp"

namespace strided::kernels::scan {

enum class Scan : std::uint8_t { Sum, Prod };
inline constexpr int kScanCount = 2;

// Running sums or products of `rows` rows of n elements each, `in_step` and `out_step` bytes apart. Without
// an `out` only carries and totals are worked out.
struct ScanTile {
  const std::byte* in;
  std::byte* out;
  Index rows;
  Index n;
  Index in_step;
  Index out_step;
};
// Floats are carried as double, integers as uint64; elements of both sides have the loop's dtype.
struct ScanLoops {
  // Along one row: *carry and *total go on. They differ in where they began.
  void (*along)(const ScanTile& tile, void* carry, void* total);
  // Down the columns, each of which has a carry.
  void (*across)(const ScanTile& tile, void* carry);
  static constexpr const char* kNames[] = {"along", "across"};  // for plans, in order
};

}  // namespace strided::kernels::scan
