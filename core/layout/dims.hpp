// Short lists of lengths, strides and axes while they are being worked out, on the stack.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>

namespace strided {

using Index = std::int64_t;
using Span = std::span<const Index>;

// Ranks above this are refused when a layout is made; NumPy's limit, so every array fits.
inline constexpr int kMaxRank = 64;

// A list of at most kMaxRank numbers; as a contiguous range it converts to Span by itself. Its
// elements are not initialised: only size() of them exist.
class Dims {
 public:
  Dims() = default;
  Dims(Span values) { for (Index v : values) push_back(v); }  // NOLINT: a span is a list of dims
  Dims(std::initializer_list<Index> values) { for (Index v : values) push_back(v); }
  Dims(const Dims& other) : Dims(Span(other)) {}
  Dims& operator=(const Dims& other) {
    size_ = other.size_;
    for (int i = 0; i < size_; ++i) values_[i] = other.values_[i];
    return *this;
  }

  int size() const { return size_; }
  bool empty() const { return size_ == 0; }
  Index& operator[](int i) { assert(i >= 0 && i < size_); return values_[i]; }
  Index operator[](int i) const { assert(i >= 0 && i < size_); return values_[i]; }
  Index* begin() { return values_; }
  Index* end() { return values_ + size_; }
  const Index* begin() const { return values_; }
  const Index* end() const { return values_ + size_; }
  Index back() const { return values_[size_ - 1]; }

  void push_back(Index value) { assert(size_ < kMaxRank); values_[size_++] = value; }
  void resize(int size) { assert(size <= kMaxRank); size_ = size; }
  void insert(int at, Index value) {
    assert(size_ < kMaxRank && at >= 0 && at <= size_);
    for (int i = size_; i > at; --i) values_[i] = values_[i - 1];
    values_[at] = value;
    ++size_;
  }
  void erase(int at) {
    for (int i = at; i + 1 < size_; ++i) values_[i] = values_[i + 1];
    --size_;
  }

 private:
  int size_ = 0;
  Index values_[kMaxRank];
};

}  // namespace strided
