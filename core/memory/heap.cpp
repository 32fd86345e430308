#include "heap.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <new>

#include "errors.hpp"

#if defined(__unix__) || defined(__APPLE__)
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>
#define STRIDED_HAS_MMAP 1
#endif

namespace strided {
namespace {

constexpr std::size_t kHugePage = std::size_t{2} << 20;
constexpr std::size_t kLarge = std::size_t{1} << 20;  // from here on blocks are mapped and kept
constexpr std::size_t kSmallest = 64;
constexpr std::size_t kSmallLimit = 4096;
constexpr int kSmallClasses = 7;         // 64, 128, ... 4096 bytes
constexpr int kSmallKept = 64;           // blocks kept per class and thread

std::atomic<std::size_t> live_bytes{0};
std::atomic<std::size_t> peak_bytes{0};

void count_live(std::size_t nbytes) {
  const std::size_t now = live_bytes.fetch_add(nbytes, std::memory_order_relaxed) + nbytes;
  std::size_t peak = peak_bytes.load(std::memory_order_relaxed);
  while (now > peak && !peak_bytes.compare_exchange_weak(peak, now, std::memory_order_relaxed)) {
  }
}

constexpr std::size_t round_up(std::size_t value, std::size_t step) {
  return (value + step - 1) / step * step;
}

[[noreturn]] void fail(std::size_t nbytes) {
  throw errors::out_of_memory(static_cast<std::int64_t>(nbytes));
}

// ---- small and middle blocks: [header, padded to 64 bytes][bytes] in one piece ----

constexpr std::size_t kHeader = round_up(sizeof(Storage), kAlignment);

struct SmallLists {
  struct Node { Node* next; };
  Node* head[kSmallClasses] = {};
  int count[kSmallClasses] = {};
  ~SmallLists() {
    for (Node*& node : head) {
      while (node != nullptr) std::free(std::exchange(node, node->next));
    }
    gone = true;
  }
  // Storages may be released by this thread after its lists are destroyed.
  static thread_local bool gone;
};
thread_local bool SmallLists::gone = false;
thread_local SmallLists small_lists;

// Class c holds blocks for up to 64 << c bytes.
int small_class(std::size_t nbytes) {
  return nbytes <= kSmallest ? 0 : static_cast<int>(std::bit_width((nbytes - 1) / kSmallest));
}

void* aligned_block(std::size_t nbytes) {
  void* block = nullptr;
  if (posix_memalign(&block, kAlignment, nbytes) != 0) return nullptr;
  return block;
}

void release_small(Storage* storage) noexcept {
  const int size_class = small_class(storage->nbytes());
  storage->~Storage();
  if (SmallLists::gone || small_lists.count[size_class] >= kSmallKept) {
    std::free(storage);
    return;
  }
  auto* node = reinterpret_cast<SmallLists::Node*>(storage);
  node->next = small_lists.head[size_class];
  small_lists.head[size_class] = node;
  ++small_lists.count[size_class];
}

void release_middle(Storage* storage) noexcept {
  live_bytes.fetch_sub(storage->nbytes(), std::memory_order_relaxed);
  storage->~Storage();
  std::free(storage);
}

Storage* make_small(std::size_t nbytes) {
  const int size_class = small_class(nbytes);
  void* block = SmallLists::gone ? nullptr : small_lists.head[size_class];
  if (block != nullptr) {
    small_lists.head[size_class] = small_lists.head[size_class]->next;
    --small_lists.count[size_class];
  } else {
    block = aligned_block(kHeader + (kSmallest << size_class));
    if (block == nullptr) fail(nbytes);
  }
  auto* bytes = static_cast<std::byte*>(block) + kHeader;
  return new (block) Storage(bytes, nbytes, true, release_small, nullptr);
}

Storage* make_middle(std::size_t nbytes) {
  void* block = aligned_block(kHeader + nbytes);
  if (block == nullptr) fail(nbytes);
  auto* bytes = static_cast<std::byte*>(block) + kHeader;
  return new (block) Storage(bytes, nbytes, true, release_middle, nullptr);
}

// ---- large blocks: mapped, kept after use ----

struct Block {
  std::byte* data;
  std::size_t nbytes;
};

std::byte* map_block(std::size_t nbytes) {
#ifdef STRIDED_HAS_MMAP
  // Ask for one huge page more and cut off what is not aligned.
  const std::size_t room = nbytes + kHugePage;
  void* raw = mmap(nullptr, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (raw == MAP_FAILED) return nullptr;
  const auto begin = reinterpret_cast<std::uintptr_t>(raw);
  const std::uintptr_t aligned = round_up(begin, kHugePage);
  if (aligned > begin) munmap(raw, aligned - begin);
  const std::uintptr_t end = aligned + nbytes;
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

std::size_t default_keep_limit() {
#ifdef STRIDED_HAS_MMAP
  const long pages = sysconf(_SC_PHYS_PAGES);
  const long page = sysconf(_SC_PAGESIZE);
  if (pages > 0 && page > 0) {
    return static_cast<std::size_t>(pages) * static_cast<std::size_t>(page) / 8;
  }
#endif
  return std::size_t{1} << 30;
}

// Freed large blocks by size. A request takes the smallest one that fits without wasting over a quarter.
class KeptBlocks {
 public:
  Block take(std::size_t nbytes) {
    const std::lock_guard lock(mutex_);
    const auto found = blocks_.lower_bound(nbytes);
    if (found == blocks_.end() || found->first > nbytes + nbytes / 4) return {nullptr, 0};
    const Block block{found->second, found->first};
    blocks_.erase(found);
    bytes_ -= block.nbytes;
    return block;
  }

  void give(Block block) noexcept {
    if (!keep(block)) unmap_block(block);
  }

  void release_down_to(std::size_t limit) {
    const std::lock_guard lock(mutex_);
    while (bytes_ > limit) {
      const auto last = std::prev(blocks_.end());
      bytes_ -= last->first;
      unmap_block({last->second, last->first});
      blocks_.erase(last);
    }
  }

  void set_limit(std::size_t limit) {
    {
      const std::lock_guard lock(mutex_);
      limit_ = limit;
    }
    release_down_to(limit);
  }

  std::size_t bytes() { const std::lock_guard lock(mutex_); return bytes_; }
  std::size_t limit() { const std::lock_guard lock(mutex_); return limit_; }

  void lock() { mutex_.lock(); }
  void unlock() { mutex_.unlock(); }

 private:
  // False when there is no room for it, or no memory to remember it.
  bool keep(Block block) noexcept try {
    const std::lock_guard lock(mutex_);
    if (bytes_ + block.nbytes > limit_) return false;
    blocks_.emplace(block.nbytes, block.data);
    bytes_ += block.nbytes;
    return true;
  } catch (const std::bad_alloc&) {
    return false;
  }

  std::mutex mutex_;
  std::multimap<std::size_t, std::byte*> blocks_;
  std::size_t bytes_ = 0;
  std::size_t limit_ = default_keep_limit();
};

KeptBlocks& kept_blocks();

KeptBlocks* make_kept_blocks() {
#ifdef STRIDED_HAS_MMAP
  // A thread that is forked away while it holds the lock would leave it locked in the child for ever.
  pthread_atfork([] { kept_blocks().lock(); }, [] { kept_blocks().unlock(); },
                 [] { kept_blocks().unlock(); });
#endif
  return new KeptBlocks;
}

// Never destroyed: storages may outlive every static.
KeptBlocks& kept_blocks() {
  static auto* blocks = make_kept_blocks();
  return *blocks;
}

void release_large(Storage* storage) noexcept {
  live_bytes.fetch_sub(storage->nbytes(), std::memory_order_relaxed);
  kept_blocks().give({storage->data(), reinterpret_cast<std::uintptr_t>(storage->owner())});
  delete storage;
}

Storage* make_large(std::size_t nbytes, bool& fresh) {
  const std::size_t room = round_up(nbytes, kHugePage);
  Block block = kept_blocks().take(room);
  fresh = block.data == nullptr;
  if (fresh) block = {map_block(room), room};
  if (block.data == nullptr) {
    release_kept_blocks();
    block.data = map_block(room);
  }
  if (block.data == nullptr) fail(nbytes);
  // A block may be larger than what was asked for: its size stands in for the owner.
  auto* storage = new (std::nothrow) Storage(block.data, nbytes, true, release_large,
                                             reinterpret_cast<void*>(block.nbytes));
  if (storage == nullptr) {
    kept_blocks().give(block);
    fail(nbytes);
  }
  return storage;
}

}  // namespace

StorageRef allocate(std::size_t nbytes, bool zeroed) {
  bool fresh = false;
  Storage* storage = nbytes <= kSmallLimit ? make_small(nbytes)
                     : nbytes < kLarge     ? make_middle(nbytes)
                                           : make_large(nbytes, fresh);
  if (nbytes > kSmallLimit) count_live(nbytes);
  // Pages straight from the system are zero already.
  if (zeroed && !fresh) std::memset(storage->data(), 0, nbytes);
  return StorageRef(storage);
}

HeapFacts heap_facts() {
  return {live_bytes.load(), peak_bytes.load(), kept_blocks().bytes(), kept_blocks().limit()};
}

void reset_peak() { peak_bytes.store(live_bytes.load()); }

void set_keep_limit(std::size_t bytes) { kept_blocks().set_limit(bytes); }

bool is_heap(const Storage& storage) {
  return storage.is_released_by(release_small) || storage.is_released_by(release_middle) ||
         storage.is_released_by(release_large);
}

void release_kept_blocks() { kept_blocks().release_down_to(0); }

}  // namespace strided
