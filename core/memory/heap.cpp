#include "heap.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <new>

#include "errors.hpp"
#include "kept_blocks.hpp"

namespace strided {
namespace {

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

// Never destroyed: storages may outlive every static.
KeptBlocks& kept_blocks() {
  static auto* blocks = new KeptBlocks;
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
  // A block is larger than what was asked for: its size stands in for the owner.
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

void lock_heap() { kept_blocks().lock(); }
void unlock_heap() { kept_blocks().unlock(); }

void release_kept_blocks() { kept_blocks().release_down_to(0); }

}  // namespace strided
