// What the ops that vectorise compute on bool, integers, float32 and float64.
//
// Integers wrap: they are computed as unsigned numbers of at least 32 bits, where overflow is defined.
// Selections are written as `c ? a : b` over | and & (not || and &&) so that they compile to blends.
// Builtins stand in for <cmath>: its inline functions would be shared between instruction sets.
#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>

#include "op_list.hpp"

namespace strided::STRIDED_ISA {

template <class T> inline constexpr bool kIsFloat = std::is_floating_point_v<T>;
template <class T> inline constexpr bool kIsBool = std::is_same_v<T, bool>;
template <class T> using Wrap = std::conditional_t<sizeof(T) <= 4, std::uint32_t, std::uint64_t>;

template <class T> T floor_of(T x) {
  if constexpr (sizeof(T) == 4) return __builtin_floorf(x); else return __builtin_floor(x);
}
template <class T> T ceil_of(T x) {
  if constexpr (sizeof(T) == 4) return __builtin_ceilf(x); else return __builtin_ceil(x);
}
template <class T> T trunc_of(T x) {
  if constexpr (sizeof(T) == 4) return __builtin_truncf(x); else return __builtin_trunc(x);
}
// Halves to even, in the rounding mode every process starts with.
template <class T> T round_of(T x) {
  if constexpr (sizeof(T) == 4) return __builtin_nearbyintf(x); else return __builtin_nearbyint(x);
}
template <class T> T sqrt_of(T x) {
  if constexpr (sizeof(T) == 4) return __builtin_sqrtf(x); else return __builtin_sqrt(x);
}

template <class T> bool is_nan(T x) {
  if constexpr (kIsFloat<T>) return x != x; else return false;
}

template <class T> T negated(T x) {
  if constexpr (kIsFloat<T>) return -x;
  else return static_cast<T>(Wrap<T>{0} - static_cast<Wrap<T>>(x));
}

template <class T> T magnitude(T x) {
  if constexpr (std::is_same_v<T, float>) return __builtin_fabsf(x);
  else if constexpr (std::is_same_v<T, double>) return __builtin_fabs(x);
  else if constexpr (std::is_signed_v<T>) return x < 0 ? negated(x) : x;
  else return x;
}

// NaN wins over every number.
template <class T> T smaller(T a, T b) { return ((a <= b) | is_nan(a)) ? a : b; }
template <class T> T larger(T a, T b) { return ((a >= b) | is_nan(a)) ? a : b; }

// A count outside [0, bits) pushes every bit out; what is left is 0, or the sign when shifting right.
template <class T> T shifted_left(T a, T count) {
  using W = Wrap<T>;
  const bool inside = static_cast<W>(count) < 8 * sizeof(T);
  const W by = static_cast<W>(count) & (8 * sizeof(W) - 1);
  return inside ? static_cast<T>(static_cast<W>(a) << by) : T{0};
}
template <class T> T shifted_right(T a, T count) {
  const bool inside = static_cast<Wrap<T>>(count) < 8 * sizeof(T);
  if constexpr (std::is_signed_v<T>) {
    return static_cast<T>(a >> (inside ? count : static_cast<T>(8 * sizeof(T) - 1)));
  } else {
    return inside ? static_cast<T>(a >> (count & (8 * sizeof(T) - 1))) : T{0};
  }
}

constexpr bool rounds(Op op) {
  return op == Op::Floor || op == Op::Ceil || op == Op::Trunc || op == Op::Round;
}

// Whether the op gives the same bits for signed and unsigned integers.
constexpr bool ignores_sign(Op op) {
  switch (op) {
    case Op::Negative: case Op::Square: case Op::BitwiseNot: case Op::Isnan: case Op::Isinf:
    case Op::Isfinite: case Op::Add: case Op::Subtract: case Op::Multiply: case Op::Equal:
    case Op::NotEqual: case Op::BitwiseAnd: case Op::BitwiseOr: case Op::BitwiseXor:
    case Op::BitwiseLeftShift: return true;
    default: return rounds(op);
  }
}

// The type whose loop serves T as well, so that fewer loops are built: choosing sees only the size.
template <Op op, class T>
constexpr auto carrier_of() {
  constexpr bool integer = std::is_integral_v<T> && !kIsBool<T>;
  if constexpr (op == Op::Where && sizeof(T) == 1) return Type<std::uint8_t>{};
  else if constexpr (op == Op::Where && sizeof(T) == 2) return Type<std::uint16_t>{};
  else if constexpr (op == Op::Where && sizeof(T) == 4) return Type<std::uint32_t>{};
  else if constexpr (op == Op::Where && sizeof(T) == 8) return Type<std::uint64_t>{};
  else if constexpr (integer && ignores_sign(op)) return Type<std::make_unsigned_t<T>>{};
  else return Type<T>{};
}

template <Op op>
struct RealOp {
  template <class T> using Carrier = typename decltype(carrier_of<op, T>())::type;

  // Written as `if constexpr` chains: one line an op, the first match counts.
  template <class T> auto operator()(T x) const {
    constexpr T kInf = kIsFloat<T> ? std::numeric_limits<T>::infinity() : T{};
    if constexpr (op == Op::Absolute) return magnitude(x);
    else if constexpr (op == Op::Negative) return negated(x);
    else if constexpr (op == Op::Square) return RealOp<Op::Multiply>{}(x, x);
    else if constexpr (op == Op::Relu) return larger(x, T{0});
    else if constexpr (op == Op::LogicalNot) return !x;
    else if constexpr (op == Op::BitwiseNot && kIsBool<T>) return !x;
    else if constexpr (op == Op::BitwiseNot) return static_cast<T>(~x);
    else if constexpr (op == Op::Isnan) return is_nan(x);
    else if constexpr (op == Op::Isinf) return kIsFloat<T> && magnitude(x) == kInf;
    else if constexpr (op == Op::Isfinite) return !kIsFloat<T> || magnitude(x) < kInf;
    else if constexpr (std::is_integral_v<T> && rounds(op)) return x;
    else if constexpr (op == Op::Floor) return floor_of(x);
    else if constexpr (op == Op::Ceil) return ceil_of(x);
    else if constexpr (op == Op::Trunc) return trunc_of(x);
    else if constexpr (op == Op::Round) return round_of(x);
    else if constexpr (op == Op::Frac) return x - trunc_of(x);
    else if constexpr (op == Op::Sqrt) return sqrt_of(x);
    else if constexpr (op == Op::Rsqrt) return T{1} / sqrt_of(x);
    else if constexpr (op == Op::Reciprocal) return T{1} / x;
  }

  template <class T> auto operator()(T a, T b) const {
    if constexpr (op == Op::Equal) return a == b;
    else if constexpr (op == Op::NotEqual) return a != b;
    else if constexpr (op == Op::Less) return a < b;
    else if constexpr (op == Op::LessEqual) return a <= b;
    else if constexpr (op == Op::Greater) return a > b;
    else if constexpr (op == Op::GreaterEqual) return a >= b;
    else if constexpr (op == Op::Minimum) return smaller(a, b);
    else if constexpr (op == Op::Maximum) return larger(a, b);
    else if constexpr (op == Op::LogicalAnd || op == Op::BitwiseAnd) return static_cast<T>(a & b);
    else if constexpr (op == Op::LogicalOr || op == Op::BitwiseOr) return static_cast<T>(a | b);
    else if constexpr (op == Op::LogicalXor || op == Op::BitwiseXor) return static_cast<T>(a ^ b);
    else if constexpr (op == Op::BitwiseLeftShift) return shifted_left(a, b);
    else if constexpr (op == Op::BitwiseRightShift) return shifted_right(a, b);
    else if constexpr (op == Op::Divide) return a / b;
    else return arithmetic(a, b);
  }

  template <class A, class T> T operator()(A a, T b, T c) const {
    if constexpr (op == Op::Where) return a ? b : c;
    else if constexpr (op == Op::Clamp) return smaller(larger(a, b), c);
    else if constexpr (op == Op::Lerp) {  // exact at both ends, as in PyTorch
      const T span = b - a;
      return magnitude(c) < T{0.5} ? a + c * span : b - span * (T{1} - c);
    }
  }

 private:
  // On bool, add is "or" and multiply is "and".
  template <class T> static T arithmetic(T a, T b) {
    using W = std::conditional_t<kIsFloat<T>, T, Wrap<T>>;
    const W x = static_cast<W>(a), y = static_cast<W>(b);
    if constexpr (op == Op::Add && kIsBool<T>) return a | b;
    else if constexpr (op == Op::Multiply && kIsBool<T>) return a & b;
    else if constexpr (op == Op::Add) return static_cast<T>(x + y);
    else if constexpr (op == Op::Subtract) return static_cast<T>(x - y);
    else if constexpr (op == Op::Multiply) return static_cast<T>(x * y);
  }
};

}  // namespace strided::STRIDED_ISA
