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

// Raises InvalidArgument; out of line to keep the checks below small.
[[noreturn]] void refuse_rank(std::size_t rank);

// A list of at most kMost numbers; as a contiguous range it converts to Span by itself. Its elements are not
// initialised: only size() of them exist. Growing it beyond kMost raises InvalidArgument.
class Dims {
 public:
  // Two more than a layout has: one for the parts of complex numbers, one for an axis that is about to be refused
  // by the function that knows why.
  static constexpr int kMost = kMaxRank + 2;

  Dims() {}  // not defaulted: Dims() would then clear all elements first
  Dims(Span values) : Dims(values.data(), values.size()) {}  // NOLINT: a span is a list of dims
  Dims(std::initializer_list<Index> values) : Dims(values.begin(), values.size()) {}
  Dims(const Dims& other) : Dims(other.values_, static_cast<std::size_t>(other.size_)) {}
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

  void push_back(Index value) {
    if (size_ >= kMost) refuse_rank(kMost + 1);
    values_[size_++] = value;
  }
  void resize(int size) {
    if (size < 0 || size > kMost) refuse_rank(static_cast<std::size_t>(size));
    size_ = size;
  }
  void insert(int at, Index value) {
    assert(at >= 0 && at <= size_);
    if (size_ >= kMost) refuse_rank(kMost + 1);
    for (int i = size_; i > at; --i) values_[i] = values_[i - 1];
    values_[at] = value;
    ++size_;
  }
  void erase(int at) {
    for (int i = at; i + 1 < size_; ++i) values_[i] = values_[i + 1];
    --size_;
  }

 private:
  Dims(const Index* values, std::size_t size) : size_(static_cast<int>(size)) {
    if (size > kMost) refuse_rank(size);
    for (int i = 0; i < size_; ++i) values_[i] = values[i];
  }

  int size_ = 0;
  Index values_[kMost];
};

}  // namespace strided
