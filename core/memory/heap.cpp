#include "heap.hpp"

#include <unistd.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <new>

#include "container.hpp"
#include "errors.hpp"
#include "kept_blocks.hpp"

namespace strided {
namespace {

constexpr std::size_t kLarge = std::size_t{1} << 20;  // from here on blocks are mapped and kept
// From here on a block begins and ends on huge pages, which wastes at most an eighth of it. Smaller ones are
// adjacent in mappings of kTogether bytes, and share huge pages.
constexpr std::size_t kHuge = std::size_t{16} << 20;
constexpr std::size_t kTogether = std::size_t{32} << 20;
constexpr std::int64_t kMaxAge = 10;  // seconds
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

// ---- small and middle blocks: [header, padded to 64 bytes][bytes] ----

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

// A whole number from 0 to `most`; else what is given instead.
std::uint64_t number_in_environment(const char* name, std::uint64_t most, std::uint64_t otherwise) {
  const char* const text = std::getenv(name);
  if (text == nullptr) return otherwise;
  const char* const end = text + std::strlen(text);
  std::uint64_t number;
  const auto [stop, error] = std::from_chars(text, end, number);
  return error == std::errc() && stop == end && number <= most ? number : otherwise;
}

KeptBlocks* make_kept_blocks() {
  constexpr auto kMostBytes = std::numeric_limits<std::size_t>::max();
  constexpr auto kMostSeconds = std::numeric_limits<std::int32_t>::max();
  const std::uint64_t limit = number_in_environment("STRIDED_KEEP_BYTES", kMostBytes, default_keep_limit());
  const std::uint64_t age = number_in_environment("STRIDED_KEEP_SECONDS", kMostSeconds, kMaxAge);
  return new KeptBlocks(static_cast<std::size_t>(limit), static_cast<std::int64_t>(age));
}

// Never destroyed: storages may outlive every static.
KeptBlocks& kept_blocks() {
  static auto* blocks = make_kept_blocks();
  return *blocks;
}

void release_large(Storage* storage) noexcept {
  live_bytes.fetch_sub(storage->nbytes(), std::memory_order_relaxed);
  kept_blocks().give({storage->data(), large_block_size(storage->nbytes())});
  delete storage;
}

// The end of a new mapping; the rest of it waits for other requests.
Block map_large(std::size_t size) {
  const std::size_t least = round_up(size, kHugePage);
  std::size_t mapped = std::max(least, size < kHuge ? kTogether : 0);
  std::byte* data = map_block(mapped);
  if (data == nullptr) data = map_block(mapped = least);
  if (data == nullptr) return {nullptr, 0};
  const std::size_t rest = mapped - size;
  if (rest > 0) kept_blocks().reserve({data, rest});
  return {data + rest, size, true};
}

Storage* make_large(std::size_t nbytes, bool& zero) {
  const std::size_t size = large_block_size(nbytes);
  Block block = kept_blocks().take(size, size < kHuge ? kBlockStep : kHugePage);
  if (block.data == nullptr) block = map_large(size);
  if (block.data == nullptr) {
    release_kept_blocks();
    block = map_large(size);
  }
  if (block.data == nullptr) fail(nbytes);
  zero = block.zero;
  auto* storage = new (std::nothrow) Storage(block.data, nbytes, true, release_large, nullptr);
  if (storage == nullptr) {
    kept_blocks().give(block);
    fail(nbytes);
  }
  return storage;
}

}  // namespace

StorageRef allocate(std::size_t nbytes, bool zeroed) {
  bool zero = false;
  Storage* storage = nbytes <= kSmallLimit ? make_small(nbytes)
                     : nbytes < kLarge     ? make_middle(nbytes)
                                           : make_large(nbytes, zero);
  if (nbytes > kSmallLimit) count_live(nbytes);
  // Pages straight from the system are zero already.
  if (zeroed && !zero) std::memset(storage->data(), 0, nbytes);
  return StorageRef(storage);
}

HeapFacts heap_facts() {
  KeptBlocks& blocks = kept_blocks();
  return {live_bytes.load(), peak_bytes.load(), blocks.bytes(), blocks.limit(), blocks.max_age()};
}

void reset_peak() { peak_bytes.store(live_bytes.load()); }

void set_keep_limit(std::size_t bytes) { kept_blocks().set_limit(bytes); }

void set_keep_seconds(std::int64_t seconds) { kept_blocks().set_max_age(seconds); }

std::size_t large_block_size(std::size_t nbytes) { return round_up(nbytes, nbytes < kHuge ? kBlockStep : kHugePage); }

std::size_t default_keep_limit() {
  const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
  std::uint64_t memory = std::uint64_t{8} << 30;  // where the system does not say
  if (pages > 0 && page > 0) memory = static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page);
  return static_cast<std::size_t>(std::min(memory, container_memory(cgroup_root()).value_or(memory)) / 8);
}

void lock_heap() { kept_blocks().lock(); }
void unlock_heap() { kept_blocks().unlock(); }

bool is_heap(const Storage& storage) {
  return storage.is_released_by(release_small) || storage.is_released_by(release_middle) ||
         storage.is_released_by(release_large);
}

void release_kept_blocks() { kept_blocks().release_all(); }

}  // namespace strided
