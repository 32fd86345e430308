// Scratch memory: alignment, nesting, growth, reuse.
#include <cstdint>
#include <cstring>
#include <random>
#include <utility>
#include <vector>

#include "check.hpp"
#include "run/arena.hpp"

namespace {

using namespace strided;

bool is_aligned(const void* data) { return reinterpret_cast<std::uintptr_t>(data) % Arena::kAlignment == 0; }

const check::Test alignment("arena: memory begins at a cache line", [] {
  Arena arena;
  for (std::size_t bytes : {1u, 63u, 64u, 65u, 1000u, 100'000u, 5'000'000u}) {
    std::byte* const data = arena.take(bytes);
    check::that(is_aligned(data), "aligned");
    std::memset(data, 1, bytes);
  }
  check::that(arena.take(0) != nullptr, "nothing has a place too");
});

const check::Test reuse("arena: a scope gives back what it took, and blocks are kept", [] {
  std::byte *first = nullptr, *large = nullptr;
  {
    Scratch scratch;
    first = scratch.take(100);
    large = scratch.take(std::size_t{8} << 20);
  }
  const std::size_t held = thread_arena().held_bytes();
  for (int i = 0; i < 1000; ++i) {
    Scratch scratch;
    check::that(scratch.take(100) == first, "the same place again");
    check::that(scratch.take(std::size_t{8} << 20) == large, "in later blocks too");
  }
  check::equal(thread_arena().held_bytes(), held, "bytes held after the same work again");
});

const check::Test arrays("arena: arrays nest like local ones", [] {
  ScratchArray<std::int64_t, 1000> outer;
  for (int i = 0; i < 1000; ++i) outer[i] = i;
  std::int64_t* inner_place = nullptr;
  for (int round = 0; round < 3; ++round) {
    ScratchArray<std::int64_t, 100'000> inner;
    if (inner_place != nullptr) check::that(inner.data() == inner_place, "the same place each round");
    inner_place = inner;
    for (int i = 0; i < 100'000; ++i) inner[i] = -1;
  }
  for (int i = 0; i < 1000; ++i) check::equal(outer[i], static_cast<std::int64_t>(i));
});

// Scopes at random depth, each checks at its end that nobody wrote into what it holds.
void nest(Arena& arena, std::mt19937& random, int depth, unsigned char mark) {
  const Arena::Mark begin = arena.mark();
  std::vector<std::pair<std::byte*, std::size_t>> taken;
  const int pieces = static_cast<int>(random() % 4);
  for (int i = 0; i < pieces; ++i) {
    const std::size_t bytes = std::size_t{1} << random() % 21;
    taken.emplace_back(arena.take(bytes), bytes);
    std::memset(taken.back().first, mark, bytes);
    if (depth < 6) nest(arena, random, depth + 1, static_cast<unsigned char>(mark + 1));
  }
  for (const auto& [data, bytes] : taken) {
    check::that(is_aligned(data), "aligned");
    check::that(data[0] == std::byte{mark} && data[bytes - 1] == std::byte{mark} && data[bytes / 2] == std::byte{mark},
                "what a scope holds is its own");
  }
  arena.release(begin);
}

const check::Test nesting("arena: random scopes keep apart", [] {
  std::mt19937 random(7);
  Arena arena;
  for (int i = 0; i < 100; ++i) nest(arena, random, 0, 1);
  check::that(arena.held_bytes() < std::size_t{256} << 20, "blocks are used again");
});

const check::Test refusal("arena: too much is OutOfMemory, and what was there stays", [] {
  Arena arena;
  std::byte* const kept = arena.take(64);
  kept[0] = std::byte{9};
  check::raises(ErrorKind::OutOfMemory, [&] { arena.take(SIZE_MAX); });
  check::raises(ErrorKind::OutOfMemory, [&] { arena.take(SIZE_MAX - 10); });
  check::raises(ErrorKind::OutOfMemory, [&] { arena.take(SIZE_MAX / 4); });
  check::that(kept[0] == std::byte{9} && arena.take(64) != kept, "still in use");
});

}  // namespace
