// The inner loop of gathers that is vectorised, compiled per instruction set (gather.isa.cpp).
#pragma once

#include <cstddef>

#include "layout/dims.hpp"

namespace strided::kernels::index {

struct GatherLoops {
  // n positions (int64, packed) along an axis of `length` to places `step` bytes apart. Negative ones
  // count from the end, unless `wide`. False if one is outside: its place is 0.
  // Without places it only says whether all are inside.
  bool (*resolve)(Index n, const std::byte* positions, Index length, Index step, bool wide, Index* places);
};

}  // namespace strided::kernels::index
