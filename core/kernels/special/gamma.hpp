// Error functions and their inverses, the incomplete gamma functions, the zeta function and its derivatives.
#pragma once

#include <algorithm>
#include <cmath>

#include "kernels/special/bessel.hpp"

namespace strided::kernels::special {

// exp(x^2) erfc(x): a product for small x, a continued fraction for others.
inline double erfcx(double x) {
  if (std::isnan(x)) return x;
  if (x < 2) {
    if (x < -27) return kInfinity;
    return std::exp(x * x) * std::erfc(x);
  }
  if (x > 1e8) return 1 / (x * std::sqrt(kPi));
  double fraction = x;
  for (int k = 60; k > 0; --k) fraction = x + k / 2.0 / fraction;
  return 1 / (std::sqrt(kPi) * fraction);
}

// The x at which erfc(x) is c, for c in (0, 1]: Newton's steps on the logarithm.
inline double erfc_inverse(double c) {
  if (c == 0) return kInfinity;
  if (!(c > 0)) return kNaN;
  const double logarithm = std::log(c);
  // Winitzki's approximation of the inverse of erf.
  const double both = std::log(c * (2 - c)), a = 2 / (kPi * 0.147) + both / 2;
  double x = std::sqrt(std::max(0.0, std::sqrt(a * a - both / 0.147) - a));
  for (int step = 0; step < 5; ++step) {
    const double log_now = x > 5 ? std::log(erfcx(x)) - x * x : std::log(std::erfc(x));
    x += (log_now - logarithm) * erfcx(x) * std::sqrt(kPi) / 2;
  }
  return x;
}

inline double erf_inverse(double y) {
  const double size = std::abs(y);
  if (size == 1) return y * kInfinity;
  if (!(size < 1)) return kNaN;
  if (size >= 0.5) return std::copysign(erfc_inverse(1 - size), y);
  double x = y * std::sqrt(kPi) / 2;
  for (int step = 0; step < 4; ++step) {
    const double change = (std::erf(x) - y) * std::sqrt(kPi) / 2 * std::exp(x * x);
    x -= change / (1 + x * change);
  }
  return x;
}

inline double ndtr(double x) { return std::erfc(-x / std::numbers::sqrt2) / 2; }
inline double ndtri(double p) {
  if (!(p >= 0 && p <= 1)) return kNaN;
  const double least = p < 0.5 ? p : 1 - p, found = std::numbers::sqrt2 * erfc_inverse(2 * least);
  return p < 0.5 ? -found : found;
}
inline double log_ndtr(double x) {
  if (x > -1) return std::log1p(-std::erfc(x / std::numbers::sqrt2) / 2);
  return std::log(erfcx(-x / std::numbers::sqrt2) / 2) - x * x / 2;
}

// ---- incomplete gamma functions ----

// m - log(1 + m), exact near zero.
inline double log1p_rest(double m) {
  if (std::abs(m) > 0.25) return m - std::log1p(m);
  double power = m * m, sum = 0;
  for (int k = 2; k < 60; ++k, power *= -m) {
    const double term = power / k;
    sum += term;
    if (std::abs(term) < std::abs(sum) * 1e-18) break;
  }
  return sum;
}

// x^a exp(-x) / gamma(a + 1)
inline double gamma_density(double a, double x) {
  if (a < 12) return std::exp(a * std::log(x) - x - std::lgamma(a + 1));
  const double square = 1 / (a * a);
  const double stirling =
      (1.0 / 12 + square * (-1.0 / 360 + square * (1.0 / 1260 + square * (-1.0 / 1680 + square * (1.0 / 1188 +
       square * (-691.0 / 360360)))))) / a;
  return std::exp(-a * log1p_rest((x - a) / a) - stirling) / std::sqrt(2 * kPi * a);
}

inline double lower_by_series(double a, double x) {
  double term = 1, sum = 1;
  for (double k = 1; term > sum * 1e-17 && k < 1e7; ++k) sum += term *= x / (a + k);
  return sum * gamma_density(a, x);
}

inline double upper_by_fraction(double a, double x) {
  constexpr double kTiny = 1e-300;
  double b = x + 1 - a, c = 1 / kTiny, d = 1 / b, h = d;
  for (double k = 1; k < 1e7; ++k) {
    const double an = -k * (k - a);
    b += 2;
    d = an * d + b;
    if (std::abs(d) < kTiny) d = kTiny;
    c = b + an / c;
    if (std::abs(c) < kTiny) c = kTiny;
    d = 1 / d;
    const double change = d * c;
    h *= change;
    if (std::abs(change - 1) < 1e-16) break;
  }
  return h * a * gamma_density(a, x);
}

inline double igamma(double a, double x) {
  if (std::isnan(a) || std::isnan(x) || a < 0 || x < 0 || (a == 0 && x == 0)) return kNaN;
  if (a == kInfinity) return x == kInfinity ? kNaN : 0;
  if (x == 0) return 0;
  if (a == 0 || x == kInfinity) return 1;
  return x < a + 1 ? lower_by_series(a, x) : 1 - upper_by_fraction(a, x);
}

inline double igammac(double a, double x) {
  if (std::isnan(a) || std::isnan(x) || a < 0 || x < 0 || (a == 0 && x == 0)) return kNaN;
  if (a == kInfinity) return x == kInfinity ? kNaN : 1;
  if (x == 0) return 1;
  if (a == 0 || x == kInfinity) return 0;
  return x < a + 1 ? 1 - lower_by_series(a, x) : upper_by_fraction(a, x);
}

// ---- zeta ----

// The sum of (q + k)^-s by Euler and Maclaurin's formula, s > 1.
inline double zeta(double s, double q) {
  if (std::isnan(s) || std::isnan(q) || s < 1) return kNaN;
  if (s == 1) return kInfinity;
  if (q <= 0) {
    if (q == std::floor(q)) return kInfinity;
    if (s != std::floor(s)) return kNaN;
  }
  double sum = 0, w = q;
  for (; w < 10 + s; ++w) sum += std::pow(w, -s);
  const double power = std::pow(w, -s);
  sum += power * w / (s - 1) + power / 2;
  // Bernoulli's numbers B_2, B_4, ... over the factorial of their index.
  constexpr double kBernoulli[] = {1.0 / 12,          -1.0 / 720,          1.0 / 30240,
                                   -1.0 / 1209600,    1.0 / 47900160,      -691.0 / 1307674368000,
                                   1.0 / 74724249600, -3617.0 / 10670622842880000};
  double factor = power * s / w;
  for (int k = 0; k < 8; ++k) {
    sum += kBernoulli[k] * factor;
    factor *= (s + 2 * k + 1) * (s + 2 * k + 2) / (w * w);
  }
  return sum;
}

// The n-th derivative of digamma, n >= 1.
inline double polygamma(double n, double x) {
  if (n == 1 && x < 0) {
    const double sine = std::sin(kPi * (x - std::floor(x)));
    return x == std::floor(x) ? kInfinity : kPi * kPi / (sine * sine) - zeta(2, 1 - x);
  }
  const double sign = std::fmod(n, 2) == 1 ? 1 : -1;
  return sign * std::tgamma(n + 1) * zeta(n + 1, x);
}

}  // namespace strided::kernels::special
