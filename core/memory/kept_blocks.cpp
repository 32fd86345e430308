#include "kept_blocks.hpp"

#include <sys/mman.h>
#include <time.h>

#include <algorithm>
#include <iterator>
#include <new>

namespace strided {

std::byte* map_block(std::size_t nbytes) {
  // One huge page more than needed; what is not aligned is cut off. The system puts mappings below one another, so
  // the end of this one touches the block before, and both can serve one request later.
  const std::size_t mapped = nbytes + kHugePage;
  void* raw = mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (raw == MAP_FAILED) return nullptr;
  const auto begin = reinterpret_cast<std::uintptr_t>(raw);
  const std::uintptr_t end = (begin + mapped) / kHugePage * kHugePage;
  const std::uintptr_t aligned = end - nbytes;
  if (aligned > begin) munmap(raw, aligned - begin);
  if (begin + mapped > end) munmap(reinterpret_cast<void*>(end), begin + mapped - end);
#ifdef MADV_HUGEPAGE
  madvise(reinterpret_cast<void*>(aligned), nbytes, MADV_HUGEPAGE);
#endif
  return reinterpret_cast<std::byte*>(aligned);
}

void unmap_block(std::byte* data, std::size_t nbytes) { munmap(data, nbytes); }

std::int64_t monotonic_seconds() {
#ifdef CLOCK_MONOTONIC_COARSE
  constexpr clockid_t kClock = CLOCK_MONOTONIC_COARSE;
#else
  constexpr clockid_t kClock = CLOCK_MONOTONIC;
#endif
  timespec now{};
  clock_gettime(kClock, &now);
  return now.tv_sec;
}

Block KeptBlocks::take(std::size_t nbytes, std::size_t alignment) try {
  const std::lock_guard lock(mutex_);
  std::byte *begin = nullptr, *end = nullptr;  // of neighbours, from the last one down
  for (auto block = blocks_.rbegin(); block != blocks_.rend(); ++block) {
    std::byte* const block_end = block->first + block->second.nbytes;
    if (block_end != begin) end = block_end - reinterpret_cast<std::uintptr_t>(block_end) % alignment;
    begin = block->first;
    if (end > begin && static_cast<std::size_t>(end - begin) >= nbytes) return carve(end - nbytes, end);
  }
  return {nullptr, 0};
} catch (const std::bad_alloc&) {
  return {nullptr, 0};
}

// Takes [begin, end) out of the blocks that it lies in.
Block KeptBlocks::carve(std::byte* begin, std::byte* end) {
  auto block = std::prev(blocks_.upper_bound(begin));
  // What is behind the end stays. It is entered first: memory may run out here, before anything has changed.
  const auto last = std::prev(blocks_.lower_bound(end));
  const std::size_t behind = static_cast<std::size_t>(last->first + last->second.nbytes - end);
  if (behind > 0) {
    blocks_.emplace(end, Waiting{behind, last->second.since, last->second.zero});
    last->second.nbytes -= behind;
  }
  Block taken{begin, static_cast<std::size_t>(end - begin), true};
  while (block != blocks_.end() && block->first < end) {
    const std::size_t before = static_cast<std::size_t>(std::max(begin, block->first) - block->first);
    if (!block->second.zero) bytes_ -= block->second.nbytes - before;
    taken.zero = taken.zero && block->second.zero;
    block->second.nbytes = before;
    block = before > 0 ? std::next(block) : blocks_.erase(block);
  }
  return taken;
}

void KeptBlocks::give(Block block) noexcept {
  block.zero = false;
  try {
    const std::lock_guard lock(mutex_);
    const std::int64_t now = clock_();
    if (now != looked_) release_aged(now);
    if (block.nbytes <= limit_ && bytes_ <= limit_ - block.nbytes) return insert(block, now);
  } catch (const std::bad_alloc&) {  // no memory to remember it
  }
  unmap_block(block.data, block.nbytes);
}

void KeptBlocks::reserve(Block block) noexcept {
  block.zero = true;
  try {
    const std::lock_guard lock(mutex_);
    return insert(block, 0);
  } catch (const std::bad_alloc&) {
  }
  unmap_block(block.data, block.nbytes);
}

void KeptBlocks::insert(Block block, std::int64_t now) {
  auto own = blocks_.emplace(block.data, Waiting{block.nbytes, now, block.zero}).first;
  if (!block.zero) bytes_ += block.nbytes;
  if (own != blocks_.begin()) own = joined(std::prev(own), own);
  if (const auto after = std::next(own); after != blocks_.end()) joined(own, after);
}

// Neighbours of one age become one block. Returns the block that `after` is in.
KeptBlocks::Blocks::iterator KeptBlocks::joined(Blocks::iterator before, Blocks::iterator after) {
  const bool touch = before->first + before->second.nbytes == after->first;
  if (!touch || before->second.since != after->second.since || before->second.zero != after->second.zero) {
    return after;
  }
  before->second.nbytes += after->second.nbytes;
  blocks_.erase(after);
  return before;
}

KeptBlocks::Blocks::iterator KeptBlocks::release(Blocks::iterator block) {
  if (!block->second.zero) bytes_ -= block->second.nbytes;
  unmap_block(block->first, block->second.nbytes);
  return blocks_.erase(block);
}

void KeptBlocks::release_aged(std::int64_t now) {
  looked_ = now;
  for (auto block = blocks_.begin(); block != blocks_.end();) {
    const bool aged = !block->second.zero && now - block->second.since > max_age_;
    block = aged ? release(block) : std::next(block);
  }
}

// The oldest go first, and of a block that is too much only whole huge pages, or all of it.
void KeptBlocks::release_down_to(std::size_t limit) {
  while (bytes_ > limit) {
    const auto oldest = std::ranges::min_element(blocks_, {}, [](const auto& one) {
      return std::pair(one.second.zero, one.second.since);
    });
    const std::size_t excess = round_up(bytes_ - limit, kHugePage);
    if (excess >= oldest->second.nbytes) {
      release(oldest);
      continue;
    }
    // The end goes: this way the block stays where it is in the list.
    oldest->second.nbytes -= excess;
    bytes_ -= excess;
    unmap_block(oldest->first + oldest->second.nbytes, excess);
  }
}

void KeptBlocks::release_all() {
  const std::lock_guard lock(mutex_);
  for (auto block = blocks_.begin(); block != blocks_.end();) block = release(block);
}

void KeptBlocks::set_limit(std::size_t limit) {
  const std::lock_guard lock(mutex_);
  limit_ = limit;
  release_down_to(limit);
}

void KeptBlocks::set_max_age(std::int64_t seconds) {
  const std::lock_guard lock(mutex_);
  max_age_ = seconds;
  release_aged(clock_());
}

std::size_t KeptBlocks::bytes() {
  const std::lock_guard lock(mutex_);
  return bytes_;
}

std::size_t KeptBlocks::limit() {
  const std::lock_guard lock(mutex_);
  return limit_;
}

std::int64_t KeptBlocks::max_age() {
  const std::lock_guard lock(mutex_);
  return max_age_;
}

}  // namespace strided
