// The elementwise ops, one row each. Loops, bindings and tests walk this table. What an op computes is
// a line under its name in real_ops.hpp (PerIsa), real_math.hpp (Once) or float_math.hpp (Math), and in
// complex_math.hpp.
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
// Loops that vectorise are built for every instruction set; loops that call libm gain nothing from it and
// are built once, and float_math.hpp replaces most of them. Mixed: integers for every instruction set,
// floats once. Math: only in float_math.hpp. Complex loops are all built once.
enum class Build : std::uint8_t { PerIsa, Once, Mixed, Math };

//    enumerator         name                    arity  accepts    compute result build
#define STRIDED_OPS(ROW)                                                                  \
  ROW(Absolute,          "absolute",             1, kAny,        Same,   Real, PerIsa)    \
  ROW(Negative,          "negative",             1, kNumbers,    Same,   Same, PerIsa)    \
  ROW(Positive,          "positive",             1, kNumbers,    Same,   Same, PerIsa)    \
  ROW(Sign,              "sign",                 1, kNumbers,    Same,   Same, PerIsa)    \
  ROW(Square,            "square",               1, kNumbers,    Same,   Same, PerIsa)    \
  ROW(Sqrt,              "sqrt",                 1, kAny,        Float,  Same, Math)      \
  ROW(Rsqrt,             "rsqrt",                1, kAny,        Float,  Same, Math)      \
  ROW(Reciprocal,        "reciprocal",           1, kAny,        Float,  Same, Math)      \
  ROW(Exp,               "exp",                  1, kAny,        Float,  Same, Once)      \
  ROW(Exp2,              "exp2",                 1, kAny,        Float,  Same, Once)      \
  ROW(Expm1,             "expm1",                1, kAny,        Float,  Same, Once)      \
  ROW(Log,               "log",                  1, kAny,        Float,  Same, Once)      \
  ROW(Log2,              "log2",                 1, kAny,        Float,  Same, Once)      \
  ROW(Log10,             "log10",                1, kAny,        Float,  Same, Once)      \
  ROW(Log1p,             "log1p",                1, kAny,        Float,  Same, Once)      \
  ROW(Sin,               "sin",                  1, kAny,        Float,  Same, Once)      \
  ROW(Cos,               "cos",                  1, kAny,        Float,  Same, Once)      \
  ROW(Tan,               "tan",                  1, kAny,        Float,  Same, Once)      \
  ROW(Asin,              "asin",                 1, kAny,        Float,  Same, Once)      \
  ROW(Acos,              "acos",                 1, kAny,        Float,  Same, Once)      \
  ROW(Atan,              "atan",                 1, kAny,        Float,  Same, Once)      \
  ROW(Sinh,              "sinh",                 1, kAny,        Float,  Same, Once)      \
  ROW(Cosh,              "cosh",                 1, kAny,        Float,  Same, Once)      \
  ROW(Tanh,              "tanh",                 1, kAny,        Float,  Same, Once)      \
  ROW(Asinh,             "asinh",                1, kAny,        Float,  Same, Once)      \
  ROW(Acosh,             "acosh",                1, kAny,        Float,  Same, Once)      \
  ROW(Atanh,             "atanh",                1, kAny,        Float,  Same, Once)      \
  ROW(Sinc,              "sinc",                 1, kReals,      Float,  Same, Math)      \
  ROW(Sigmoid,           "sigmoid",              1, kReals,      Float,  Same, Math)      \
  ROW(Logit,             "logit",                1, kReals,      Float,  Same, Math)      \
  ROW(Relu,              "relu",                 1, kIntsFloats, Same,   Same, PerIsa)    \
  ROW(Silu,              "silu",                 1, kReals,      Float,  Same, Math)      \
  ROW(Gelu,              "gelu",                 1, kReals,      Float,  Same, Once)      \
  ROW(GeluTanh,          "gelu_tanh",            1, kReals,      Float,  Same, Once)      \
  ROW(Hardsigmoid,       "hardsigmoid",          1, kReals,      Float,  Same, PerIsa)    \
  ROW(Softplus,          "softplus",             1, kReals,      Float,  Same, Math)      \
  ROW(Erf,               "erf",                  1, kReals,      Float,  Same, Once)      \
  ROW(Erfc,              "erfc",                 1, kReals,      Float,  Same, Once)      \
  ROW(Lgamma,            "lgamma",               1, kReals,      Float,  Same, Once)      \
  ROW(Digamma,           "digamma",              1, kReals,      Float,  Same, Once)      \
  ROW(Floor,             "floor",                1, kIntsFloats, Same,   Same, PerIsa)    \
  ROW(Ceil,              "ceil",                 1, kIntsFloats, Same,   Same, PerIsa)    \
  ROW(Trunc,             "trunc",                1, kIntsFloats, Same,   Same, PerIsa)    \
  ROW(Round,             "round",                1, kNumbers,    Same,   Same, PerIsa)    \
  ROW(Frac,              "frac",                 1, kFloats,     Same,   Same, PerIsa)    \
  ROW(Isnan,             "isnan",                1, kAny,        Same,   Bool, PerIsa)    \
  ROW(Isinf,             "isinf",                1, kAny,        Same,   Bool, PerIsa)    \
  ROW(Isposinf,          "isposinf",             1, kReals,      Same,   Bool, PerIsa)    \
  ROW(Isneginf,          "isneginf",             1, kReals,      Same,   Bool, PerIsa)    \
  ROW(Isfinite,          "isfinite",             1, kAny,        Same,   Bool, PerIsa)    \
  ROW(Signbit,           "signbit",              1, kIntsFloats, Same,   Bool, PerIsa)    \
  ROW(LogicalNot,        "logical_not",          1, kAny,        Same,   Bool, PerIsa)    \
  ROW(BitwiseNot,        "bitwise_not",          1, kBits,       Same,   Same, PerIsa)    \
  ROW(Conj,              "conj",                 1, kNumbers,    Same,   Same, PerIsa)    \
  ROW(Angle,             "angle",                1, kAny,        Float,  Real, Once)      \
  ROW(Deg2rad,           "deg2rad",              1, kReals,      Float,  Same, PerIsa)    \
  ROW(Rad2deg,           "rad2deg",              1, kReals,      Float,  Same, PerIsa)    \
  ROW(Add,               "add",                  2, kAny,        Same,   Same, PerIsa)    \
  ROW(Subtract,          "subtract",             2, kNumbers,    Same,   Same, PerIsa)    \
  ROW(Multiply,          "multiply",             2, kAny,        Same,   Same, PerIsa)    \
  ROW(Divide,            "divide",               2, kAny,        Float,  Same, PerIsa)    \
  ROW(FloorDivide,       "floor_divide",         2, kIntsFloats, Same,   Same, Mixed)     \
  ROW(Remainder,         "remainder",            2, kIntsFloats, Same,   Same, Mixed)     \
  ROW(Fmod,              "fmod",                 2, kIntsFloats, Same,   Same, Mixed)     \
  ROW(Pow,               "pow",                  2, kNumbers,    Same,   Same, Once)      \
  ROW(FloatPower,        "float_power",          2, kAny,        Double, Same, Once)      \
  ROW(Ldexp,             "ldexp",                2, kReals,      Float,  Same, Math)      \
  ROW(Gcd,               "gcd",                  2, kInts,       Same,   Same, Once)      \
  ROW(Lcm,               "lcm",                  2, kInts,       Same,   Same, Once)      \
  ROW(Minimum,           "minimum",              2, kReals,      Same,   Same, PerIsa)    \
  ROW(Maximum,           "maximum",              2, kReals,      Same,   Same, PerIsa)    \
  ROW(Fmin,              "fmin",                 2, kReals,      Same,   Same, PerIsa)    \
  ROW(Fmax,              "fmax",                 2, kReals,      Same,   Same, PerIsa)    \
  ROW(Atan2,             "atan2",                2, kReals,      Float,  Same, Once)      \
  ROW(Hypot,             "hypot",                2, kReals,      Float,  Same, Once)      \
  ROW(Logaddexp,         "logaddexp",            2, kReals,      Float,  Same, Math)      \
  ROW(Logaddexp2,        "logaddexp2",           2, kReals,      Float,  Same, Math)      \
  ROW(Xlogy,             "xlogy",                2, kReals,      Float,  Same, Math)      \
  ROW(Copysign,          "copysign",             2, kReals,      Float,  Same, PerIsa)    \
  ROW(Nextafter,         "nextafter",            2, kFloats,     Same,   Same, Math)      \
  ROW(Heaviside,         "heaviside",            2, kIntsFloats, Same,   Same, PerIsa)    \
  ROW(Elu,               "elu",                  2, kReals,      Float,  Same, Math)      \
  ROW(LeakyRelu,         "leaky_relu",           2, kReals,      Float,  Same, PerIsa)    \
  ROW(Equal,             "equal",                2, kAny,        Same,   Bool, PerIsa)    \
  ROW(NotEqual,          "not_equal",            2, kAny,        Same,   Bool, PerIsa)    \
  ROW(Less,              "less",                 2, kReals,      Same,   Bool, PerIsa)    \
  ROW(LessEqual,         "less_equal",           2, kReals,      Same,   Bool, PerIsa)    \
  ROW(Greater,           "greater",              2, kReals,      Same,   Bool, PerIsa)    \
  ROW(GreaterEqual,      "greater_equal",        2, kReals,      Same,   Bool, PerIsa)    \
  ROW(LogicalAnd,        "logical_and",          2, kAny,        Same,   Bool, PerIsa)    \
  ROW(LogicalOr,         "logical_or",           2, kAny,        Same,   Bool, PerIsa)    \
  ROW(LogicalXor,        "logical_xor",          2, kAny,        Same,   Bool, PerIsa)    \
  ROW(BitwiseAnd,        "bitwise_and",          2, kBits,       Same,   Same, PerIsa)    \
  ROW(BitwiseOr,         "bitwise_or",           2, kBits,       Same,   Same, PerIsa)    \
  ROW(BitwiseXor,        "bitwise_xor",          2, kBits,       Same,   Same, PerIsa)    \
  ROW(BitwiseLeftShift,  "bitwise_left_shift",   2, kInts,       Same,   Same, PerIsa)    \
  ROW(BitwiseRightShift, "bitwise_right_shift",  2, kInts,       Same,   Same, PerIsa)    \
  ROW(Where,             "where",                3, kAny,        Choose, Same, PerIsa)    \
  ROW(Clamp,             "clamp",                3, kIntsFloats, Same,   Same, PerIsa)    \
  ROW(Lerp,              "lerp",                 3, kAny,        Float,  Same, PerIsa)    \
  ROW(Addcmul,           "addcmul",              3, kNumbers,    Same,   Same, PerIsa)    \
  ROW(Addcdiv,           "addcdiv",              3, kAny,        Float,  Same, PerIsa)    \
  ROW(NanToNum,          "nan_to_num",           3, kFloats,     Same,   Same, PerIsa)

#define STRIDED_OP_ENUMERATOR(op, ...) op,
enum class Op : std::uint8_t { STRIDED_OPS(STRIDED_OP_ENUMERATOR) };
#undef STRIDED_OP_ENUMERATOR

struct OpRow {
  std::string_view name;
  std::uint8_t arity;
  std::uint8_t accepts;
  Compute compute;
  Result result;
  Build build;
};

#define STRIDED_OP_ROW(op, name, arity, accepts, compute, result, build) \
  {name, arity, accepts, Compute::compute, Result::result, Build::build},
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

// Whether the loop of an op for a dtype is built once, or for every instruction set from real_ops.hpp.
constexpr bool is_built_once(const OpRow& row, DType dtype) {
  return row.build == Build::Once || (row.build == Build::Mixed && is_floating(dtype));
}
constexpr bool is_built_per_isa(const OpRow& row, DType dtype) {
  return row.build != Build::Math && !is_built_once(row, dtype);
}

}  // namespace strided
