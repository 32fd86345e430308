// Large blocks: mapped from the system, and kept for the next request after use.
//
// Mappings are whole huge pages. Blocks are cut from them in steps of 64 KiB, and a request may take neighbours that
// wait, so what is kept serves requests of any size: a program holds little more than it ever used at once. A block
// that waits for longer than `max_age` goes back to the system when the next one is given: there is no thread that
// would look after an idle program.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>

namespace strided {

inline constexpr std::size_t kHugePage = std::size_t{2} << 20;
inline constexpr std::size_t kBlockStep = std::size_t{64} << 10;  // a multiple of every page size in use

constexpr std::size_t round_up(std::size_t value, std::size_t step) {
  return (value + step - 1) / step * step;
}

struct Block {
  std::byte* data;
  std::size_t nbytes;   // a multiple of kBlockStep
  bool zero = false;    // nobody has written to it
};

// Whole huge pages of zeros, or null where the system has none left.
std::byte* map_block(std::size_t nbytes);
void unmap_block(std::byte* data, std::size_t nbytes);

// Whole seconds that have passed since some fixed moment.
using Clock = std::int64_t (*)();
std::int64_t monotonic_seconds();

class KeptBlocks {
 public:
  explicit KeptBlocks(std::size_t limit, std::int64_t max_age, Clock clock = monotonic_seconds)
      : limit_(limit), max_age_(max_age), clock_(clock) {}

  // From the last place in memory that is large enough; it ends at a multiple of `alignment`. Data is null where there
  // is none. Steps of a program make and free most blocks like a stack, so taking them from one end leaves the other
  // end whole for large ones, and lets it age.
  Block take(std::size_t nbytes, std::size_t alignment = kBlockStep);
  // After use. What is more than the limit goes back to the system.
  void give(Block block) noexcept;
  // The rest of a new mapping. It holds no memory until somebody writes to it: no limit counts it and it does not age.
  void reserve(Block block) noexcept;

  void release_all();
  void set_limit(std::size_t limit);
  void set_max_age(std::int64_t seconds);

  std::size_t bytes();  // of blocks after use
  std::size_t limit();
  std::int64_t max_age();

  void lock() { mutex_.lock(); }
  void unlock() { mutex_.unlock(); }

 private:
  struct Waiting {
    std::size_t nbytes;
    std::int64_t since;
    bool zero;
  };
  using Blocks = std::map<std::byte*, Waiting>;

  void insert(Block block, std::int64_t now);
  Blocks::iterator joined(Blocks::iterator before, Blocks::iterator after);
  Block carve(std::byte* begin, std::byte* end);
  Blocks::iterator release(Blocks::iterator block);
  void release_down_to(std::size_t limit);
  void release_aged(std::int64_t now);

  std::mutex mutex_;
  Blocks blocks_;           // by place; neighbours may touch where their ages differ
  std::size_t bytes_ = 0;
  std::size_t limit_;
  std::int64_t max_age_;
  std::int64_t looked_ = 0;  // when blocks were last asked for their ages
  Clock clock_;
};

}  // namespace strided
