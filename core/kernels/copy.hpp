// Moving elements from one layout to another of the same shape, converting the dtype on the way.
#pragma once

#include "operand.hpp"
#include "plan/plan.hpp"

namespace strided {

// out and in must not overlap (except element for element).
void copy(const Operand& out, const Operand& in);

// Where the operands of a copy are likely to be.
enum class CopyKind : std::uint8_t {
  Cached,    // in a cache, both
  Fetched,   // the input comes from memory, the output stays in a cache
  Streamed,  // both are large: the output is written past the caches
};

// The same for elements of `itemsize` bytes, planned already.
void copy_planned(const Plan& plan, Index itemsize, std::byte* const* storage, CopyKind kind);

// For operands with equal strides that overlap at a distance: visits addresses in rising or falling
// order, so that every element is read before it is overwritten. Same dtype; strides must be nested
// (see can_order_travel).
void copy_in_order(const Operand& out, const Operand& in);
// True when walking the axes by falling |stride| visits addresses monotonically.
bool can_order_travel(const Layout& out, const Layout& in);

// Writes the element at `value` (of out's dtype) everywhere.
void fill(const Operand& out, const void* value);

}  // namespace strided
