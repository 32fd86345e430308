// Ops so quick that loading and storing takes longer: several in a row are done on values that stay in
// registers. They compute exactly what real_ops.hpp says.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "layout/dims.hpp"
#include "kernels/op_list.hpp"

namespace strided::kernels::elementwise {

enum class Quick : std::uint8_t {
  Add, Subtract, SubtractFrom, Multiply, Divide, DivideInto, Maximum, MaximumOf, Minimum, MinimumOf,
  Negative, Absolute, Square,
  AtLeast, AtMost,  // maximum and minimum with a number that is no NaN
};

// Of a run of quick ops, besides what it starts from.
inline constexpr int kMostQuickOperands = 7;

struct QuickOp {
  Quick what;
  std::uint8_t operand;  // which of `data` is the other operand
};

// A run of them, which takes `operands` of data: data[0] is written, data[1] is what the first op starts
// from. With `stream` the output is written by non-temporal stores where it is packed and begins with a cache
// line.
struct QuickRun {
  const QuickOp* ops;
  int count;
  int operands;
};
// Strides in bytes. The output is one of the inputs, element for element, or does not overlap them.
using QuickLoop = void (*)(Index n, std::byte* const* data, const Index* strides, const QuickRun& run, bool stream);

// The quick form of an op on a running value, which is its first operand or, if `second`, the other one.
constexpr std::optional<Quick> quick_of(Op op, bool second) {
  switch (op) {
    case Op::Add: return Quick::Add;
    case Op::Multiply: return Quick::Multiply;
    case Op::Subtract: return second ? Quick::SubtractFrom : Quick::Subtract;
    case Op::Divide: return second ? Quick::DivideInto : Quick::Divide;
    case Op::Maximum: return second ? Quick::MaximumOf : Quick::Maximum;
    case Op::Minimum: return second ? Quick::MinimumOf : Quick::Minimum;
    case Op::Negative: return Quick::Negative;
    case Op::Absolute: return Quick::Absolute;
    case Op::Square: return Quick::Square;
    default: return std::nullopt;
  }
}

}  // namespace strided::kernels::elementwise
