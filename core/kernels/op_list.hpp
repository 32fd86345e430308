// The elementwise ops, one row each. Loops, bindings and tests walk this table. What an op computes is
// a line under its name in real_ops.hpp (PerIsa) or real_math.hpp (Once), and in complex_math.hpp.
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
  Bool,    // in bool: every input is asked whether it is nonzero
  Choose,  // in the promoted dtype of all inputs but the first, which is bool
};
enum class Result : std::uint8_t { Same, Bool, Real };  // Real: complex64 -> float32
// Loops that vectorise are built for every instruction set; loops that call libm or divide integers
// gain nothing from it and are built once. Complex loops are all built once.
enum class Build : std::uint8_t { PerIsa, Once };

//    enumerator         name                    arity  accepts    compute result build
#define STRIDED_OPS(ROW)                                                                  \
  ROW(Absolute,          "absolute",             1, kAny,        Same,   Real, PerIsa)    \
  ROW(Negative,          "negative",             1, kNumbers,    Same,   Same, PerIsa)    \
  ROW(Positive,          "positive",             1, kNumbers,    Same,   Same, Once)      \
  ROW(Sign,              "sign",                 1, kNumbers,    Same,   Same, Once)      \
  ROW(Square,            "square",               1, kNumbers,    Same,   Same, PerIsa)    \
  ROW(Sqrt,              "sqrt",                 1, kAny,        Float,  Same, PerIsa)    \
  ROW(Rsqrt,             "rsqrt",                1, kAny,        Float,  Same, PerIsa)    \
  ROW(Reciprocal,        "reciprocal",           1, kAny,        Float,  Same, PerIsa)    \
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
  ROW(Sigmoid,           "sigmoid",              1, kReals,      Float,  Same, Once)      \
  ROW(Relu,              "relu",                 1, kIntsFloats, Same,   Same, PerIsa)    \
  ROW(Silu,              "silu",                 1, kReals,      Float,  Same, Once)      \
  ROW(Gelu,              "gelu",                 1, kReals,      Float,  Same, Once)      \
  ROW(GeluTanh,          "gelu_tanh",            1, kReals,      Float,  Same, Once)      \
  ROW(Erf,               "erf",                  1, kReals,      Float,  Same, Once)      \
  ROW(Erfc,              "erfc",                 1, kReals,      Float,  Same, Once)      \
  ROW(Lgamma,            "lgamma",               1, kReals,      Float,  Same, Once)      \
  ROW(Softplus,          "softplus",             1, kReals,      Float,  Same, Once)      \
  ROW(Floor,             "floor",                1, kIntsFloats, Same,   Same, PerIsa)    \
  ROW(Ceil,              "ceil",                 1, kIntsFloats, Same,   Same, PerIsa)    \
  ROW(Trunc,             "trunc",                1, kIntsFloats, Same,   Same, PerIsa)    \
  ROW(Round,             "round",                1, kNumbers,    Same,   Same, PerIsa)    \
  ROW(Frac,              "frac",                 1, kFloats,     Same,   Same, PerIsa)    \
  ROW(Isnan,             "isnan",                1, kAny,        Same,   Bool, PerIsa)    \
  ROW(Isinf,             "isinf",                1, kAny,        Same,   Bool, PerIsa)    \
  ROW(Isfinite,          "isfinite",             1, kAny,        Same,   Bool, PerIsa)    \
  ROW(Signbit,           "signbit",              1, kIntsFloats, Same,   Bool, Once)      \
  ROW(LogicalNot,        "logical_not",          1, kAny,        Bool,   Bool, PerIsa)    \
  ROW(BitwiseNot,        "bitwise_not",          1, kBits,       Same,   Same, PerIsa)    \
  ROW(Conj,              "conj",                 1, kNumbers,    Same,   Same, Once)      \
  ROW(Angle,             "angle",                1, kAny,        Float,  Real, Once)      \
  ROW(Deg2rad,           "deg2rad",              1, kReals,      Float,  Same, Once)      \
  ROW(Rad2deg,           "rad2deg",              1, kReals,      Float,  Same, Once)      \
  ROW(Add,               "add",                  2, kAny,        Same,   Same, PerIsa)    \
  ROW(Subtract,          "subtract",             2, kNumbers,    Same,   Same, PerIsa)    \
  ROW(Multiply,          "multiply",             2, kAny,        Same,   Same, PerIsa)    \
  ROW(Divide,            "divide",               2, kAny,        Float,  Same, PerIsa)    \
  ROW(FloorDivide,       "floor_divide",         2, kIntsFloats, Same,   Same, Once)      \
  ROW(Remainder,         "remainder",            2, kIntsFloats, Same,   Same, Once)      \
  ROW(Fmod,              "fmod",                 2, kIntsFloats, Same,   Same, Once)      \
  ROW(Pow,               "pow",                  2, kNumbers,    Same,   Same, Once)      \
  ROW(Minimum,           "minimum",              2, kReals,      Same,   Same, PerIsa)    \
  ROW(Maximum,           "maximum",              2, kReals,      Same,   Same, PerIsa)    \
  ROW(Fmin,              "fmin",                 2, kReals,      Same,   Same, Once)      \
  ROW(Fmax,              "fmax",                 2, kReals,      Same,   Same, Once)      \
  ROW(Atan2,             "atan2",                2, kReals,      Float,  Same, Once)      \
  ROW(Hypot,             "hypot",                2, kReals,      Float,  Same, Once)      \
  ROW(Logaddexp,         "logaddexp",            2, kReals,      Float,  Same, Once)      \
  ROW(Copysign,          "copysign",             2, kReals,      Float,  Same, Once)      \
  ROW(Nextafter,         "nextafter",            2, kFloats,     Same,   Same, Once)      \
  ROW(Equal,             "equal",                2, kAny,        Same,   Bool, PerIsa)    \
  ROW(NotEqual,          "not_equal",            2, kAny,        Same,   Bool, PerIsa)    \
  ROW(Less,              "less",                 2, kReals,      Same,   Bool, PerIsa)    \
  ROW(LessEqual,         "less_equal",           2, kReals,      Same,   Bool, PerIsa)    \
  ROW(Greater,           "greater",              2, kReals,      Same,   Bool, PerIsa)    \
  ROW(GreaterEqual,      "greater_equal",        2, kReals,      Same,   Bool, PerIsa)    \
  ROW(LogicalAnd,        "logical_and",          2, kAny,        Bool,   Bool, PerIsa)    \
  ROW(LogicalOr,         "logical_or",           2, kAny,        Bool,   Bool, PerIsa)    \
  ROW(LogicalXor,        "logical_xor",          2, kAny,        Bool,   Bool, PerIsa)    \
  ROW(BitwiseAnd,        "bitwise_and",          2, kBits,       Same,   Same, PerIsa)    \
  ROW(BitwiseOr,         "bitwise_or",           2, kBits,       Same,   Same, PerIsa)    \
  ROW(BitwiseXor,        "bitwise_xor",          2, kBits,       Same,   Same, PerIsa)    \
  ROW(BitwiseLeftShift,  "bitwise_left_shift",   2, kInts,       Same,   Same, PerIsa)    \
  ROW(BitwiseRightShift, "bitwise_right_shift",  2, kInts,       Same,   Same, PerIsa)    \
  ROW(Where,             "where",                3, kAny,        Choose, Same, PerIsa)    \
  ROW(Clamp,             "clamp",                3, kIntsFloats, Same,   Same, PerIsa)    \
  ROW(Lerp,              "lerp",                 3, kAny,        Float,  Same, PerIsa)

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
  if (row.compute == Compute::Bool) return dtype == DType::Bool;
  if (row.compute == Compute::Float && !is_floating(dtype) && !is_complex(dtype)) return false;
  return accepts(row, dtype);
}

}  // namespace strided
