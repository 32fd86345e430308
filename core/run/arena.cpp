#include "arena.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <memory>
#include <new>

#include "errors.hpp"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#define STRIDED_POISON(data, size) __asan_poison_memory_region(data, size)
#define STRIDED_UNPOISON(data, size) __asan_unpoison_memory_region(data, size)
#else
#define STRIDED_POISON(data, size) static_cast<void>(0)
#define STRIDED_UNPOISON(data, size) static_cast<void>(0)
#endif

namespace strided {
namespace {

// Most kernels need no second block. Pages that are never touched cost nothing.
constexpr std::size_t kFirstBlock = std::size_t{512} << 10;
constexpr std::size_t kGrain = 4096;
#if defined(__SANITIZE_ADDRESS__)
constexpr std::size_t kGap = 64;  // poisoned, between one allocation and the next
#else
constexpr std::size_t kGap = 0;
#endif

}  // namespace

Arena::~Arena() {
  for (int i = 0; i < count_; ++i) {
    STRIDED_UNPOISON(blocks_[i].data, blocks_[i].size);
    std::free(blocks_[i].data);
  }
}

std::byte* Arena::take_slowly(std::size_t bytes) {
  const std::size_t needed = (bytes + kGap + kAlignment - 1) & ~(kAlignment - 1);
  const auto fail = [&] {
    throw errors::out_of_memory(static_cast<std::int64_t>(std::min<std::size_t>(bytes, INT64_MAX)));
  };
  if (needed < bytes) fail();
  if (current_ < 0 || needed > static_cast<std::size_t>(end_ - at_)) {
    // Blocks behind the current one are not in use. Those that are too small are freed for a larger one.
    const int next = current_ + 1;
    if (next == count_ || blocks_[next].size < needed) {
      while (count_ > next) {
        --count_;
        STRIDED_UNPOISON(blocks_[count_].data, blocks_[count_].size);
        std::free(blocks_[count_].data);
      }
      const std::size_t before = next > 0 ? 2 * blocks_[next - 1].size : kFirstBlock;
      std::size_t size = (std::max(needed, before) + kGrain - 1) & ~(kGrain - 1);
      auto* data = size < needed || next == kMostBlocks
                       ? nullptr
                       : static_cast<std::byte*>(std::aligned_alloc(kAlignment, size));
      if (data == nullptr) fail();
      blocks_[count_++] = {data, size};
      STRIDED_POISON(data, size);
    }
    current_ = next;
    at_ = blocks_[next].data;
    end_ = at_ + blocks_[next].size;
  }
  std::byte* const taken = at_;
  at_ += needed;
  STRIDED_UNPOISON(taken, bytes);
  return taken;
}

void Arena::release_slowly(Mark mark) noexcept {
  if (mark.block < 0) {  // taken before there was a block
    if (count_ == 0) return;
    mark = {0, blocks_[0].data};
  }
  current_ = mark.block;
  at_ = mark.at;
  end_ = blocks_[current_].data + blocks_[current_].size;
  for (int i = current_ + 1; i < count_; ++i) STRIDED_POISON(blocks_[i].data, blocks_[i].size);
  STRIDED_POISON(at_, static_cast<std::size_t>(end_ - at_));
}

std::size_t Arena::held_bytes() const {
  std::size_t bytes = 0;
  for (int i = 0; i < count_; ++i) bytes += blocks_[i].size;
  return bytes;
}

namespace {

// A plain pointer is found without asking whether it was initialised.
constinit thread_local Arena* own_arena = nullptr;

[[gnu::noinline]] Arena& make_arena() {
  // So are those with which the C++ library throws: asked for now, while there is memory for them.
  [[maybe_unused]] const volatile int thrown = std::uncaught_exceptions();
  // By pointer: the variables of a thread are to be few bytes (CMakeLists.txt).
  thread_local std::unique_ptr<Arena> arena;
  if (arena == nullptr) arena.reset(new (std::nothrow) Arena);
  if (arena == nullptr) throw errors::out_of_memory(sizeof(Arena));
  own_arena = arena.get();
  return *arena;
}

}  // namespace

Arena& thread_arena() {
  if (own_arena != nullptr) [[likely]] return *own_arena;
  return make_arena();
}

}  // namespace strided
