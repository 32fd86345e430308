#include "panel_memory.hpp"

#include <cstdlib>

namespace strided {
namespace {

constexpr std::size_t kGrain = 4096;

struct Block {
  std::byte* data = nullptr;
  std::size_t size = 0;

  Block() = default;
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;
  ~Block() { std::free(data); }

  std::byte* of_size(std::size_t bytes) {
    if (bytes <= size) return data;
    std::free(data);
    size = (bytes + kGrain - 1) / kGrain * kGrain;
    data = static_cast<std::byte*>(std::aligned_alloc(64, size));
    if (data == nullptr) size = 0;
    return data;
  }
};

}  // namespace

std::byte* panel_memory(PanelOf kind, std::size_t bytes) {
  thread_local Block blocks[6];
  return blocks[static_cast<int>(kind)].of_size(bytes);
}

}  // namespace strided
