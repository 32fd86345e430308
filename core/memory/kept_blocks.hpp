// Large blocks: mapped from the system on huge pages, and kept for the next request after use.
//
// Blocks are whole huge pages. One that is larger than a request is cut, and neighbours that wait are one block, so
// what is kept serves requests of any size: a program holds little more than it ever used at once.
#pragma once

#include <cstddef>
#include <map>
#include <mutex>

namespace strided {

inline constexpr std::size_t kHugePage = std::size_t{2} << 20;

constexpr std::size_t round_up(std::size_t value, std::size_t step) {
  return (value + step - 1) / step * step;
}

struct Block {
  std::byte* data;
  std::size_t nbytes;  // a multiple of kHugePage
};

// Zeros, or null where the system has none left.
std::byte* map_block(std::size_t nbytes);
void unmap_block(Block block);

class KeptBlocks {
 public:
  // From the last in memory that is large enough; data is null where none is. Steps of a program make and free
  // most blocks like a stack, so taking them from one end leaves the other end whole, for the large ones.
  Block take(std::size_t nbytes);
  void give(Block block) noexcept;
  void release_down_to(std::size_t limit);
  void set_limit(std::size_t limit);

  std::size_t bytes();
  std::size_t limit();

  void lock() { mutex_.lock(); }
  void unlock() { mutex_.unlock(); }

 private:
  bool keep(Block block) noexcept;

  std::mutex mutex_;
  std::map<std::byte*, std::size_t> blocks_;  // no two of them touch, where blocks can be cut
  std::size_t bytes_ = 0;
  std::size_t limit_ = default_limit();

  static std::size_t default_limit();
};

}  // namespace strided
