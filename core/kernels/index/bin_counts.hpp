// Histogram of small integers: how often each occurs.
#pragma once

#include "plan/operand.hpp"

namespace strided::kernels::index {

// The largest of the integers in `in` (rank 1), as bits: a negative number is beyond every int64.
std::uint64_t largest_bin(const Operand& in);

// out[k] = how many elements of `in` are k, or the sum of their weights. Rank 1; out is zeroed, and int64 or,
// with weights, float64. Numbers outside of it are not counted.
void count_bins(const Operand& out, const Operand& in, const Operand* weights);

}  // namespace strided::kernels::index
