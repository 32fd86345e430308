// Blocks that wait for reuse: cut, taken together, limited, aged by a clock that the test sets.
#include <cstring>
#include <vector>

#include "check.hpp"
#include "memory/kept_blocks.hpp"

namespace {

using namespace strided;

constexpr std::size_t kMiB = std::size_t{1} << 20;
constexpr std::size_t kNoLimit = ~std::size_t{0};

std::int64_t now = 1;
std::int64_t test_clock() { return now; }

// Blocks over one mapping. What the test holds at its end was taken or is gone.
struct Fixture {
  explicit Fixture(std::size_t mapped, std::size_t limit = kNoLimit)
      : blocks(limit, 10, test_clock), begin(map_block(mapped)) {
    now = 1;
  }
  ~Fixture() { blocks.release_all(); }

  // How far behind the beginning; -1 for none.
  std::ptrdiff_t take(std::size_t nbytes, std::size_t alignment = kBlockStep) {
    const Block block = blocks.take(nbytes, alignment);
    if (block.data == nullptr) return -1;
    check::equal(block.nbytes, nbytes);
    std::memset(block.data, 1, 1);
    return block.data - begin;
  }
  void give(std::size_t at, std::size_t nbytes) { blocks.give({begin + at, nbytes}); }

  KeptBlocks blocks;
  std::byte* begin;
};

const check::Test nothing("kept blocks: nothing waits at first", [] {
  KeptBlocks blocks(kNoLimit, 10, test_clock);
  check::that(blocks.take(kBlockStep).data == nullptr, "there is no block");
  check::equal(blocks.bytes(), 0);
});

const check::Test too_much("kept blocks: none serves a request that no machine could", [] {
  Fixture f(2 * kMiB);
  f.give(0, 2 * kMiB);
  for (const std::size_t nbytes : {3 * kMiB, std::size_t{1} << 62, std::size_t{1} << 63, kNoLimit - kHugePage + 1}) {
    check::equal(f.take(nbytes), -1);
  }
  // Nor one that ends where it begins, or before, once its end is aligned.
  const bool aligned = reinterpret_cast<std::uintptr_t>(f.begin + 2 * kMiB) % (64 * kMiB) == 0;
  check::equal(f.take(2 * kMiB, 64 * kMiB), aligned ? 0 : -1);
  check::equal(f.blocks.bytes(), aligned ? 0 : 2 * kMiB);
});

const check::Test from_the_end("kept blocks: taken from the end, given back, joined", [] {
  Fixture f(8 * kMiB);
  f.give(0, 8 * kMiB);
  check::equal(f.take(3 * kMiB), 5 * kMiB);
  check::equal(f.take(kBlockStep), 5 * kMiB - kBlockStep);
  check::equal(f.blocks.bytes(), 5 * kMiB - kBlockStep);
  check::equal(f.take(5 * kMiB), -1);
  f.give(5 * kMiB, 3 * kMiB);
  f.give(5 * kMiB - kBlockStep, kBlockStep);
  check::equal(f.blocks.bytes(), 8 * kMiB);
  check::equal(f.take(8 * kMiB), 0);
  check::equal(f.blocks.bytes(), 0);
  f.give(0, 8 * kMiB);
});

const check::Test neighbours("kept blocks: neighbours serve one request, in whatever order they came back", [] {
  const std::vector<std::vector<int>> orders = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  for (const auto& order : orders) {
    for (const bool at_once : {true, false}) {
      Fixture f(6 * kMiB);
      for (const int which : order) {
        f.give(static_cast<std::size_t>(which) * 2 * kMiB, 2 * kMiB);
        if (!at_once) ++now;  // of several ages
      }
      check::equal(f.take(6 * kMiB), 0);
      f.give(0, 6 * kMiB);
    }
  }
});

const check::Test apart("kept blocks: blocks that do not touch are not taken together", [] {
  Fixture f(6 * kMiB);
  f.give(0, 2 * kMiB);
  f.give(4 * kMiB, 2 * kMiB);
  check::equal(f.take(3 * kMiB), -1);
  check::equal(f.take(2 * kMiB), 4 * kMiB);
  check::equal(f.take(2 * kMiB), 0);
  f.give(0, 6 * kMiB);
});

const check::Test aligned("kept blocks: an aligned end leaves what is behind it", [] {
  Fixture f(8 * kMiB);
  f.give(0, 7 * kMiB);
  check::equal(f.take(2 * kMiB, kHugePage), 4 * kMiB);
  check::equal(f.blocks.bytes(), 5 * kMiB);
  check::equal(f.take(kMiB), 6 * kMiB);
  check::equal(f.take(4 * kMiB, kHugePage), 0);
  check::equal(f.blocks.bytes(), 0);
  f.give(0, 8 * kMiB);
});

const check::Test zeros("kept blocks: what nobody wrote to is zero, and holds no memory", [] {
  Fixture f(8 * kMiB);
  f.blocks.reserve({f.begin, 6 * kMiB});
  check::equal(f.blocks.bytes(), 0);
  const Block fresh = f.blocks.take(2 * kMiB);
  check::that(fresh.zero && fresh.data == f.begin + 4 * kMiB, "its end is zero");
  f.blocks.give(fresh);
  check::equal(f.blocks.bytes(), 2 * kMiB);
  check::that(!f.blocks.take(2 * kMiB).zero, "after use it is not");
  f.blocks.give(fresh);
  const Block mixed = f.blocks.take(3 * kMiB);
  check::that(!mixed.zero && mixed.data == f.begin + 3 * kMiB, "both kinds serve one request");
  check::equal(f.blocks.bytes(), 0);
  f.blocks.give({f.begin + 3 * kMiB, 5 * kMiB});
});

const check::Test limited("kept blocks: more than the limit goes back", [] {
  Fixture f(12 * kMiB, 6 * kMiB);
  f.give(0, 4 * kMiB);
  f.give(4 * kMiB, 4 * kMiB);  // 8 MiB would be too much
  check::equal(f.blocks.bytes(), 4 * kMiB);
  f.give(8 * kMiB, 2 * kMiB);
  check::equal(f.blocks.bytes(), 6 * kMiB);
  f.blocks.set_limit(3 * kMiB);  // in whole huge pages
  check::equal(f.blocks.bytes(), 2 * kMiB);
  check::equal(f.blocks.limit(), 3 * kMiB);
  f.blocks.set_limit(0);
  check::equal(f.blocks.bytes(), 0);
  f.give(10 * kMiB, 2 * kMiB);
  check::equal(f.blocks.bytes(), 0);
  check::equal(f.take(kBlockStep), -1);
});

const check::Test oldest_first("kept blocks: a lower limit takes the oldest", [] {
  Fixture f(8 * kMiB);
  f.give(0, 2 * kMiB);
  now = 3;
  f.give(4 * kMiB, 2 * kMiB);
  f.blocks.set_limit(2 * kMiB);
  check::equal(f.take(2 * kMiB), 4 * kMiB);
});

const check::Test ages("kept blocks: what waits for too long goes back, what is used again stays", [] {
  Fixture f(8 * kMiB);
  f.give(0, 8 * kMiB);
  for (now = 2; now <= 11; ++now) {
    check::equal(f.take(2 * kMiB), 6 * kMiB);
    f.give(6 * kMiB, 2 * kMiB);
    check::equal(f.blocks.bytes(), 8 * kMiB);
  }
  check::equal(f.take(2 * kMiB), 6 * kMiB);
  f.give(6 * kMiB, 2 * kMiB);  // now the rest has waited for 11 seconds
  check::equal(f.blocks.bytes(), 2 * kMiB);
  check::equal(f.take(3 * kMiB), -1);
  now += 11;
  f.blocks.give({map_block(2 * kMiB), 2 * kMiB});
  check::equal(f.blocks.bytes(), 2 * kMiB);
});

const check::Test max_age("kept blocks: another age counts at once", [] {
  Fixture f(4 * kMiB);
  f.give(0, 2 * kMiB);
  now += 5;
  f.blocks.set_max_age(5);
  check::equal(f.blocks.bytes(), 2 * kMiB);
  f.blocks.set_max_age(4);
  check::equal(f.blocks.bytes(), 0);
  check::equal(f.blocks.max_age(), 4);
  f.give(2 * kMiB, 2 * kMiB);
});

const check::Test reserved_ages("kept blocks: what nobody wrote to does not age", [] {
  Fixture f(4 * kMiB);
  f.blocks.reserve({f.begin, 4 * kMiB});
  now += 100;
  check::equal(f.take(2 * kMiB), 2 * kMiB);
  f.give(2 * kMiB, 2 * kMiB);
  f.blocks.release_all();
  check::equal(f.take(kBlockStep), -1);
});

// Every block is written from end to end: one that is handed out twice, or that has gone back, is seen.
const check::Test random_use("kept blocks: random requests never share a byte", [] {
  KeptBlocks blocks(24 * kMiB, 3, test_clock);
  now = 1;
  std::uint64_t state = 7;
  const auto random = [&](std::uint64_t below) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (state >> 33) % below;
  };
  struct Held {
    Block block;
    std::uint8_t mark;
  };
  std::vector<Held> held;
  const auto drop = [&](std::size_t which) {
    const auto [block, mark] = held[which];
    bool whole = true;
    for (std::size_t i = 0; i < block.nbytes; i += 4096) whole = whole && block.data[i] == std::byte{mark};
    check::that(whole && block.data[block.nbytes - 1] == std::byte{mark}, "a block keeps what was written to it");
    held.erase(held.begin() + static_cast<std::ptrdiff_t>(which));
    blocks.give(block);
  };
  for (int step = 0; step < 3000; ++step) {
    if (random(20) == 0) ++now;
    if (held.size() > 8 || (!held.empty() && random(2) == 0)) {
      drop(random(held.size()));
      continue;
    }
    const bool huge = random(4) == 0;
    const std::size_t nbytes = huge ? (1 + random(3)) * kHugePage : (1 + random(40)) * kBlockStep;
    Block block = blocks.take(nbytes, huge ? kHugePage : kBlockStep);
    if (block.data == nullptr) {
      const std::size_t mapped = round_up(nbytes, kHugePage) + random(2) * kHugePage;
      std::byte* const data = map_block(mapped);
      if (mapped > nbytes) blocks.reserve({data, mapped - nbytes});
      block = {data + (mapped - nbytes), nbytes, true};
    }
    if (huge) check::equal(reinterpret_cast<std::uintptr_t>(block.data) % kHugePage, 0);
    bool zero = true;
    for (std::size_t i = 0; i < nbytes; i += 4096) zero = zero && block.data[i] == std::byte{0};
    check::that(zero || !block.zero, "a block that is said to be zero is");
    const auto mark = static_cast<std::uint8_t>(1 + random(255));
    std::memset(block.data, mark, nbytes);
    held.push_back({block, mark});
    check::that(blocks.bytes() <= 24 * kMiB, "the limit holds");
  }
  while (!held.empty()) drop(0);
  blocks.release_all();
  check::equal(blocks.bytes(), 0);
});

}  // namespace
