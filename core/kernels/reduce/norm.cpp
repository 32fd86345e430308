// Norms: sums of powers and extremes of sizes.
#include <complex>

#include "complex_parts.hpp"
#include "dtype/element.hpp"
#include "plan/record.hpp"
#include "minmax.hpp"
#include "sum.hpp"
#include "reduce.hpp"

namespace strided::kernels::reduce {
namespace {

using Complex = std::complex<double>;

// n complex numbers become n sizes.
void take_sizes(std::byte* block, Index n) {
  double* const sizes = reinterpret_cast<double*>(block);
  for (Index i = 0; i < n; ++i) sizes[i] = std::abs(load<Complex>(block + i * 16));
}

// Elements to the power of p, as they are read.
class PowerSum : public FloatSum {
 public:
  PowerSum(double p, DType read_as, DType out) : FloatSum(Fold::AbsSum, DType::Float64, out), p_(p) {
    read = read_as;
    mapped = sizeof(double);
    exponent = 1 / p;
  }
  std::vector<std::string> plain_loops(bool) const override {
    return {plain_loop("kernels/reduce/norm.cpp", "take_powers")};
  }
  void map(std::byte* block, Index n) const override { take_powers(block, n); }

 private:
  void take_powers(std::byte* block, Index n) const {
    if (read == DType::Complex128) take_sizes(block, n);
    double* const x = reinterpret_cast<double*>(block);
    for (Index i = 0; i < n; ++i) x[i] = powered(std::fabs(x[i]));
  }

  double powered(double x) const {
    if (p_ != std::floor(p_) || p_ < 0 || p_ > 64) return std::pow(x, p_);
    double power = 1;
    for (int k = static_cast<int>(p_); k > 0; k /= 2, x *= x) {
      if (k % 2 != 0) power *= x;
    }
    return power;
  }
  double p_;
};

class LargestSize : public FindLargest<double> {
 public:
  LargestSize(bool largest, DType out) : FindLargest(largest, true, DType::Float64, out) {
    read = DType::Complex128;
    mapped = sizeof(double);
  }
  std::vector<std::string> plain_loops(bool) const override {
    return {plain_loop("kernels/reduce/norm.cpp", "take_sizes")};
  }
  void map(std::byte* block, Index n) const override { take_sizes(block, n); }
};

}  // namespace

void norm(double p, const Operand& out, const Operand& in) {
  if (out.layout->size() == 0) return;
  if (p == 0) return reduce(Reduction::Count, out, in);
  const bool complex = is_complex(in.dtype);
  if (p == 2 && complex) {
    const ComplexParts from(in, true), to(out, true);
    return norm(p, to.operand(), from.operand());
  }
  const FoldSpace fold = fold_space_of(out, in, std::isinf(p) ? Repeats::Counted : Repeats::Visited);
  const bool in_double = in.dtype == DType::Float64 || !is_floating(in.dtype);
  if (std::isinf(p)) {
    require_elements(fold);
    if (complex) return reduce_with("norm", LargestSize(p > 0, out.dtype), fold);
    if (in_double) return reduce_with("norm", FindLargest<double>(p > 0, true, DType::Float64, out.dtype), fold);
    return reduce_with("norm", FindLargest<float>(p > 0, true, in.dtype, out.dtype), fold);
  }
  if (complex || (p != 1 && p != 2)) {
    return reduce_with("norm", PowerSum(p, complex ? DType::Complex128 : DType::Float64, out.dtype), fold);
  }
  FloatSum sum(p == 1 ? Fold::AbsSum : Fold::Squares, in_double ? DType::Float64 : DType::Float32,
               out.dtype);
  sum.exponent = 1 / p;
  reduce_with("norm", sum, fold);
}

}  // namespace strided::kernels::reduce
