// Moving elements from one layout to another of the same shape, converting the dtype on the way.
#pragma once

#include "plan/copy_plan.hpp"
#include "plan/operand.hpp"

namespace strided::kernels::copy {

// out and in must not overlap (except element for element).
void copy(const Operand& out, const Operand& in);

// The same, planned already.
void run_copy(const CopyPlan& copy, std::byte* const* storage);
// The file and function of its inner loop.
std::string name_of_loop(const CopyPlan& copy);
// The plan that `copy` makes for operands of one dtype.
CopyPlan copy_plan_of(const Operand& out, const Operand& in);

// For operands with equal strides that overlap at a distance: visits addresses in rising or falling
// order, so that every element is read before it is overwritten. Same dtype; strides must be nested
// (see can_order_travel).
void copy_in_order(const Operand& out, const Operand& in);
// True when walking the axes by falling |stride| visits addresses monotonically.
bool can_order_travel(const Layout& out, const Layout& in);

// Writes the element at `value` (of out's dtype) everywhere.
void fill(const Operand& out, const void* value);

}  // namespace strided::kernels::copy
