// The vectorised functions by op, for float and double. What each computes stands in math/; how far it
// may be off stands in docs/accuracy.md, checked by tests/core/test_math_accuracy.py.
//
// The call operator takes any element. Some functions have a fast path for elements whose `slow_path_rank` is below the
// limit: an integer, so that the highest of a block is cheap to find.
#pragma once

#include "kernels/elementwise/math/activations.hpp"
#include "kernels/elementwise/math/arithmetic.hpp"
#include "kernels/elementwise/math/erf.hpp"
#include "kernels/elementwise/math/exp.hpp"
#include "kernels/elementwise/math/inverse_hyperbolic.hpp"
#include "kernels/elementwise/math/inverse_trig.hpp"
#include "kernels/elementwise/math/log.hpp"
#include "kernels/elementwise/math/pow.hpp"

#include "kernels/elementwise/math/trig.hpp"
#include "kernels/op_list.hpp"

namespace strided::kernels::elementwise::STRIDED_ISA {

template <Op op>
struct FloatMath {
  static constexpr bool kIsLog = op == Op::Log || op == Op::Log2 || op == Op::Log10;
  static constexpr bool kIsTrig = op == Op::Sin || op == Op::Cos || op == Op::Tan;
  static constexpr bool kDivides = op == Op::Fmod || op == Op::Remainder || op == Op::FloorDivide;
  static constexpr bool kIsExp = op == Op::Exp || op == Op::Exp2 || op == Op::Expm1 ||
                                 op == Op::Sinh || op == Op::Cosh || op == Op::Tanh;
  // In which the two ways round differently, so that the long one takes the short one where it can: an
  // element's result must not depend on its neighbours.
  static constexpr bool kPathsDiffer =
      op == Op::Pow || op == Op::Sinh || op == Op::Sigmoid || op == Op::Silu;
  static constexpr bool kHasFastPath =
      kIsExp || kIsLog || kIsTrig || kDivides || op == Op::Log1p || op == Op::Gelu || kPathsDiffer;

  // ---- one input ----

  template <class T> [[gnu::always_inline]] static SignedOf<T> slow_path_rank(T x) {
    if constexpr (kIsLog) return rank_from(x, kSmallestNormal<T>);
    else if constexpr (op == Op::Log1p) return rank_from(T{1} + x, T(0x1p-60));
    else return rank_from(abs_of(x), T{0});
  }
  template <class T> static constexpr SignedOf<T> limit() {
    if constexpr (kIsLog || op == Op::Pow) return rank_from(kInfinity<T>, kSmallestNormal<T>);
    else if constexpr (op == Op::Log1p) return rank_from(T(0x1p60), T(0x1p-60));
    else if constexpr (op == Op::Exp || op == Op::Sigmoid || op == Op::Silu) {
      return rank_from(ExpRange<T>::kNormal, T{0});
    }
    else if constexpr (op == Op::Exp2) return rank_from(T{kBias<T> - 1}, T{0});
    else if constexpr (op == Op::Sinh) return rank_from(ExpRange<T>::kGone, T{0});
    else if constexpr (kIsExp) return rank_from(ExpRange<T>::kHalfway, T{0});
    else if constexpr (op == Op::Gelu) return rank_from(kGeluNear<T>, T{0});
    else if constexpr (kIsTrig) return rank_from(Quarter<T>::kFarthest, T{0});
    else return rank_from(kInfinity<T>, T{0});
  }

  template <class T> [[gnu::always_inline]] T fast_path(T x) const {
    if constexpr (op == Op::Exp) return exp_near(x);
    else if constexpr (op == Op::Exp2) return exp2_near(x);
    else if constexpr (op == Op::Expm1) return expm1_near(x);
    else if constexpr (op == Op::Cosh) return cosh_near(abs_of(x));
    else if constexpr (op == Op::Tanh) return tanh_near(x, abs_of(x));
    else if constexpr (op == Op::Sigmoid) return sigmoid_near(x);
    else if constexpr (op == Op::Silu) return silu_near(x);
    else if constexpr (op == Op::Log) return log_of(Split<T>(x));
    else if constexpr (op == Op::Log2) return log2_of(Split<T>(x));
    else if constexpr (op == Op::Log10) return log10_of(Split<T>(x));
    else if constexpr (op == Op::Log1p) return log1p_near(x);
    else if constexpr (op == Op::Sinh) return sinh_near(x);
    else if constexpr (op == Op::Gelu) return gelu_near(x);
    else if constexpr (op == Op::Sin) return sin_of(x);
    else if constexpr (op == Op::Cos) return cos_of(x);
    else if constexpr (op == Op::Tan) return tan_of(x);
  }

  template <class T> [[gnu::always_inline]] T operator()(T x) const {
    if constexpr (kPathsDiffer) return slow_path_rank(x) < limit<T>() ? fast_path(x) : slow_path(x);
    else return slow_path(x);
  }
  template <class T> [[gnu::always_inline]] T slow_path(T x) const {
    if constexpr (op == Op::Sqrt) return sqrt_of(x);
    else if constexpr (op == Op::Rsqrt) return T{1} / sqrt_of(x);
    else if constexpr (op == Op::Reciprocal) return T{1} / x;
    else if constexpr (op == Op::Floor) return floor_of(x);
    else if constexpr (op == Op::Ceil) return ceil_of(x);
    else if constexpr (op == Op::Trunc) return trunc_of(x);
    else if constexpr (op == Op::Round) return round_of(x);
    else if constexpr (op == Op::Exp) return exp_of(x);
    else if constexpr (op == Op::Exp2) return exp2_of(x);
    else if constexpr (op == Op::Expm1) return expm1_of(x);
    else if constexpr (op == Op::Log) return log_of_any(x, log_of(split_any(x)));
    else if constexpr (op == Op::Log2) return log_of_any(x, log2_of(split_any(x)));
    else if constexpr (op == Op::Log10) return log_of_any(x, log10_of(split_any(x)));
    else if constexpr (op == Op::Log1p) return log1p_of(x);
    else if constexpr (kIsTrig) return slow_path_rank(x) < limit<T>() ? fast_path(x) : far_trig(x);
    else if constexpr (op == Op::Asin) return asin_of(x);
    else if constexpr (op == Op::Acos) return acos_of(x);
    else if constexpr (op == Op::Atan) return atan_of(x);
    else if constexpr (op == Op::Sinh) return sinh_of(x);
    else if constexpr (op == Op::Cosh) return cosh_of(x);
    else if constexpr (op == Op::Tanh) return tanh_of(x);
    else if constexpr (op == Op::Asinh) return asinh_of(x);
    else if constexpr (op == Op::Acosh) return acosh_of(x);
    else if constexpr (op == Op::Atanh) return atanh_of(x);
    else return activation(x);
  }

  // ---- two inputs ----

  // The larger of two, the second moved to the limit of the first.
  template <class T> [[gnu::always_inline]] static SignedOf<T> slow_path_rank(T a, T b) {
    SignedOf<T> first, second, end;
    if constexpr (op == Op::Pow) {
      first = rank_from(a, kSmallestNormal<T>);
      second = rank_from(largest_exponent(a, may_be_simple(b) ? kInfinity<T> : b), T{0});
      end = rank_from(kSingle<T> ? T{96} : T{kBias<T> - 2}, T{0});
    } else {
      first = rank_from(abs_of(b), T{0});
      second = rank_from(abs_of(a / b), T{0});
      end = rank_from(kWholeEnd<T>, T{0});
    }
    second += limit<T>() - end;
    return first > second ? first : second;
  }

  template <class T> [[gnu::always_inline]] T fast_path(T a, T b) const {
    if constexpr (op == Op::Pow) return normal_power(log2_in_two<kSingle<T>>(Split<T>(a)), b);
    else if constexpr (op == Op::Fmod) return fmod_of(a, b);
    else if constexpr (op == Op::Remainder) return remainder_by(fmod_of(a, b), b);
    else if constexpr (op == Op::FloorDivide) return floor_quotient_of(a, b);
  }

  template <class T> [[gnu::always_inline]] T operator()(T a, T b) const {
    if constexpr (op == Op::Pow) {
      const T far = any_power(log2_in_two<false>(split_any(abs_of(a))), b);
      return simple_power(a, b, slow_path_rank(a, b) < limit<T>() ? fast_path(a, b)
                                                                : power_of_any(a, b, far));
    } else if constexpr (kDivides) {
      return slow_path_rank(a, b) < limit<T>() ? fast_path(a, b) : far_quotient(a, b);
    } else if constexpr (op == Op::Atan2) return atan2_of(a, b);
    else if constexpr (op == Op::Hypot) return hypot_of(a, b);
    else if constexpr (op == Op::Logaddexp) return logaddexp_of(a, b);
    else if constexpr (op == Op::Logaddexp2) return logaddexp2_of(a, b);
    else if constexpr (op == Op::Xlogy) {
      const T y = a * log_of_any(b, log_of(split_any(b)));
      return ((a == 0) & (b == b)) ? T{0} : y;
    } else if constexpr (op == Op::Elu) {
      return a > 0 ? a : b * expm1_of(a);
    } else if constexpr (op == Op::Ldexp) return ldexp_of(a, b);
    else if constexpr (op == Op::Nextafter) return next_after(a, b);
  }

 private:
  template <class T> [[gnu::always_inline]] static T activation(T x) {
    if constexpr (op == Op::Sigmoid) return sigmoid_of(x);
    else if constexpr (op == Op::Silu) return silu_of(x);
    else if constexpr (op == Op::Gelu) return gelu_of(x);
    else if constexpr (op == Op::GeluTanh) return gelu_tanh_of(x);
    else if constexpr (op == Op::Softplus) return softplus_of(x);
    else if constexpr (op == Op::Erf) return erf_of(x);
    else if constexpr (op == Op::Erfc) return erfc_of(x);
    else if constexpr (op == Op::Logit) return logit_of(x);
    else if constexpr (op == Op::Sinc) return sinc_of(x);
  }

  // libm reduces by as many digits of pi as it takes.
  template <class T> [[gnu::always_inline]] static T far_trig(T x) {
    if constexpr (kSingle<T>) {
      if constexpr (op == Op::Sin) return __builtin_sinf(x);
      else if constexpr (op == Op::Cos) return __builtin_cosf(x);
      else return __builtin_tanf(x);
    } else {
      if constexpr (op == Op::Sin) return __builtin_sin(x);
      else if constexpr (op == Op::Cos) return __builtin_cos(x);
      else return __builtin_tan(x);
    }
  }

  template <class T> [[gnu::always_inline]] static T far_quotient(T a, T b) {
    T rest;
    if constexpr (kSingle<T>) rest = __builtin_fmodf(a, b); else rest = __builtin_fmod(a, b);
    if constexpr (op == Op::Fmod) return rest;
    else if constexpr (op == Op::Remainder) return remainder_by(rest, b);
    else return floor_quotient_by(rest, a, b);
  }
};

}  // namespace strided::kernels::elementwise::STRIDED_ISA
