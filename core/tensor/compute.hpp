// Elementwise ops on tensors and numbers: promotion, broadcasting, where the result goes.
#pragma once

#include <span>

#include "kernels/loop_names.hpp"  // active_isa(), loop_name(): which loops compute runs on
#include "kernels/op_list.hpp"
#include "run/pool.hpp"  // thread_count(): how many cores it uses
#include "scalar.hpp"
#include "tensor.hpp"

namespace strided {

// A tensor, or a number when `tensor` is null.
struct Argument {
  const Tensor* tensor = nullptr;
  Scalar scalar;
};

// A fresh result: the broadcast shape, laid out in the memory order of the operands.
Tensor compute(Op op, std::span<const Argument> arguments);

// The result written into `out`, which must have the broadcast shape and a dtype that can hold it.
// Behaves as if all operands had been read first.
void compute_into(const Tensor& out, Op op, std::span<const Argument> arguments,
                  const char* operation);

// The dtypes that an op computes in and gives, for these arguments.
struct OpTypes {
  DType compute;
  DType result;
};
OpTypes types_of(Op op, std::span<const Argument> arguments);

// In which order fresh results have their axes: that of the first operand that really spans the shape.
Dims order_for(Span shape, std::span<const Operand> operands);

}  // namespace strided
