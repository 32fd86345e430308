// Reductions: many elements into one, along any axes of any layout.
//
// `out` has the rank of `in` with length 1 on every reduced axis. Sums of floats run in double (half types
// are first added in pairs, in float32), with an error that does not grow with their length; integers wrap
// around, unless out is a float. Results do not depend on the number of threads.
#pragma once

#include "plan/operand.hpp"

namespace strided::kernels::reduce {

enum class Reduction : std::uint8_t { Sum, Prod, Min, Max, Any, All, Count, Mean };
const char* name_of(Reduction op);

// out.dtype: Sum, Prod and Count any numeric dtype, Mean a float or complex one, Any and All bool, Min and
// Max in.dtype. NaN wins in Min and Max; those of nothing raise InvalidArgument.
void reduce(Reduction op, const Operand& out, const Operand& in);

// Passing over NaN, of which floats alone have some. Min and Max of nothing but NaN are infinite.
enum class NanReduction : std::uint8_t { Sum, Min, Max, Count };
void reduce_numbers(NanReduction op, const Operand& out, const Operand& in);

// Smallest and largest in one pass. Both results have the same layout.
void min_max(const Operand& least, const Operand& most, const Operand& in);

// Positions (int64) of the first smallest or largest element along the reduced axes, counted in
// row-major order of those axes; NaN counts as the extreme. The elements themselves go to `values`, which
// has the strides of `out`, unless it is null.
void arg_reduce(bool largest, const Operand& out, const Operand* values, const Operand& in);

// sum(|x - mean|^2) / max(0, n - correction) in double and one pass over memory, not from sums of
// squares; or the root of it. out.dtype is a float.
enum class VarianceKind : bool { Variance, Deviation };
// The mean, which comes out of it too, goes to `mean`, which has the dtype and the strides of `out`, unless it
// is null; then `in` must not be complex.
void variance(VarianceKind kind, const Operand& out, const Operand& in, double correction,
              const Operand* mean = nullptr);

// sum(|x|^p)^(1/p) in double; p may be infinite (the largest, or the smallest) or 0 (how many are not 0).
void norm(double p, const Operand& out, const Operand& in);

// log(sum(exp(x))) without overflow, in one pass. Both are floats. Plans and errors call it by the name.
inline constexpr const char* kLogSumExp = "logsumexp";
void log_sum_exp(const Operand& out, const Operand& in);

}  // namespace strided::kernels::reduce
