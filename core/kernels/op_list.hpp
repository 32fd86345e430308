// The elementwise ops, one row each. Loops, bindings and tests visit this table. What an op computes is a line under
// its name in the file that its row names (Source), and for complex numbers in complex_math.hpp.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "dtype/dtype.hpp"

namespace strided {

// Which kinds of dtype an op takes.
inline constexpr std::uint8_t kBools = 1, kInts = 2, kFloats = 4, kComplexes = 8;
inline constexpr std::uint8_t kBits = kBools | kInts;
inline constexpr std::uint8_t kIntsFloats = kInts | kFloats;
inline constexpr std::uint8_t kReals = kBools | kInts | kFloats;
inline constexpr std::uint8_t kNumbers = kInts | kFloats | kComplexes;
inline constexpr std::uint8_t kAny = kReals | kComplexes;

enum class Compute : std::uint8_t {
  Same,    // in the promoted dtype of the inputs
  Float,   // the same, but bool and integers first become the default float
  Double,  // in float64, or complex128 if an input is complex
  Choose,  // in the promoted dtype of all inputs but the first, which is bool
};
enum class Result : std::uint8_t { Same, Bool, Real };  // Real: complex64 -> float32
// Which file has the loop of an op. Complex loops are all in complex.cpp, which is built once.
enum class Source : std::uint8_t {
  None,        // the op is not computed in these dtypes
  Real,        // real_ops.hpp by real.isa.cpp, for every instruction set
  Libm,        // real_math.hpp by libm.cpp, once: calls of libm do not vectorise
  Math,        // float_math.hpp by float_math.isa.cpp and double_math.isa.cpp, for every instruction set
  FusedMath,   // Math where the instruction set fuses products and sums, which its digits need; otherwise Libm
  SingleMath,  // Math for float32, FusedMath for float64
  Chain,       // register_chain.isa.cpp, for every instruction set
};

//                                                                       bool and
//    enumerator         name                 arity accepts      compute result integers floats
#define STRIDED_OPS(ROW)                                                                        \
  ROW(Absolute,          "absolute",             1, kAny,        Same,   Real, Real, Real)      \
  ROW(Negative,          "negative",             1, kNumbers,    Same,   Same, Real, Real)      \
  ROW(Positive,          "positive",             1, kNumbers,    Same,   Same, Real, Real)      \
  ROW(Sign,              "sign",                 1, kNumbers,    Same,   Same, Real, Real)      \
  ROW(Square,            "square",               1, kNumbers,    Same,   Same, Real, Real)      \
  ROW(Sqrt,              "sqrt",                 1, kAny,        Float,  Same, None, Math)      \
  ROW(Rsqrt,             "rsqrt",                1, kAny,        Float,  Same, None, Math)      \
  ROW(Reciprocal,        "reciprocal",           1, kAny,        Float,  Same, None, Math)      \
  ROW(Exp,               "exp",                  1, kAny,        Float,  Same, None, SingleMath)\
  ROW(Exp2,              "exp2",                 1, kAny,        Float,  Same, None, SingleMath)\
  ROW(Expm1,             "expm1",                1, kAny,        Float,  Same, None, SingleMath)\
  ROW(Log,               "log",                  1, kAny,        Float,  Same, None, SingleMath)\
  ROW(Log2,              "log2",                 1, kAny,        Float,  Same, None, SingleMath)\
  ROW(Log10,             "log10",                1, kAny,        Float,  Same, None, SingleMath)\
  ROW(Log1p,             "log1p",                1, kAny,        Float,  Same, None, SingleMath)\
  ROW(Sin,               "sin",                  1, kAny,        Float,  Same, None, FusedMath) \
  ROW(Cos,               "cos",                  1, kAny,        Float,  Same, None, FusedMath) \
  ROW(Tan,               "tan",                  1, kAny,        Float,  Same, None, FusedMath) \
  ROW(Asin,              "asin",                 1, kAny,        Float,  Same, None, SingleMath)\
  ROW(Acos,              "acos",                 1, kAny,        Float,  Same, None, SingleMath)\
  ROW(Atan,              "atan",                 1, kAny,        Float,  Same, None, SingleMath)\
  ROW(Sinh,              "sinh",                 1, kAny,        Float,  Same, None, SingleMath)\
  ROW(Cosh,              "cosh",                 1, kAny,        Float,  Same, None, SingleMath)\
  ROW(Tanh,              "tanh",                 1, kAny,        Float,  Same, None, SingleMath)\
  ROW(Asinh,             "asinh",                1, kAny,        Float,  Same, None, SingleMath)\
  ROW(Acosh,             "acosh",                1, kAny,        Float,  Same, None, SingleMath)\
  ROW(Atanh,             "atanh",                1, kAny,        Float,  Same, None, SingleMath)\
  ROW(Sinc,              "sinc",                 1, kReals,      Float,  Same, None, Math)      \
  ROW(Sigmoid,           "sigmoid",              1, kReals,      Float,  Same, None, Math)      \
  ROW(Logit,             "logit",                1, kReals,      Float,  Same, None, Math)      \
  ROW(Relu,              "relu",                 1, kIntsFloats, Same,   Same, Real, Real)      \
  ROW(Silu,              "silu",                 1, kReals,      Float,  Same, None, Math)      \
  ROW(Gelu,              "gelu",                 1, kReals,      Float,  Same, None, FusedMath) \
  ROW(GeluTanh,          "gelu_tanh",            1, kReals,      Float,  Same, None, FusedMath) \
  ROW(Hardsigmoid,       "hardsigmoid",          1, kReals,      Float,  Same, None, Real)      \
  ROW(Softplus,          "softplus",             1, kReals,      Float,  Same, None, Math)      \
  ROW(Erf,               "erf",                  1, kReals,      Float,  Same, None, SingleMath)\
  ROW(Erfc,              "erfc",                 1, kReals,      Float,  Same, None, FusedMath) \
  ROW(Lgamma,            "lgamma",               1, kReals,      Float,  Same, None, Libm)      \
  ROW(Digamma,           "digamma",              1, kReals,      Float,  Same, None, Libm)      \
  ROW(Floor,             "floor",                1, kIntsFloats, Same,   Same, Real, Math)      \
  ROW(Ceil,              "ceil",                 1, kIntsFloats, Same,   Same, Real, Math)      \
  ROW(Trunc,             "trunc",                1, kIntsFloats, Same,   Same, Real, Math)      \
  ROW(Round,             "round",                1, kNumbers,    Same,   Same, Real, Math)      \
  ROW(Frac,              "frac",                 1, kFloats,     Same,   Same, None, Real)      \
  ROW(Isnan,             "isnan",                1, kAny,        Same,   Bool, Real, Real)      \
  ROW(Isinf,             "isinf",                1, kAny,        Same,   Bool, Real, Real)      \
  ROW(Isposinf,          "isposinf",             1, kReals,      Same,   Bool, Real, Real)      \
  ROW(Isneginf,          "isneginf",             1, kReals,      Same,   Bool, Real, Real)      \
  ROW(Isfinite,          "isfinite",             1, kAny,        Same,   Bool, Real, Real)      \
  ROW(Signbit,           "signbit",              1, kIntsFloats, Same,   Bool, Real, Real)      \
  ROW(LogicalNot,        "logical_not",          1, kAny,        Same,   Bool, Real, Real)      \
  ROW(BitwiseNot,        "bitwise_not",          1, kBits,       Same,   Same, Real, None)      \
  ROW(Conj,              "conj",                 1, kNumbers,    Same,   Same, Real, Real)      \
  ROW(Angle,             "angle",                1, kAny,        Float,  Real, None, Libm)      \
  ROW(Deg2rad,           "deg2rad",              1, kReals,      Float,  Same, None, Real)      \
  ROW(Rad2deg,           "rad2deg",              1, kReals,      Float,  Same, None, Real)      \
  ROW(Add,               "add",                  2, kAny,        Same,   Same, Real, Real)      \
  ROW(Subtract,          "subtract",             2, kNumbers,    Same,   Same, Real, Real)      \
  ROW(Multiply,          "multiply",             2, kAny,        Same,   Same, Real, Real)      \
  ROW(Divide,            "divide",               2, kAny,        Float,  Same, None, Real)      \
  ROW(FloorDivide,       "floor_divide",         2, kIntsFloats, Same,   Same, Real, FusedMath) \
  ROW(Remainder,         "remainder",            2, kIntsFloats, Same,   Same, Real, FusedMath) \
  ROW(Fmod,              "fmod",                 2, kIntsFloats, Same,   Same, Real, FusedMath) \
  ROW(Pow,               "pow",                  2, kNumbers,    Same,   Same, Libm, FusedMath) \
  ROW(FloatPower,        "float_power",          2, kAny,        Double, Same, None, FusedMath) \
  ROW(Ldexp,             "ldexp",                2, kReals,      Float,  Same, None, Math)      \
  ROW(Gcd,               "gcd",                  2, kInts,       Same,   Same, Libm, None)      \
  ROW(Lcm,               "lcm",                  2, kInts,       Same,   Same, Libm, None)      \
  ROW(Minimum,           "minimum",              2, kReals,      Same,   Same, Real, Real)      \
  ROW(Maximum,           "maximum",              2, kReals,      Same,   Same, Real, Real)      \
  ROW(Fmin,              "fmin",                 2, kReals,      Same,   Same, Real, Real)      \
  ROW(Fmax,              "fmax",                 2, kReals,      Same,   Same, Real, Real)      \
  ROW(Atan2,             "atan2",                2, kReals,      Float,  Same, None, SingleMath)\
  ROW(Hypot,             "hypot",                2, kReals,      Float,  Same, None, SingleMath)\
  ROW(Logaddexp,         "logaddexp",            2, kReals,      Float,  Same, None, Math)      \
  ROW(Logaddexp2,        "logaddexp2",           2, kReals,      Float,  Same, None, Math)      \
  ROW(Xlogy,             "xlogy",                2, kReals,      Float,  Same, None, Math)      \
  ROW(Copysign,          "copysign",             2, kReals,      Float,  Same, None, Real)      \
  ROW(Nextafter,         "nextafter",            2, kFloats,     Same,   Same, None, Math)      \
  ROW(Heaviside,         "heaviside",            2, kIntsFloats, Same,   Same, Real, Real)      \
  ROW(Elu,               "elu",                  2, kReals,      Float,  Same, None, Math)      \
  ROW(LeakyRelu,         "leaky_relu",           2, kReals,      Float,  Same, None, Real)      \
  ROW(Equal,             "equal",                2, kAny,        Same,   Bool, Real, Real)      \
  ROW(NotEqual,          "not_equal",            2, kAny,        Same,   Bool, Real, Real)      \
  ROW(Less,              "less",                 2, kReals,      Same,   Bool, Real, Real)      \
  ROW(LessEqual,         "less_equal",           2, kReals,      Same,   Bool, Real, Real)      \
  ROW(Greater,           "greater",              2, kReals,      Same,   Bool, Real, Real)      \
  ROW(GreaterEqual,      "greater_equal",        2, kReals,      Same,   Bool, Real, Real)      \
  ROW(LogicalAnd,        "logical_and",          2, kAny,        Same,   Bool, Real, Real)      \
  ROW(LogicalOr,         "logical_or",           2, kAny,        Same,   Bool, Real, Real)      \
  ROW(LogicalXor,        "logical_xor",          2, kAny,        Same,   Bool, Real, Real)      \
  ROW(BitwiseAnd,        "bitwise_and",          2, kBits,       Same,   Same, Real, None)      \
  ROW(BitwiseOr,         "bitwise_or",           2, kBits,       Same,   Same, Real, None)      \
  ROW(BitwiseXor,        "bitwise_xor",          2, kBits,       Same,   Same, Real, None)      \
  ROW(BitwiseLeftShift,  "bitwise_left_shift",   2, kInts,       Same,   Same, Real, None)      \
  ROW(BitwiseRightShift, "bitwise_right_shift",  2, kInts,       Same,   Same, Real, None)      \
  ROW(Where,             "where",                3, kAny,        Choose, Same, Real, Real)      \
  ROW(Clamp,             "clamp",                3, kIntsFloats, Same,   Same, Real, Chain)     \
  ROW(Lerp,              "lerp",                 3, kAny,        Float,  Same, None, Real)      \
  ROW(Addcmul,           "addcmul",              3, kNumbers,    Same,   Same, Real, Real)      \
  ROW(Addcdiv,           "addcdiv",              3, kAny,        Float,  Same, None, Real)      \
  ROW(NanToNum,          "nan_to_num",           3, kFloats,     Same,   Same, None, Real)

#define STRIDED_OP_ENUMERATOR(op, ...) op,
enum class Op : std::uint8_t { STRIDED_OPS(STRIDED_OP_ENUMERATOR) };
#undef STRIDED_OP_ENUMERATOR

struct OpRow {
  std::string_view name;
  std::uint8_t arity;
  std::uint8_t accepts;
  Compute compute;
  Result result;
  Source integers, floats;
};

#define STRIDED_OP_ROW(op, name, arity, accepts, compute, result, integers, floats) \
  {name, arity, accepts, Compute::compute, Result::result, Source::integers, Source::floats},
inline constexpr OpRow kOps[] = {STRIDED_OPS(STRIDED_OP_ROW)};
#undef STRIDED_OP_ROW
#undef STRIDED_OPS

inline constexpr int kOpCount = static_cast<int>(sizeof(kOps) / sizeof(OpRow));

constexpr const OpRow& row_of(Op op) { return kOps[static_cast<int>(op)]; }

constexpr std::optional<Op> find_op(std::string_view name) {
  for (int i = 0; i < kOpCount; ++i) {
    if (kOps[i].name == name) return static_cast<Op>(i);
  }
  return std::nullopt;
}

// Whether an op takes inputs of this dtype.
constexpr bool accepts(const OpRow& row, DType dtype) {
  switch (kind_of(dtype)) {
    case Kind::Bool: return row.accepts & kBools;
    case Kind::Signed: case Kind::Unsigned: return row.accepts & kInts;
    case Kind::Float: return row.accepts & kFloats;
    case Kind::Complex: break;
  }
  return row.accepts & kComplexes;
}

// Whether an op can have this compute dtype, after its compute rule was applied to what it accepts.
constexpr bool computes_in(const OpRow& row, DType dtype) {
  if (row.compute == Compute::Double) return dtype == DType::Float64 || dtype == DType::Complex128;
  if (row.compute == Compute::Float && !is_floating(dtype) && !is_complex(dtype)) return false;
  return accepts(row, dtype);
}

// Real, Libm, Math or Chain: which file has the loop of an op for a dtype that is not complex, for an instruction set
// that fuses products and sums or does not.
constexpr Source source_of(const OpRow& row, DType dtype, bool fuses) {
  if (!is_floating(dtype)) return row.integers;
  const bool single = row.floats == Source::SingleMath;
  if (!single && row.floats != Source::FusedMath) return row.floats;
  return fuses || (single && dtype == DType::Float32) ? Source::Math : Source::Libm;
}

// Every dtype that an op computes in has a source, and no other.
static_assert([] {
  for (const OpRow& row : kOps) {
    bool integers = false, floats = false;
    for (int i = 0; i < kDTypeCount; ++i) {
      const DType dtype = static_cast<DType>(i);
      if (is_complex(dtype) || !computes_in(row, dtype)) continue;
      (is_floating(dtype) ? floats : integers) = true;
    }
    if (integers != (row.integers != Source::None) || floats != (row.floats != Source::None)) return false;
  }
  return true;
}());

}  // namespace strided
