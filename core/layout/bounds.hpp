// Which storage positions a layout reaches, and arithmetic that notices overflow.
#pragma once

#include "layout.hpp"

namespace strided {

struct Bounds {
  Index lowest;   // first storage position reached
  Index highest;  // last one; lowest > highest when the layout has no element
  bool empty() const { return lowest > highest; }
};

// Raises OutOfStorageBounds when a position does not even fit in int64.
Bounds bounds_of(const Layout& layout);

// Raises OutOfStorageBounds unless every position lies in [0, storage_size).
void check_fits(const Layout& layout, Index storage_size);

// a * b and a + b, or false when the result does not fit.
inline bool multiply(Index a, Index b, Index& result) {
  return !__builtin_mul_overflow(a, b, &result);
}
inline bool add(Index a, Index b, Index& result) {
  return !__builtin_add_overflow(a, b, &result);
}

// a * b for a, b >= 0, or the largest Index where that does not fit: for sizes that are only compared.
inline Index saturated_product(Index a, Index b) {
  Index result;
  return multiply(a, b, result) ? result : INT64_MAX;
}

// |value|; unsigned, because the smallest Index has no positive twin.
inline std::uint64_t magnitude(Index value) {
  const auto bits = static_cast<std::uint64_t>(value);
  return value < 0 ? 0 - bits : bits;
}

// The rare halves of the two functions below, out of line to keep those small.
[[noreturn]] void refuse_position(Index offset, Index count, Index stride);
[[noreturn]] void refuse_stride(Index stride, Index factor);

// offset + count * stride; raises InvalidArgument when it does not fit.
inline Index shifted(Index offset, Index count, Index stride) {
  Index way, position;
  if (!multiply(count, stride, way) || !add(offset, way, position)) {
    refuse_position(offset, count, stride);
  }
  return position;
}

// stride * factor for an axis of `length`. Where that does not fit, an axis that takes no step
// (length 0 or 1) keeps `stride`, which then has no effect, and any other raises InvalidArgument.
inline Index scaled(Index stride, Index factor, Index length) {
  Index result;
  if (multiply(stride, factor, result)) return result;
  if (length > 1) refuse_stride(stride, factor);
  return stride;
}

}  // namespace strided
