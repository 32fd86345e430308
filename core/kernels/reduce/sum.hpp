// Sums of floats, in double, and what is made of them: means and norms.
#pragma once

#include <cmath>

#include "partial_folds.hpp"

namespace strided::kernels::reduce {

// Adds up parts and, separately, what each addition rounds off: the error stays that of one part, however
// many there are. D. Knuth, The Art of Computer Programming 2, section 4.2.2, theorem B.
struct CarefulSum {
  using Accumulator = double;
  using Total = double;
  using State = double;
  static constexpr bool kCareful = true;
  static constexpr double none = 0;
  static void fold(double& sum, double& rest, double part) {
    const double next = sum + part;
    const double taken = next - sum;
    rest += (sum - (next - taken)) + (part - taken);
    sum = next;
  }
};

// The result is (sum / divisor)^exponent. The loops take `loop`, which elements are read as.
class FloatSum : public PartialFolding<CarefulSum> {
 public:
  double divisor = 1;
  double exponent = 1;

  // Elements per part, fixed: the rounding errors of a part grow with its length; float32 is far from seeing them.
  FloatSum(Fold fold, DType loop, DType out)
      : PartialFolding(reduce_loops(fold, loop), loop, loop == DType::Float64 ? 1024 : 4096,
                    loop == DType::Float64 ? 64 : 512),
        out_(out) {}

  void write(const FoldWorkspace& work, Index at, Index n, std::byte* out, Index step) const override {
    double* const sum = state(work) + at;
    const double* const rest = PartialFolding::rest(work) + at;
    if (!work.single) {
      // The rest means nothing once the sum is infinite or NaN.
      for (Index i = 0; i < n; ++i) sum[i] += rest[i] - rest[i] == 0 ? rest[i] : 0;
    }
    finish(sum, n);
    write_as(DType::Float64, sum, n, out_, out, step);
  }

 private:
  void finish(double* values, Index n) const {
    if (divisor != 1) for (Index i = 0; i < n; ++i) values[i] /= divisor;
    if (exponent == 0.5) for (Index i = 0; i < n; ++i) values[i] = std::sqrt(values[i]);
    else if (exponent != 1) for (Index i = 0; i < n; ++i) values[i] = std::pow(values[i], exponent);
  }

  DType out_;
};

}  // namespace strided::kernels::reduce
