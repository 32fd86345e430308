// Limits of one product: its memory and its threads.
#pragma once

#include <cstddef>

namespace strided {

// All products of one call together stay below this, whatever their size: a promise to users
// (docs/concepts/computing.md), and half of the last cache of the machines that products were measured on.
inline constexpr std::size_t kPanelBytes = std::size_t{16} << 20;

struct ProductLimits {
  bool threads = true;             // false: all on the caller
  std::size_t bytes = kPanelBytes;  // of panels and buffers, all threads together
};

}  // namespace strided
