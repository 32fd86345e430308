#include "special.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/special/bessel.hpp"
#include "kernels/loop_names.hpp"
#include "kernels/special/gamma.hpp"
#include "plan/record.hpp"
#include "plan/split.hpp"

namespace strided::kernels::special {
namespace {

// ---- orthogonal polynomials by their recurrences ----

// p(k + 1) = (a x + b) p(k) - c p(k - 1), the factors given by next(k).
template <class Next> double recurrence(double count, double first, double second, Next&& next) {
  if (std::isnan(count)) return count;
  if (count < 0) return 0;
  const double n = std::trunc(count);
  if (n == 0) return first;
  double before = first, now = second;
  for (double k = 1; k < n; ++k) {
    const double later = next(k, now, before);
    before = now, now = later;
  }
  return now;
}

double chebyshev(double x, double n, double second) {
  return recurrence(n, 1, second, [&](double, double now, double before) { return 2 * x * now - before; });
}
double chebyshev_t(double x, double n) { return chebyshev(x, n, x); }
double chebyshev_u(double x, double n) { return chebyshev(x, n, 2 * x); }
double chebyshev_v(double x, double n) { return chebyshev(x, n, 2 * x - 1); }
double chebyshev_w(double x, double n) { return chebyshev(x, n, 2 * x + 1); }
double hermite_h(double x, double n) {
  return recurrence(n, 1, 2 * x, [&](double k, double now, double before) { return 2 * (x * now - k * before); });
}
double hermite_he(double x, double n) {
  return recurrence(n, 1, x, [&](double k, double now, double before) { return x * now - k * before; });
}
double laguerre_l(double x, double n) {
  return recurrence(n, 1, 1 - x, [&](double k, double now, double before) {
    return ((2 * k + 1 - x) * now - k * before) / (k + 1);
  });
}
double legendre_p(double x, double n) {
  return recurrence(n, 1, x, [&](double k, double now, double before) {
    return ((2 * k + 1) * x * now - k * before) / (k + 1);
  });
}

constexpr Function kFunctions[] = {
    {"i0", [](double x) { return unscaled_i(0, x); }, nullptr},
    {"i1", [](double x) { return unscaled_i(1, x); }, nullptr},
    {"i0e", [](double x) { return scaled_i(0, x); }, nullptr},
    {"i1e", [](double x) { return scaled_i(1, x); }, nullptr},
    {"modified_bessel_k0", [](double x) { return scaled_k(0, x) * std::exp(-x); }, nullptr},
    {"modified_bessel_k1", [](double x) { return scaled_k(1, x) * std::exp(-x); }, nullptr},
    {"scaled_modified_bessel_k0", [](double x) { return scaled_k(0, x); }, nullptr},
    {"scaled_modified_bessel_k1", [](double x) { return scaled_k(1, x); }, nullptr},
    {"bessel_j0", [](double x) { return bessel_j(0, x); }, nullptr},
    {"bessel_j1", [](double x) { return bessel_j(1, x); }, nullptr},
    {"bessel_y0", [](double x) { return bessel_y(0, x); }, nullptr},
    {"bessel_y1", [](double x) { return bessel_y(1, x); }, nullptr},
    {"airy_ai", airy_ai, nullptr},
    {"erfcx", erfcx, nullptr},
    {"erfinv", erf_inverse, nullptr},
    {"ndtr", ndtr, nullptr},
    {"ndtri", ndtri, nullptr},
    {"log_ndtr", log_ndtr, nullptr},
    {"igamma", nullptr, igamma},
    {"igammac", nullptr, igammac},
    {"zeta", nullptr, zeta},
    {"polygamma", nullptr, polygamma},
    {"chebyshev_polynomial_t", nullptr, chebyshev_t},
    {"chebyshev_polynomial_u", nullptr, chebyshev_u},
    {"chebyshev_polynomial_v", nullptr, chebyshev_v},
    {"chebyshev_polynomial_w", nullptr, chebyshev_w},
    {"hermite_polynomial_h", nullptr, hermite_h},
    {"hermite_polynomial_he", nullptr, hermite_he},
    {"laguerre_polynomial_l", nullptr, laguerre_l},
    {"legendre_polynomial_p", nullptr, legendre_p},
};

// An element takes as long as reading so many bytes.
constexpr Index kBytesPerElement = 512;

PlanRecord record_of(const Function& function, Index count, int chunks) {
  IterationSpace space(function.unary != nullptr ? 2 : 3);
  const Index steps[] = {sizeof(double), sizeof(double), sizeof(double)};
  space.add_axis(count, Role::Map, steps);
  return {std::string(function.name), space, {plain_loop("kernels/special/special.cpp", "run")}, chunks};
}

}  // namespace

const Function* find(std::string_view name) {
  const auto* const found = std::ranges::find(kFunctions, name, &Function::name);
  return found == std::end(kFunctions) ? nullptr : found;
}

void run(const Function& function, double* out, const double* a, const double* b, Index count) {
  if (count == 0) return;
  const int chunks = interruptible_chunks_for(static_cast<std::size_t>(count) * kBytesPerElement);
  const RecordScope scope([&] { return record_of(function, count, chunks); });
  run_range_in_chunks(count, chunks, [&](int, Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      out[i] = function.unary != nullptr ? function.unary(a[i]) : function.binary(a[i], b[i]);
    }
  });
}

}  // namespace strided::kernels::special
