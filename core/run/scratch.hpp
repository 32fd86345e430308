// Memory for blocks on their way through the cache: one piece per thread, kept for the next kernel.
#pragma once

#include <cstddef>

namespace strided {

inline constexpr std::size_t kScratchBytes = std::size_t{320} << 10;

// kScratchBytes, aligned to a cache line. A kernel that holds it calls no other that does.
std::byte* scratch();

}  // namespace strided
