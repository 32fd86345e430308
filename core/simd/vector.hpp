// Vectors of the instruction set that the including file is compiled for.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

#include "integer_of_size.hpp"
#include "layout/dims.hpp"

namespace strided::STRIDED_ISA {

// The widest vector, in bytes.
#if defined(__AVX512BW__)
inline constexpr int kVectorBytes = 64;
#elif defined(__AVX2__)
inline constexpr int kVectorBytes = 32;
#else
inline constexpr int kVectorBytes = 16;
#endif

template <class T, int kBytes>
struct VectorOf {
  typedef T type __attribute__((vector_size(kBytes)));
};
template <class T, int kCount = kVectorBytes / static_cast<int>(sizeof(T))>
using Vector = typename VectorOf<T, kCount * static_cast<int>(sizeof(T))>::type;

// kWidth bytes in elements of kItem bytes. Elements of 16 bytes are moved as two of 8.
template <int kWidth, int kItem>
using BitVector = typename VectorOf<typename UnsignedOf<kItem>::type, kWidth>::type;

template <class V>
[[gnu::always_inline]] inline V load_vector(const std::byte* at) {
  V vector;
  std::memcpy(&vector, at, sizeof(V));
  return vector;
}

template <class V>
[[gnu::always_inline]] inline void store_vector(std::byte* at, const V& vector) {
  std::memcpy(at, &vector, sizeof(V));
}

// A non-temporal store where the processor has one; `at` is a multiple of the vector's size. Needs finish_streams
// before another thread may read.
template <class V>
[[gnu::always_inline]] inline void stream_vector(std::byte* at, V vector) {
#if defined(__AVX512F__)
  if constexpr (sizeof(V) == 64) {
    _mm512_stream_si512(reinterpret_cast<__m512i*>(at), reinterpret_cast<__m512i>(vector));
    return;
  }
#endif
#if defined(__AVX__)
  if constexpr (sizeof(V) == 32) {
    _mm256_stream_si256(reinterpret_cast<__m256i*>(at), reinterpret_cast<__m256i>(vector));
    return;
  }
#endif
#if defined(__SSE2__)
  if constexpr (sizeof(V) == 16) {
    _mm_stream_si128(reinterpret_cast<__m128i*>(at), reinterpret_cast<__m128i>(vector));
    return;
  }
#endif
  store_vector(at, vector);
}

[[gnu::always_inline]] inline void finish_streams() {
#if defined(__SSE2__)
  _mm_sfence();
#endif
}

inline bool is_aligned(const void* at, std::size_t to) {
  return reinterpret_cast<std::uintptr_t>(at) % to == 0;
}

// result[i] = (a, b)[Pick::at(i)]: elements of a are numbered from 0, those of b follow.
template <class Pick, class V, std::size_t... i>
[[gnu::always_inline]] inline V picked(V a, V b, std::index_sequence<i...>) {
#if defined(__clang__) || __GNUC__ >= 12
  return __builtin_shufflevector(a, b, Pick::at(static_cast<int>(i))...);
#else
  return __builtin_shuffle(a, b, V{static_cast<decltype(a[0] + 0)>(Pick::at(static_cast<int>(i)))...});
#endif
}
template <class Pick, class V>
[[gnu::always_inline]] inline V pick(V a, V b) {
  return picked<Pick>(a, b, std::make_index_sequence<sizeof(V) / sizeof(a[0])>{});
}

// 1 to 64 bytes without a call: whole words, then one that ends where the bytes end and may overlap them.
[[gnu::always_inline]] inline void copy_short(std::byte* out, const std::byte* in, Index n) {
  const auto move = [&]<class Word>(Word word, Index at) {
    std::memcpy(&word, in + at, sizeof(Word));
    std::memcpy(out + at, &word, sizeof(Word));
  };
  if (n >= 16) {
    for (Index at = 0; at + 16 < n; at += 16) move(BitVector<16, 8>{}, at);
    move(BitVector<16, 8>{}, n - 16);
  } else if (n >= 8) {
    move(std::uint64_t{}, 0);
    move(std::uint64_t{}, n - 8);
  } else if (n >= 4) {
    move(std::uint32_t{}, 0);
    move(std::uint32_t{}, n - 4);
  } else {
    for (Index at = 0; at < n; ++at) out[at] = in[at];
  }
}

// 64 bytes in memory.
struct Line { alignas(64) std::byte bytes[64]; };

[[gnu::always_inline]] inline void stream_line(std::byte* at, const std::byte* line) {
  for (int byte = 0; byte < 64; byte += kVectorBytes) {
    stream_vector(at + byte, load_vector<BitVector<kVectorBytes, 8>>(line + byte));
  }
}

// How far ahead of non-temporal stores the source is prefetched, in bytes: the processor prefetches too little by
// itself then.
inline constexpr Index kStreamAhead = 2048;

// Non-temporal stores of whole lines; what is before the first and after the last is stored as usual. The source is
// prefetched kAhead bytes ahead.
template <Index kAhead = 0>
inline void stream_bytes(std::byte* out, const std::byte* in, Index nbytes) {
  const Index head = std::min<Index>(nbytes, static_cast<Index>(-reinterpret_cast<std::uintptr_t>(out) % 64));
  if (head > 0) copy_short(out, in, head);
  Index at = head;
  for (; at + 64 <= nbytes; at += 64) {
    if constexpr (kAhead > 0) __builtin_prefetch(in + at + kAhead);
    stream_line(out + at, in + at);
  }
  if (at < nbytes) copy_short(out + at, in + at, nbytes - at);
}

// Non-temporal stores of runs of bytes that begin and end anywhere, of at most kMost bytes each: a line is stored when
// it is complete.
template <Index kMost>
class LineWriter {
 public:
  void begin(std::byte* out) {
    skip_ = waiting_ = static_cast<Index>(reinterpret_cast<std::uintptr_t>(out) % 64);
    out_ = out - skip_;
  }

  // Where the next run may be put, before wrote().
  std::byte* next() { return bytes_ + waiting_; }

  void wrote(Index nbytes) {
    waiting_ += nbytes;
    Index at = 0;
    for (; at + 64 <= waiting_; at += 64) {
      if (skip_ > 0) copy_short(out_ + at + skip_, bytes_ + at + skip_, 64 - skip_);
      else stream_line(out_ + at, bytes_ + at);
      skip_ = 0;
    }
    waiting_ -= at;
    out_ += at;
    if (waiting_ > 0) store_vector(bytes_, load_vector<Line>(bytes_ + at));
  }

  void finish() {
    if (waiting_ > skip_) copy_short(out_ + skip_, bytes_ + skip_, waiting_ - skip_);
    finish_streams();
  }

 private:
  Index skip_;  // bytes of the first line that belong to somebody else
  Index waiting_;
  std::byte* out_;
  alignas(64) std::byte bytes_[64 + kMost + 64];
};

}  // namespace strided::STRIDED_ISA
