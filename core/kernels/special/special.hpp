// Special functions of float64, one element at a time: Bessel, error and gamma functions, polynomials.
//
// Each is computed from its definition: a series whose terms have one sign, an integral by the trapezoid rule where
// that converges faster than any power, a continued fraction, or an asymptotic series where that has all digits.
#pragma once

#include <string_view>

#include "layout/dims.hpp"

namespace strided::kernels::special {

using Unary = double (*)(double);
using Binary = double (*)(double, double);

struct Function {
  std::string_view name;
  Unary unary;    // or null
  Binary binary;  // or null
};

// The function of a name; null where there is none.
const Function* find(std::string_view name);

// Writes f(a[i]), or f(a[i], b[i]), for contiguous elements, on all threads.
void run(const Function& function, double* out, const double* a, const double* b, Index count);

}  // namespace strided::kernels::special
