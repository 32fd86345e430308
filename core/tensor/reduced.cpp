#include "reduced.hpp"

#include <string>

#include "assign.hpp"
#include "compute.hpp"
#include "dtype/promotion.hpp"
#include "errors.hpp"
#include "kernels/masked.hpp"
#include "layout/contiguity.hpp"
#include "layout/views.hpp"
#include "materialise.hpp"

namespace strided {
namespace {

// Which axes go; the result with them kept at length 1; how to drop them afterwards.
struct Target {
  Dims kept_shape;
  Dims reduced_axes;
  Index reduced_count = 1;
};

Target target_of(const Layout& layout, const Axes& axes) {
  bool gone[kMaxRank] = {};
  if (axes.all) {
    for (int axis = 0; axis < layout.rank(); ++axis) gone[axis] = true;
  }
  for (Index dim : axes.list) {
    const int axis = normal_axis(dim, layout.rank());
    if (gone[axis]) throw errors::duplicate_axis(axis, axes.list);
    gone[axis] = true;
  }
  Target target;
  for (int axis = 0; axis < layout.rank(); ++axis) {
    target.kept_shape.push_back(gone[axis] ? 1 : layout.length(axis));
    if (!gone[axis]) continue;
    target.reduced_axes.push_back(axis);
    target.reduced_count *= layout.length(axis);
  }
  return target;
}

Tensor finish(Tensor out, const Target& target, bool keepdim) {
  if (!keepdim) out.layout = squeezed(out.layout, target.reduced_axes);
  return out;
}

DType reduction_dtype(Reduction op, DType dtype) {
  switch (op) {
    case Reduction::Sum: case Reduction::Prod: return sum_dtype(dtype);
    case Reduction::Any: case Reduction::All: return DType::Bool;
    case Reduction::Min: case Reduction::Max: break;
  }
  if (is_complex(dtype)) {
    throw errors::dtype_mismatch("min/max", std::string(name_of(dtype)),
                                 "complex numbers have no order", "use .abs(), .real or .imag");
  }
  return dtype;
}

void divide_by(Tensor& out, double count) {
  const Argument arguments[] = {{&out, {}}, {nullptr, Scalar::of(count)}};
  compute_into(out, Op::Divide, arguments, "mean");
}

}  // namespace

DType sum_dtype(DType dtype) {
  if (kind_of(dtype) == Kind::Unsigned) return DType::UInt64;
  return is_integral(dtype) || dtype == DType::Bool ? kDefaultInt : dtype;
}

Tensor reduced(Reduction op, const Tensor& x, const Axes& axes, bool keepdim,
               std::optional<DType> dtype) {
  const Target target = target_of(x.layout, axes);
  const DType natural = reduction_dtype(op, x.dtype);
  Tensor out = empty_tensor(target.kept_shape, dtype.value_or(natural));
  if (is_integral(out.dtype) && !can_store(x.dtype, out.dtype)) {
    // Asked to add floats up as integers: each is truncated first, as in NumPy and PyTorch.
    reduce(op, out.operand(),
           materialise(x, CopyReason::Convert, out.dtype, memory_order(x.layout)).operand());
  } else {
    reduce(op, out.operand(), x.operand());
  }
  return finish(std::move(out), target, keepdim);
}

Tensor arg_reduced(bool largest, const Tensor& x, std::optional<Index> axis, bool keepdim) {
  reduction_dtype(Reduction::Max, x.dtype);
  Axes axes;
  if (axis) {
    axes.all = false;
    axes.list.push_back(*axis);
  }
  const Target target = target_of(x.layout, axes);
  Tensor out = empty_tensor(target.kept_shape, DType::Int64);
  arg_reduce(largest, out.operand(), x.operand());
  return finish(std::move(out), target, keepdim);
}

Tensor mean_of(const Tensor& x, const Axes& axes, bool keepdim, std::optional<DType> dtype) {
  const Target target = target_of(x.layout, axes);
  const DType result = dtype.value_or(float_of(x.dtype));
  // Half results are summed and divided in float32, then rounded once.
  const DType wide = is_half(result) ? DType::Float32 : result;
  Tensor out = empty_tensor(target.kept_shape, wide);
  reduce(Reduction::Sum, out.operand(), x.operand());
  divide_by(out, static_cast<double>(target.reduced_count));
  if (wide != result) {
    Tensor narrow = empty_tensor(target.kept_shape, result);
    const Argument argument[] = {{&out, {}}};
    compute_into(narrow, Op::Positive, argument, "mean");
    out = std::move(narrow);
  }
  return finish(std::move(out), target, keepdim);
}

Tensor variance_of(const Tensor& x, const Axes& axes, double correction, bool keepdim) {
  const Target target = target_of(x.layout, axes);
  Tensor out = empty_tensor(target.kept_shape, real_of(float_of(x.dtype)));
  variance(out.operand(), x.operand(), correction);
  return finish(std::move(out), target, keepdim);
}

Tensor scanned(Scan op, const Tensor& x, Index axis, std::optional<DType> dtype) {
  const int at = normal_axis(axis, x.layout.rank());
  Tensor out = empty_tensor(x.layout.shape(), dtype.value_or(sum_dtype(x.dtype)));
  scan(op, out.operand(), x.operand(), at);
  return out;
}

Index nonzero_count(const Tensor& x) { return count_nonzero(x.operand()); }

Tensor nonzero_positions(const Tensor& x) {
  const Masked nonzero(x.operand());
  Tensor out = empty_tensor(Dims{nonzero.count(), x.layout.rank()}, DType::Int64);
  nonzero.write_positions(out.operand());
  return out;
}

}  // namespace strided
