// Scratch memory per thread (an arena): taken and given back like a stack, and kept for the next kernel.
//
// Worker stacks are small (worker_thread.hpp), so buffers of some KB and more live here. Memory is not cleared. A scope
// costs a few nanoseconds; everything that it took is free again when it ends. Scopes nest like blocks of code.
// Members are always inlined: loops that are built once per instruction set must not share copies of them.
#pragma once

#include <cstddef>

namespace strided {

class Arena {
 public:
  static constexpr std::size_t kAlignment = 64;  // a cache line

  struct Mark {
    int block;
    std::byte* at;
  };

  Arena() = default;
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;
  ~Arena();

  // At least `bytes`, aligned to a cache line. Raises OutOfMemory.
  [[gnu::always_inline]] std::byte* take(std::size_t bytes) {
#if defined(__SANITIZE_ADDRESS__)
    return take_slowly(bytes);
#else
    const std::size_t needed = (bytes + kAlignment - 1) & ~(kAlignment - 1);
    if (needed < bytes || needed > static_cast<std::size_t>(end_ - at_)) return take_slowly(bytes);
    std::byte* const taken = at_;
    at_ += needed;
    return taken;
#endif
  }

  [[gnu::always_inline]] Mark mark() const { return {current_, at_}; }

  // Gives back what was taken since. Blocks are kept.
  [[gnu::always_inline]] void release(Mark mark) noexcept {
#if defined(__SANITIZE_ADDRESS__)
    release_slowly(mark);
#else
    if (mark.block == current_) at_ = mark.at;
    else release_slowly(mark);
#endif
  }

  // What is held from the system, in use or not.
  std::size_t held_bytes() const;

 private:
  static constexpr int kMostBlocks = 48;  // each at least as large as the one before

  struct Block {
    std::byte* data;
    std::size_t size;
  };

  std::byte* take_slowly(std::size_t bytes);
  void release_slowly(Mark mark) noexcept;

  std::byte* at_ = nullptr;
  std::byte* end_ = nullptr;
  int current_ = -1;  // block that `at_` is in; -1 before the first
  int count_ = 0;
  Block blocks_[kMostBlocks];
};

// That of the calling thread.
Arena& thread_arena();

// Whatever is taken through a scope is given back at its end.
class Scratch {
 public:
  [[gnu::always_inline]] Scratch() : arena_(thread_arena()), mark_(arena_.mark()) {}
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  [[gnu::always_inline]] ~Scratch() { arena_.release(mark_); }

  // Raises OutOfMemory.
  [[gnu::always_inline]] std::byte* take(std::size_t bytes) { return arena_.take(bytes); }
  template <class T>
  [[gnu::always_inline]] T* take(std::ptrdiff_t count) {
    return reinterpret_cast<T*>(arena_.take(static_cast<std::size_t>(count) * sizeof(T)));
  }

 private:
  Arena& arena_;
  Arena::Mark mark_;
};

// Stands where a large local array stood: T name[kCount].
template <class T, std::size_t kCount>
class ScratchArray {
 public:
  [[gnu::always_inline]] ScratchArray() : data_(scratch_.take<T>(static_cast<std::ptrdiff_t>(kCount))) {}
  [[gnu::always_inline]] operator T*() const { return data_; }
  [[gnu::always_inline]] T* data() const { return data_; }
  static constexpr std::size_t size() { return kCount; }

 private:
  Scratch scratch_;
  T* data_;
};

}  // namespace strided
