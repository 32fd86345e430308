// Size classes of the heap: alignment, zeros, what is counted, what is kept.
#include <cstring>
#include <utility>
#include <vector>

#include "check.hpp"
#include "memory/heap.hpp"
#include "memory/kept_blocks.hpp"

namespace {

using namespace strided;

constexpr std::size_t kMiB = std::size_t{1} << 20;

bool is_all(const StorageRef& storage, int value) {
  for (std::size_t i = 0; i < storage->nbytes(); ++i) {
    if (storage->data()[i] != static_cast<std::byte>(value)) return false;
  }
  return true;
}

const check::Test edges("heap: blocks of every class are aligned, their own, and zero where that is asked for", [] {
  std::vector<StorageRef> held;
  for (const std::size_t nbytes : {std::size_t{0}, std::size_t{1}, std::size_t{64}, std::size_t{65}, std::size_t{4096},
                                   std::size_t{4097}, kMiB - 1, kMiB, kMiB + 1, 16 * kMiB - 1, 16 * kMiB}) {
    for (int again = 0; again < 3; ++again) {
      StorageRef storage = allocate(nbytes, true);
      check::equal(storage->nbytes(), nbytes);
      check::equal(reinterpret_cast<std::uintptr_t>(storage->data()) % kAlignment, 0);
      check::that(is_all(storage, 0), "fresh bytes are zero");
      check::that(is_heap(*storage.get()), "it is known to come from here");
      if (nbytes > 0) std::memset(storage->data(), 0x5a, nbytes);
      if (again == 2) held.push_back(std::move(storage));
    }
  }
  for (const StorageRef& storage : held) check::that(is_all(storage, 0x5a), "nobody else wrote");
});

const check::Test sizes("heap: a request takes little more than it asked for", [] {
  check::equal(large_block_size(kMiB), kMiB);
  check::equal(large_block_size(kMiB + 1), kMiB + kBlockStep);
  check::equal(large_block_size(16 * kMiB - 1), 16 * kMiB);
  check::equal(large_block_size(16 * kMiB + 1), 18 * kMiB);
  for (std::size_t nbytes = kMiB; nbytes < 80 * kMiB; nbytes += 12345) {
    const std::size_t size = large_block_size(nbytes);
    if (size < nbytes || size > nbytes + nbytes / 8) check::equal(size, nbytes);
  }
});

const check::Test adjacent("heap: blocks below 16 MiB are adjacent", [] {
  release_kept_blocks();
  const StorageRef a = allocate(kMiB + 1), b = allocate(kMiB + 1), c = allocate(3 * kMiB);
  check::equal(a->data() - b->data(), kMiB + kBlockStep);
  check::equal(b->data() - c->data(), 3 * kMiB);
  const StorageRef huge = allocate(17 * kMiB);
  check::equal(reinterpret_cast<std::uintptr_t>(huge->data()) % kHugePage, 0);
});

const check::Test counted("heap: what is live, what is kept", [] {
  release_kept_blocks();
  const HeapFacts before = heap_facts();
  check::equal(before.kept_bytes, 0);
  StorageRef storage = allocate(5 * kMiB + 1);
  check::equal(heap_facts().live_bytes - before.live_bytes, 5 * kMiB + 1);
  storage = StorageRef();
  check::equal(heap_facts().live_bytes, before.live_bytes);
  check::equal(heap_facts().kept_bytes, 5 * kMiB + kBlockStep);
  set_keep_limit(0);
  check::equal(heap_facts().kept_bytes, 0);
  allocate(2 * kMiB);
  check::equal(heap_facts().kept_bytes, 0);
  set_keep_limit(before.keep_limit);
  check::equal(heap_facts().keep_limit, before.keep_limit);
});

const check::Test too_much("heap: more than there is, also while blocks wait", [] {
  allocate(2 * kMiB);
  check::that(heap_facts().kept_bytes > 0, "one waits");
  check::raises(ErrorKind::OutOfMemory, [] { allocate(std::size_t{1} << 60); });
  check::raises(ErrorKind::OutOfMemory, [] { allocate(~std::size_t{0} / 2); });
});

const check::Test locked("heap: may be locked around a fork", [] {
  lock_heap();
  unlock_heap();
  check::equal(allocate(2 * kMiB)->nbytes(), 2 * kMiB);
});

}  // namespace
