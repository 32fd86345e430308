// Fresh bytes: 64-byte aligned, huge pages for large blocks, freed blocks kept for reuse.
//
// Small blocks (header and bytes in one block) come from per-thread lists by size class. Large blocks (from 1 MiB on)
// are cut from mappings with huge pages asked for, and wait in one shared list after use: the first touch of a page
// costs more than most kernels, so the pages are worth more than the bytes. They wait for at most 10 seconds
// (STRIDED_KEEP_SECONDS), and are at most an eighth of the memory that the machine or the container has
// (STRIDED_KEEP_BYTES; 0 keeps none).
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
  std::size_t keep_limit;    // kept_bytes is at most this
  std::int64_t keep_seconds; // for how long they wait
};
HeapFacts heap_facts();
void reset_peak();
void set_keep_limit(std::size_t bytes);
void set_keep_seconds(std::int64_t seconds);
// An eighth of the memory of the machine, or of the container where that has less.
std::size_t default_keep_limit();
// How much of the address space a request of 1 MiB or more takes.
std::size_t large_block_size(std::size_t nbytes);
// Gives all waiting blocks back to the system.
void release_kept_blocks();

// Held by run/pool.cpp at the moment of a fork, so that the child does not inherit the lock from a thread it lacks.
void lock_heap();
void unlock_heap();

}  // namespace strided
