#include "kept_blocks.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <new>

#if defined(__unix__) || defined(__APPLE__)
#include <sys/mman.h>
#include <unistd.h>
#define STRIDED_HAS_MMAP 1
#endif

namespace strided {
namespace {

#ifdef STRIDED_HAS_MMAP
constexpr bool kCanCut = true;
#else
constexpr bool kCanCut = false;  // then a block may waste a quarter of a request
#endif

}  // namespace

std::byte* map_block(std::size_t nbytes) {
#ifdef STRIDED_HAS_MMAP
  // Ask for one huge page more and cut off what is not aligned. The system puts mappings below one another, so
  // the end of the room touches the block before, and both can be joined later.
  const std::size_t room = nbytes + kHugePage;
  void* raw = mmap(nullptr, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (raw == MAP_FAILED) return nullptr;
  const auto begin = reinterpret_cast<std::uintptr_t>(raw);
  const std::uintptr_t end = (begin + room) / kHugePage * kHugePage;
  const std::uintptr_t aligned = end - nbytes;
  if (aligned > begin) munmap(raw, aligned - begin);
  if (begin + room > end) munmap(reinterpret_cast<void*>(end), begin + room - end);
#ifdef MADV_HUGEPAGE
  madvise(reinterpret_cast<void*>(aligned), nbytes, MADV_HUGEPAGE);
#endif
  return reinterpret_cast<std::byte*>(aligned);
#else
  void* block = std::aligned_alloc(kHugePage, nbytes);
  // Callers count on zeros, which mapped pages have by nature.
  if (block != nullptr) std::memset(block, 0, nbytes);
  return static_cast<std::byte*>(block);
#endif
}

void unmap_block(Block block) {
#ifdef STRIDED_HAS_MMAP
  munmap(block.data, block.nbytes);
#else
  std::free(block.data);
#endif
}

Block KeptBlocks::take(std::size_t nbytes) {
  const std::lock_guard lock(mutex_);
  const auto found = std::find_if(blocks_.rbegin(), blocks_.rend(), [&](const auto& block) {
    return block.second >= nbytes && (kCanCut || block.second <= nbytes + nbytes / 4);
  });
  if (found == blocks_.rend()) return {nullptr, 0};
  // The end is taken: what is left stays where the block began.
  const std::size_t taken = kCanCut ? nbytes : found->second;
  const Block block{found->first + (found->second - taken), taken};
  if (found->second == taken) blocks_.erase(found->first);
  else found->second -= taken;
  bytes_ -= taken;
  return block;
}

void KeptBlocks::give(Block block) noexcept {
  if (!keep(block)) unmap_block(block);
}

// False when there is no room for it, or no memory to remember it.
bool KeptBlocks::keep(Block block) noexcept try {
  const std::lock_guard lock(mutex_);
  if (bytes_ + block.nbytes > limit_) return false;
  const auto own = blocks_.emplace(block.data, block.nbytes).first;
  bytes_ += block.nbytes;
  if (!kCanCut) return true;
  const auto after = std::next(own);
  if (after != blocks_.end() && own->first + own->second == after->first) {
    own->second += after->second;
    blocks_.erase(after);
  }
  if (own == blocks_.begin()) return true;
  const auto before = std::prev(own);
  if (before->first + before->second == own->first) {
    before->second += own->second;
    blocks_.erase(own);
  }
  return true;
} catch (const std::bad_alloc&) {
  return false;
}

void KeptBlocks::release_down_to(std::size_t limit) {
  const std::lock_guard lock(mutex_);
  while (bytes_ > limit) {
    const auto largest = std::ranges::max_element(blocks_, {}, [](const auto& block) { return block.second; });
    // Of a block that can be cut only as much as must go.
    const std::size_t excess = round_up(bytes_ - limit, kHugePage);
    const std::size_t nbytes = kCanCut ? std::min(largest->second, excess) : largest->second;
    unmap_block({largest->first + (largest->second - nbytes), nbytes});
    bytes_ -= nbytes;
    if (largest->second == nbytes) blocks_.erase(largest);
    else largest->second -= nbytes;
  }
}

void KeptBlocks::set_limit(std::size_t limit) {
  {
    const std::lock_guard lock(mutex_);
    limit_ = limit;
  }
  release_down_to(limit);
}

std::size_t KeptBlocks::bytes() {
  const std::lock_guard lock(mutex_);
  return bytes_;
}

std::size_t KeptBlocks::limit() {
  const std::lock_guard lock(mutex_);
  return limit_;
}

std::size_t KeptBlocks::default_limit() {
#ifdef STRIDED_HAS_MMAP
  const long pages = sysconf(_SC_PHYS_PAGES);
  const long page = sysconf(_SC_PAGESIZE);
  if (pages > 0 && page > 0) {
    return static_cast<std::size_t>(pages) * static_cast<std::size_t>(page) / 8;
  }
#endif
  return std::size_t{1} << 30;
}

}  // namespace strided
