// Fresh bytes: 64-byte aligned, huge pages for large blocks, freed blocks kept for reuse.
//
// Small blocks (header and bytes in one piece) come from per-thread lists by size class. Large blocks
// are mapped on 2 MiB boundaries with huge pages asked for, and wait in one shared list after use:
// the first touch of a page costs more than most kernels, so the pages are worth more than the bytes.
#pragma once

#include <cstddef>

#include "storage.hpp"

namespace strided {

inline constexpr std::size_t kAlignment = 64;

// Raises OutOfMemory. With `zeroed` every byte is 0.
StorageRef allocate(std::size_t nbytes, bool zeroed = false);

// Did these bytes come from allocate()?
bool is_heap(const Storage& storage);

struct HeapFacts {
  std::size_t live_bytes;    // in storages above 4 KiB that somebody holds (counting costs too)
  std::size_t peak_bytes;    // highest live_bytes since reset_peak
  std::size_t kept_bytes;    // freed large blocks waiting for reuse
  std::size_t keep_limit;    // kept_bytes stays below this
};
HeapFacts heap_facts();
void reset_peak();
void set_keep_limit(std::size_t bytes);
// Gives all waiting blocks back to the system.
void release_kept_blocks();

// Held by run/pool.cpp at the moment of a fork, so that the child does not inherit the lock from a thread it lacks.
void lock_heap();
void unlock_heap();

}  // namespace strided
