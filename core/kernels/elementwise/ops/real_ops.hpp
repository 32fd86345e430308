// What the ops that vectorise compute on bool, integers, float32 and float64.
//
// Integers wrap: they are computed as unsigned numbers of at least 32 bits, where overflow is defined.
// Selections are written as `c ? a : b` over | and & (not || and &&) so that they compile to blends.
#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>

#include "kernels/elementwise/math/real.hpp"
#include "kernels/op_list.hpp"
#include "kernels/convert/strided_load.hpp"
#include "simd/vector.hpp"

namespace strided::kernels::elementwise::STRIDED_ISA {

// A number, or an element of a vector of numbers (simd/vector.hpp): Add, Subtract, Multiply, Divide, Maximum, Minimum,
// Negative, Absolute and Square take vectors too.
template <class T> struct ElementOf { using type = T; };
template <class T>
  requires requires(T v) { v[0]; }
struct ElementOf<T> {
  using type = std::remove_cvref_t<decltype(T{}[0])>;
};
template <class T> inline constexpr bool kIsVector = !std::is_same_v<typename ElementOf<T>::type, T>;

template <class T> inline constexpr bool kIsFloat = std::is_floating_point_v<typename ElementOf<T>::type>;
template <class T> inline constexpr bool kIsBool = std::is_same_v<T, bool>;
template <class T> using Wrap = std::conditional_t<sizeof(T) <= 4, std::uint32_t, std::uint64_t>;

template <class T> [[gnu::always_inline]] inline auto is_nan(T x) {
  if constexpr (kIsFloat<T>) return x != x; else return false;
}

template <class T> [[gnu::always_inline]] inline T negated(T x) {
  if constexpr (kIsFloat<T>) return -x;
  else return static_cast<T>(Wrap<T>{0} - static_cast<Wrap<T>>(x));
}

template <class T> [[gnu::always_inline]] inline T magnitude(T x) {
  if constexpr (kIsVector<T>) {
    using Bits = strided::STRIDED_ISA::BitVector<sizeof(T), sizeof(x[0])>;
    using Word = typename UnsignedOf<sizeof(x[0])>::type;
    return reinterpret_cast<T>(reinterpret_cast<Bits>(x) & (static_cast<Word>(~Word{0}) >> 1));
  } else if constexpr (kIsFloat<T>) return abs_of(x);
  else if constexpr (std::is_signed_v<T>) return x < 0 ? negated(x) : x;
  else return x;
}

template <class T> T sign_of(T x) {
  const T below = x < T{0} ? static_cast<T>(-1) : T{0};
  const T sign = x > T{0} ? T{1} : below;
  return is_nan(x) ? x : sign;
}

// NaN wins over every number.
template <class T> [[gnu::always_inline]] inline T smaller(T a, T b) { return ((a <= b) | is_nan(a)) ? a : b; }
template <class T> [[gnu::always_inline]] inline T larger(T a, T b) { return ((a >= b) | is_nan(a)) ? a : b; }

// A count outside [0, bits) pushes every bit out; what is left is 0, or the sign when shifting right.
template <class T> T shifted_left(T a, T count) {
  using W = Wrap<T>;
  const bool inside = static_cast<W>(count) < 8 * sizeof(T);
  const W by = static_cast<W>(count) & (8 * sizeof(W) - 1);
  return inside ? static_cast<T>(static_cast<W>(a) << by) : T{0};
}
template <class T> T shifted_right(T a, T count) {
  using U = std::make_unsigned_t<T>;
  constexpr U kLast = 8 * sizeof(T) - 1;
  const bool inside = static_cast<Wrap<T>>(count) <= kLast;
  // The sign is taken off and put back: the bits that move in are 0 then.
  const U sign = std::is_signed_v<T> && a < T{0} ? static_cast<U>(~U{0}) : U{0};
  const U bits = static_cast<U>(static_cast<U>(a) ^ sign), by = static_cast<U>(count);
  const U moved = inside ? static_cast<U>(bits >> (by & kLast)) : U{0};
  return static_cast<T>(moved ^ sign);
}

// Integer quotients: x / 0 and x % 0 are 0, the smallest number divided by -1 wraps to itself. Small
// integers go through floats, in which division is a vector instruction: a quotient that is not whole
// differs from the next whole number by more than they round.
template <class T> T truncated_quotient(T a, T b) {
  const bool zero = b == 0;
  bool minus_one = false;
  if constexpr (std::is_signed_v<T>) minus_one = b == -1;
  const T by = (zero | minus_one) ? T{1} : b;
  T quotient;
  if constexpr (sizeof(T) <= 2) {
    const float exact = static_cast<float>(a) / static_cast<float>(by);
    quotient = static_cast<T>(static_cast<std::int32_t>(exact));
  } else if constexpr (std::is_same_v<T, std::int32_t>) {
    quotient = static_cast<T>(static_cast<double>(a) / static_cast<double>(by));
  } else if constexpr (std::is_same_v<T, std::uint32_t>) {
    // In the low bits of a sum with 2^52: no instruction set below AVX-512 converts to unsigned.
    const double exact = static_cast<double>(a) / static_cast<double>(by);
    quotient = static_cast<T>(bits_of(trunc_of(exact) + 0x1p52));
  } else {
    quotient = a / by;
  }
  return zero ? T{0} : minus_one ? negated(a) : quotient;
}
template <class T> T truncated_remainder(T a, T b) {
  const T quotient = truncated_quotient(a, b);
  const auto product = static_cast<Wrap<T>>(quotient) * static_cast<Wrap<T>>(b);
  const T rest = static_cast<T>(static_cast<Wrap<T>>(a) - product);
  return b == 0 ? T{0} : rest;
}
// The quotient rounded down, and what that leaves, with the sign of the divisor.
template <class T> T floor_quotient(T a, T b) {
  const T quotient = truncated_quotient(a, b);
  if constexpr (std::is_unsigned_v<T>) return quotient;
  else {
    const T product = static_cast<T>(static_cast<Wrap<T>>(quotient) * static_cast<Wrap<T>>(b));
    const bool down = (product != a) & (b != 0) & ((a < 0) != (b < 0));
    return static_cast<T>(quotient - (down ? T{1} : T{0}));
  }
}
template <class T> T floor_remainder(T a, T b) {
  const T rest = truncated_remainder(a, b);
  if constexpr (std::is_unsigned_v<T>) return rest;
  else return static_cast<T>(rest + (((rest != 0) & ((rest < 0) != (b < 0))) ? b : T{0}));
}

constexpr bool rounds(Op op) {
  return op == Op::Floor || op == Op::Ceil || op == Op::Trunc || op == Op::Round;
}

// Whether the op gives the same bits for signed and unsigned integers.
constexpr bool ignores_sign(Op op) {
  switch (op) {
    case Op::Negative: case Op::Square: case Op::BitwiseNot: case Op::Isnan: case Op::Isinf:
    case Op::Isfinite: case Op::Add: case Op::Subtract: case Op::Multiply: case Op::Equal:
    case Op::NotEqual: case Op::LogicalNot: case Op::LogicalAnd: case Op::LogicalOr:
    case Op::LogicalXor: case Op::BitwiseAnd: case Op::BitwiseOr: case Op::BitwiseXor:
    case Op::BitwiseLeftShift: case Op::Addcmul: return true;
    default: return rounds(op);
  }
}

// Whether results are the elements as they are.
constexpr bool passes_through(Op op) { return op == Op::Where || op == Op::Positive || op == Op::Conj; }

// The type whose loop serves T as well, so that fewer loops are built: passing through needs only the size.
template <Op op, class T>
constexpr auto carrier_of() {
  constexpr bool integer = std::is_integral_v<T> && !kIsBool<T>;
  if constexpr (passes_through(op) && sizeof(T) == 1) return Type<std::uint8_t>{};
  else if constexpr (passes_through(op) && sizeof(T) == 2) return Type<std::uint16_t>{};
  else if constexpr (passes_through(op) && sizeof(T) == 4) return Type<std::uint32_t>{};
  else if constexpr (passes_through(op) && sizeof(T) == 8) return Type<std::uint64_t>{};
  else if constexpr (integer && ignores_sign(op)) return Type<std::make_unsigned_t<T>>{};
  else return Type<T>{};
}

template <Op op>
struct RealOp {
  static constexpr auto kPack = &convert::STRIDED_ISA::run_on_packed;
  template <class T> using Carrier = typename decltype(carrier_of<op, T>())::type;

  // Written as `if constexpr` chains: one line an op, the first match counts.
  template <class T> [[gnu::always_inline]] auto operator()(T x) const {
    [[maybe_unused]] constexpr T kInf = kIsFloat<T> ? std::numeric_limits<T>::infinity() : T{};
    if constexpr (passes_through(op)) return x;
    else if constexpr (op == Op::Absolute) return magnitude(x);
    else if constexpr (op == Op::Sign) return sign_of(x);
    else if constexpr (op == Op::Negative) return negated(x);
    else if constexpr (op == Op::Square) return RealOp<Op::Multiply>{}(x, x);
    else if constexpr (op == Op::Relu) return larger(x, T{0});
    else if constexpr (op == Op::LogicalNot) return x == T{0};
    else if constexpr (op == Op::BitwiseNot && kIsBool<T>) return !x;
    else if constexpr (op == Op::BitwiseNot) return static_cast<T>(~x);
    else if constexpr (op == Op::Isnan) return is_nan(x);
    else if constexpr (op == Op::Isinf) return kIsFloat<T> && magnitude(x) == kInf;
    else if constexpr (op == Op::Isposinf) return kIsFloat<T> && x == kInf;
    else if constexpr (op == Op::Isneginf) return kIsFloat<T> && x == static_cast<T>(-kInf);
    else if constexpr (op == Op::Isfinite) return !kIsFloat<T> || magnitude(x) < kInf;
    else if constexpr (op == Op::Signbit && kIsFloat<T>) return is_below(bits_of(x));
    else if constexpr (op == Op::Signbit) return std::is_signed_v<T> && x < T{0};
    else if constexpr (std::is_integral_v<T> && rounds(op)) return x;
    else if constexpr (op == Op::Frac) return x - trunc_of(x);
    else if constexpr (op == Op::Deg2rad) return x * static_cast<T>(0x1.1df46a2529d39p-6);
    else if constexpr (op == Op::Rad2deg) return x * static_cast<T>(0x1.ca5dc1a63c1f8p+5);
    else if constexpr (op == Op::Hardsigmoid) {
      return smaller(larger(x + T{3}, T{0}), T{6}) * (T{1} / T{6});
    }
  }

  template <class T> [[gnu::always_inline]] auto operator()(T a, T b) const {
    if constexpr (op == Op::Equal) return a == b;
    else if constexpr (op == Op::NotEqual) return a != b;
    else if constexpr (op == Op::Less) return a < b;
    else if constexpr (op == Op::LessEqual) return a <= b;
    else if constexpr (op == Op::Greater) return a > b;
    else if constexpr (op == Op::GreaterEqual) return a >= b;
    else if constexpr (op == Op::Minimum) return smaller(a, b);
    else if constexpr (op == Op::Maximum) return larger(a, b);
    else if constexpr (op == Op::LogicalAnd) return static_cast<bool>((a != T{0}) & (b != T{0}));
    else if constexpr (op == Op::LogicalOr) return static_cast<bool>((a != T{0}) | (b != T{0}));
    else if constexpr (op == Op::LogicalXor) return (a != T{0}) != (b != T{0});
    else if constexpr (op == Op::BitwiseAnd) return static_cast<T>(a & b);
    else if constexpr (op == Op::BitwiseOr) return static_cast<T>(a | b);
    else if constexpr (op == Op::BitwiseXor) return static_cast<T>(a ^ b);
    else if constexpr (op == Op::BitwiseLeftShift) return shifted_left(a, b);
    else if constexpr (op == Op::BitwiseRightShift) return shifted_right(a, b);
    else if constexpr (op == Op::Divide) return a / b;
    else if constexpr (op == Op::FloorDivide) return floor_quotient(a, b);
    else if constexpr (op == Op::Remainder) return floor_remainder(a, b);
    else if constexpr (op == Op::Fmod) return truncated_remainder(a, b);
    // fmin and fmax pass over NaN; for integers they are minimum and maximum.
    else if constexpr (op == Op::Fmin) return ((a <= b) | is_nan(b)) ? a : b;
    else if constexpr (op == Op::Fmax) return ((a >= b) | is_nan(b)) ? a : b;
    else if constexpr (op == Op::Copysign) return signed_as(a, b);
    else if constexpr (op == Op::LeakyRelu) return a > 0 ? a : a * b;
    else if constexpr (op == Op::Heaviside) {
      const T step = a == 0 ? b : (a > 0 ? T{1} : T{0});
      return is_nan(a) ? a : step;
    } else return arithmetic(a, b);
  }

  template <class A, class T> T operator()(A a, T b, T c) const {
    if constexpr (op == Op::Where) return a ? b : c;
    else if constexpr (op == Op::Clamp) return smaller(larger(a, b), c);
    else if constexpr (op == Op::Lerp) {  // exact at both ends, as in PyTorch
      const T span = b - a;
      return magnitude(c) < T{0.5} ? a + c * span : b - span * (T{1} - c);
    } else if constexpr (op == Op::Addcmul) {
      return RealOp<Op::Add>{}(a, RealOp<Op::Multiply>{}(b, c));
    } else if constexpr (op == Op::Addcdiv) {
      return a + b / c;
    } else if constexpr (op == Op::NanToNum) {  // b and c stand for the infinities
      const T finite = a == kInfinity<T> ? c : (a == -kInfinity<T> ? b : a);
      return is_nan(a) ? T{0} : finite;
    }
  }

 private:
  // On bool, add is "or" and multiply is "and".
  template <class T> [[gnu::always_inline]] static T arithmetic(T a, T b) {
    using W = std::conditional_t<kIsFloat<T>, T, Wrap<T>>;
    const W x = static_cast<W>(a), y = static_cast<W>(b);
    if constexpr (op == Op::Add && kIsBool<T>) return a | b;
    else if constexpr (op == Op::Multiply && kIsBool<T>) return a & b;
    else if constexpr (op == Op::Add) return static_cast<T>(x + y);
    else if constexpr (op == Op::Subtract) return static_cast<T>(x - y);
    else if constexpr (op == Op::Multiply) return static_cast<T>(x * y);
  }
};

}  // namespace strided::kernels::elementwise::STRIDED_ISA
