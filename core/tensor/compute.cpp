#include "compute.hpp"

#include <algorithm>
#include <string>

#include "assign.hpp"
#include "errors.hpp"
#include "kernels/elementwise/elementwise.hpp"
#include "layout/contiguity.hpp"
#include "layout/views.hpp"
#include "materialise.hpp"

namespace strided {
namespace {

constexpr int kMaxInputs = 3;

bool is_condition(Op op, std::size_t position) {
  return row_of(op).compute == Compute::Choose && position == 0;
}

DType common_dtype(Op op, std::span<const Argument> arguments) {
  bool seen = false;
  DType common = DType::Bool;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i].tensor == nullptr || is_condition(op, i)) continue;
    const DType dtype = arguments[i].tensor->dtype;
    common = seen ? promote(row_of(op).name.data(), common, dtype) : dtype;
    seen = true;
  }
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i].tensor != nullptr || is_condition(op, i)) continue;
    const Scalar& scalar = arguments[i].scalar;
    if (!seen) {
      common = scalar.own_dtype();
      seen = true;
      continue;
    }
    common = promote_scalar(common, scalar.kind);
    // A comparison has an answer even where the number does not fit the dtype: uint8 < 300 is true.
    if (row_of(op).result == Result::Bool && !scalar.fits(common)) {
      common = scalar.above_int64 ? DType::Float64 : DType::Int64;
    }
  }
  return common;
}

// Integers have no fractions: 2 ** -1 would silently be 0. (A tensor of exponents is not searched.)
void refuse_negative_power(const Argument& exponent) {
  if (exponent.tensor != nullptr || exponent.scalar.above_int64 || exponent.scalar.integer >= 0) return;
  throw errors::invalid_argument("exponent", std::to_string(exponent.scalar.integer),
                                 "must not be negative for integers; use .to(strided.float32) first");
}

// The operands of one call, broadcast to one shape; numbers live in `values` and have rank-0 layouts
// that are broadcast like any other.
class Operands {
 public:
  Operands(Op op, DType compute, std::span<const Argument> arguments) : count_(arguments.size()) {
    for (std::size_t i = 0; i < count_; ++i) {
      if (const Tensor* tensor = arguments[i].tensor) {
        inputs_[i] = tensor->operand();
        continue;
      }
      const DType dtype = is_condition(op, i) ? DType::Bool : compute;
      arguments[i].scalar.store(dtype, values_[i]);
      inputs_[i] = {values_[i], &rank0(), dtype};
    }
  }

  void replace(std::size_t i, const Tensor& tensor) { inputs_[i] = tensor.operand(); }

  bool same_shapes(Span shape) const {
    for (std::size_t i = 0; i < count_; ++i) {
      if (!std::ranges::equal(inputs_[i].layout->shape(), shape)) return false;
    }
    return true;
  }

  bool all_row_major() const {
    for (std::size_t i = 0; i < count_; ++i) {
      if (!is_row_major(*inputs_[i].layout)) return false;
    }
    return true;
  }

  Dims common_shape() const {
    Dims shape = inputs_[0].layout->shape();
    for (std::size_t i = 1; i < count_; ++i) shape = broadcast_shape(shape, inputs_[i].layout->shape());
    return shape;
  }

  // `layouts` must live as long as the operands are used.
  void broadcast(Span shape, Layout (&layouts)[kMaxInputs]) {
    if (same_shapes(shape)) return;
    for (std::size_t i = 0; i < count_; ++i) {
      layouts[i] = broadcast_to(*inputs_[i].layout, shape);
      inputs_[i].layout = &layouts[i];
    }
  }

  std::span<const Operand> inputs() const { return {inputs_, count_}; }

 private:
  static const Layout& rank0() {
    static const Layout layout;
    return layout;
  }

  std::size_t count_;
  Operand inputs_[kMaxInputs] = {};
  alignas(16) std::byte values_[kMaxInputs][16];
};

}  // namespace

OpTypes types_of(Op op, std::span<const Argument> arguments) {
  const OpRow& row = row_of(op);
  DType dtype = common_dtype(op, arguments);
  if (!accepts(row, dtype)) {
    const std::string name(name_of(dtype));
    throw errors::dtype_mismatch(std::string(row.name), name,
                                 std::string(row.name) + " is not defined for " + name,
                                 "convert with .to() first");
  }
  if (op == Op::Pow && is_integral(dtype)) refuse_negative_power(arguments[1]);
  if (row.compute == Compute::Float) dtype = float_of(dtype);
  if (row.compute == Compute::Double) dtype = is_complex(dtype) ? DType::Complex128 : DType::Float64;
  switch (row.result) {
    case Result::Same: return {dtype, dtype};
    case Result::Bool: return {dtype, DType::Bool};
    case Result::Real: break;
  }
  return {dtype, real_of(dtype)};
}

Dims order_for(Span shape, std::span<const Operand> operands) {
  const Layout* widest = operands[0].layout;
  for (const Operand& operand : operands) {
    const Layout& layout = *operand.layout;
    bool spans = layout.rank() == static_cast<int>(shape.size());
    for (int axis = 0; spans && axis < layout.rank(); ++axis) {
      spans = layout.stride(axis) != 0 || layout.length(axis) == 1;
    }
    if (spans) {
      widest = &layout;
      break;
    }
  }
  return memory_order(*widest);
}

namespace {

// Ops that hand elements on as they are: what they write is a copy.
void log_if_copy(Op op, DType dtype, std::span<const Argument> arguments, const Tensor& out, CopyReason reason) {
  if (op != Op::Positive && (op != Op::Conj || is_complex(dtype))) return;
  const Tensor* const in = arguments[0].tensor;
  if (in != nullptr && !same_places(out, *in)) log_copy(reason, *in, out.layout, out.dtype);
}

}  // namespace

Tensor compute(Op op, std::span<const Argument> arguments) {
  const OpTypes types = types_of(op, arguments);
  Operands operands(op, types.compute, arguments);
  const Span first = operands.inputs()[0].layout->shape();
  if (operands.same_shapes(first) && operands.all_row_major()) {
    Tensor out = empty_tensor(first, types.result);
    log_if_copy(op, types.compute, arguments, out, CopyReason::Clone);
    kernels::elementwise::elementwise(op, types.compute, out.operand(), operands.inputs());
    return out;
  }
  const Dims shape = operands.common_shape();
  Layout layouts[kMaxInputs];
  operands.broadcast(shape, layouts);
  Tensor out = empty_tensor_in_order(shape, order_for(shape, operands.inputs()), types.result);
  log_if_copy(op, types.compute, arguments, out, CopyReason::Clone);
  kernels::elementwise::elementwise(op, types.compute, out.operand(), operands.inputs());
  return out;
}

void compute_into(const Tensor& out, Op op, std::span<const Argument> arguments,
                  const char* operation) {
  const OpTypes types = types_of(op, arguments);
  check_can_store(types.result, out.dtype, operation);
  Operands operands(op, types.compute, arguments);
  const Dims shape = operands.common_shape();
  const Span target = out.layout.shape();
  // In place, a smaller operand may be broadcast to the result, never the other way round.
  if (!std::ranges::equal(shape, target) && !std::ranges::equal(broadcast_shape(shape, target), target)) {
    throw errors::shape_mismatch(operation, target, shape, "the result does not fit the tensor that is written to");
  }
  check_writable(out, operation);
  Tensor temporaries[kMaxInputs];
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const Tensor* in = arguments[i].tensor;
    if (in == nullptr || !ranges_touch(out, *in) || same_places(out, *in)) continue;
    if (overlap_of(out, *in) == Overlap::No) continue;
    temporaries[i] = materialise(*in, CopyReason::Overlapping);
    operands.replace(i, temporaries[i]);
  }
  Layout layouts[kMaxInputs];
  operands.broadcast(target, layouts);
  log_if_copy(op, types.compute, arguments, out, CopyReason::Assign);
  out.storage->bump_version(operation);
  kernels::elementwise::elementwise(op, types.compute, out.operand(), operands.inputs());
}

}  // namespace strided
