// Bessel and Airy functions of orders 0, 1 and 1/3.
#pragma once

#include <cmath>
#include <limits>
#include <numbers>

namespace strided::kernels::special {

inline constexpr double kPi = std::numbers::pi;
inline constexpr double kInfinity = std::numeric_limits<double>::infinity();
inline constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// From here on asymptotic series have all digits: their smallest term is exp(-2x).
inline constexpr double kLarge = 25;

// Sums c[k] / x^k, c[k] = (4v^2 - 1)(4v^2 - 9)...(4v^2 - (2k - 1)^2) / (k! 8^k), with signs that alternate or not.
inline double hankel_sum(double order, double x, double sign) {
  double term = 1, sum = 1;
  for (int k = 1; k < 60; ++k) {
    const double odd = 2 * k - 1;
    const double next = term * sign * (4 * order * order - odd * odd) / (8 * k * x);
    if (std::abs(next) >= std::abs(term) || std::abs(next) < 1e-18) break;
    sum += term = next;
  }
  return sum;
}

// exp(-|x|) I_v(x), v = 0 or 1.
inline double scaled_i(int order, double x) {
  const double size = std::abs(x), sign = order == 1 && x < 0 ? -1 : 1;
  if (std::isnan(x)) return x;
  if (size == kInfinity) return 0;
  if (size > 30) return sign * hankel_sum(order, size, -1) / std::sqrt(2 * kPi * size);
  const double quarter = size * size / 4;
  double term = order == 1 ? size / 2 : 1, sum = term;
  for (int k = 1; term > sum * 1e-18; ++k) sum += term *= quarter / (k * static_cast<double>(k + order));
  return sign * sum * std::exp(-size);
}

inline double unscaled_i(int order, double x) {
  const double size = std::abs(x), found = scaled_i(order, x);
  if (size == kInfinity) return order == 1 ? x : size;
  return size < 700 ? found * std::exp(size) : found * std::exp(size / 2) * std::exp(size / 2);
}

// exp(x) K_v(x): the integral of exp(-x (cosh t - 1)) cosh(v t), x > 0.
inline double scaled_k(double order, double x) {
  if (std::isnan(x) || x < 0) return kNaN;
  if (x == 0) return kInfinity;
  if (x == kInfinity) return 0;
  if (x > 30) return std::sqrt(kPi / (2 * x)) * hankel_sum(order, x, 1);
  constexpr double kStep = 1.0 / 16;
  double sum = 0.5;
  for (int k = 1;; ++k) {
    const double t = k * kStep, half = std::sinh(t / 2);
    const double term = std::exp(-2 * x * half * half + order * t) * (1 + std::exp(-2 * order * t)) / 2;
    sum += term;
    if (term < sum * 1e-18 && 2 * x * half * half > 1) break;
  }
  return sum * kStep;
}

struct Oscillating {
  double j, y;
};

// J_v and Y_v of x >= kLarge, v = 0 or 1.
inline Oscillating large_j(int order, double x) {
  double p = 1, q = 0, term = 1;
  for (int k = 1; k < 60; ++k) {
    const double odd = 2 * k - 1, next = term * (4.0 * order * order - odd * odd) / (8 * k * x);
    if (std::abs(next) >= std::abs(term) || std::abs(next) < 1e-18) break;
    term = next;
    const double sign = k % 4 < 2 ? 1 : -1;
    (k % 2 == 1 ? q : p) += sign * term;
  }
  const double sine = std::sin(x), cosine = std::cos(x), root = std::sqrt(1 / (kPi * x));
  // cos and sin of x - order pi/2 - pi/4, times sqrt(2)
  const double c = order == 0 ? cosine + sine : sine - cosine, s = order == 0 ? sine - cosine : -(sine + cosine);
  return {root * (p * c - q * s), root * (p * s + q * c)};
}

// J_v: the mean of cos(x sin t - v t) over a period.
inline double bessel_j(int order, double x) {
  if (std::isnan(x)) return x;
  const double size = std::abs(x), sign = order == 1 && x < 0 ? -1 : 1;
  if (size == kInfinity) return 0;
  if (size > kLarge) return sign * large_j(order, size).j;
  if (order == 1 && size < 1e-4) return x / 2 * (1 - x * x / 8);
  constexpr int kPoints = 40;  // of half a period; the other half repeats them
  double sum = 0;
  for (int k = 0; k < kPoints; ++k) {
    const double t = kPi * (k + 0.5) / kPoints;
    sum += std::cos(size * std::sin(t) - order * t);
  }
  return sign * sum / kPoints;
}

// Y_v by Neumann's series of J_k, which the backward recurrence gives.
inline double bessel_y(int order, double x) {
  if (std::isnan(x) || x < 0) return kNaN;
  if (x == 0) return -kInfinity;
  if (x == kInfinity) return 0;
  if (x > kLarge) return large_j(order, x).y;
  if (x < 1e-8) return order == 0 ? 2 / kPi * (std::log(x / 2) + std::numbers::egamma) : -2 / (kPi * x);
  constexpr int kFirst = 90;
  double j[kFirst + 2] = {};
  j[kFirst] = 1e-250;
  int from = kFirst;
  for (int k = kFirst; k > 0; --k) {
    j[k - 1] = 2 * k / x * j[k] - j[k + 1];
    if (std::abs(j[k - 1]) > 1e200) {  // what is so much smaller counts as zero
      for (int i = k - 1; i <= from; ++i) j[i] *= 1e-300;
    }
  }
  double norm = j[0];
  for (int k = 2; k <= kFirst; k += 2) norm += 2 * j[k];
  const double log_half = std::log(x / 2) + std::numbers::egamma;
  double sum = 0;
  if (order == 0) {
    for (int k = 1; 2 * k <= kFirst; ++k) sum += (k % 2 == 1 ? 1 : -1) * j[2 * k] / k;
    return (2 / kPi * log_half * j[0] + 4 / kPi * sum) / norm;
  }
  for (int k = 1; 2 * k + 1 <= kFirst; ++k) {
    sum += (k % 2 == 1 ? 1 : -1) * (2.0 * k + 1) / (k * (k + 1.0)) * j[2 * k + 1];
  }
  return (-2 * j[0] / (kPi * x) + 2 / kPi * (log_half - 1) * j[1] + 2 / kPi * sum) / norm;
}

// Ai(x): by K_{1/3} for x > 1, by its power series around zero, and by sines far below it.
inline double airy_ai(double x) {
  if (std::isnan(x)) return x;
  if (x == kInfinity) return 0;
  if (x > 1) {
    const double zeta = 2.0 / 3 * x * std::sqrt(x);
    return std::sqrt(x / 3) / kPi * scaled_k(1.0 / 3, zeta) * std::exp(-zeta);
  }
  if (x > -8) {
    long double f = 1, g = x, term_f = 1, term_g = x;
    const long double cube = static_cast<long double>(x) * x * x;
    for (int k = 1; k < 100; ++k) {
      f += term_f *= cube / ((3 * k - 1) * (3.0L * k));
      g += term_g *= cube / ((3 * k) * (3.0L * k + 1));
    }
    constexpr long double kAtZero = 0.355028053887817239260063186L, kSlope = 0.258819403792806798405183560L;
    return static_cast<double>(kAtZero * f - kSlope * g);
  }
  const double size = -x, zeta = 2.0 / 3 * size * std::sqrt(size);
  double even = 1, odd = 0, term = 1;
  for (int k = 1; k < 60; ++k) {
    const double next = term * (6 * k - 5.0) * (6 * k - 3) * (6 * k - 1) / (216.0 * k * (2 * k - 1) * zeta);
    if (next >= term || next < 1e-18) break;
    term = next;
    (k % 2 == 1 ? odd : even) += (k % 4 < 2 ? 1 : -1) * term;
  }
  const double angle = zeta - kPi / 4;
  return (std::cos(angle) * even + std::sin(angle) * odd) / (std::sqrt(kPi) * std::pow(size, 0.25));
}

}  // namespace strided::kernels::special
