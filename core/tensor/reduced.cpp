#include "reduced.hpp"

#include <algorithm>
#include <cstring>
#include <string>

#include "assign.hpp"
#include "dtype/promotion.hpp"
#include "errors.hpp"
#include "kernels/reduce/extreme.hpp"
#include "kernels/index/masked.hpp"
#include "layout/contiguity.hpp"
#include "layout/reshape.hpp"
#include "layout/views.hpp"
#include "materialise.hpp"

namespace strided {
namespace {

std::uint64_t reduced_axes(const Axes& axes, int rank) {
  if (!axes.all) return axis_set(axes.list, rank);
  return rank == kMaxRank ? ~std::uint64_t{0} : (std::uint64_t{1} << rank) - 1;
}

// A layout as the result has it: kernels see reduced axes at length 1, callers perhaps not at all.
Layout without_axes(const Layout& layout, std::uint64_t gone) {
  int left = 0;
  for (int axis = 0; axis < layout.rank(); ++axis) left += contains(gone, axis) ? 0 : 1;
  Layout result = Layout::uninitialised(left, layout.offset());
  for (int axis = 0, at = 0; axis < layout.rank(); ++axis) {
    if (!contains(gone, axis)) result.set_axis(at++, layout.length(axis), layout.stride(axis));
  }
  return result;
}
Layout with_axes(const Layout& layout, std::uint64_t gone, int rank) {
  Layout result = Layout::uninitialised(rank, layout.offset());
  for (int axis = 0, at = 0; axis < rank; ++axis) {
    if (contains(gone, axis)) {
      result.set_axis(axis, 1, 0);
    } else {
      result.set_axis(axis, layout.length(at), layout.stride(at));
      ++at;
    }
  }
  return result;
}

// Where results are written: a new tensor, or the one that was asked for, if it can be written while the
// input is read.
class Destination {
 public:
  Destination(const char* operation, const Tensor& x, std::uint64_t gone, DType natural, const ResultOptions& options)
      : operation_(operation), gone_(gone), options_(options) {
    Dims shape;
    for (int axis = 0; axis < x.layout.rank(); ++axis) {
      shape.push_back(contains(gone, axis) ? 1 : x.layout.length(axis));
    }
    const DType dtype = options.dtype.value_or(natural);
    if (options.out != nullptr) {
      check_out(shape, dtype);
      const Tensor& out = *options.out;
      direct_ = out.dtype == dtype && (!ranges_touch(out, x) || overlap_of(out, x) == Overlap::No);
      if (direct_) {
        out.storage->bump_version("a reduction");
        made_ = out;
        if (!options.keepdim) made_.layout = with_axes(out.layout, gone, x.layout.rank());
        return;
      }
    }
    made_ = empty_tensor(shape, dtype);
  }

  Operand operand() const { return made_.operand(); }
  DType dtype() const { return made_.dtype; }

  Tensor finish() {
    if (!options_.keepdim) made_.layout = without_axes(made_.layout, gone_);
    if (options_.out != nullptr && !direct_) assign(*options_.out, made_, operation_, CopyReason::Out);
    return std::move(made_);
  }

 private:
  void check_out(Span shape, DType dtype) const {
    Dims needed;
    for (int axis = 0; axis < static_cast<int>(shape.size()); ++axis) {
      if (options_.keepdim || !contains(gone_, axis)) needed.push_back(shape[static_cast<std::size_t>(axis)]);
    }
    require_shape(operation_, options_.out->layout.shape(), needed, "out must have the shape of the result");
    check_can_store(dtype, options_.out->dtype, operation_);
    check_writable(*options_.out, operation_);
  }

  const char* operation_;
  std::uint64_t gone_;
  const ResultOptions& options_;
  bool direct_ = false;
  Tensor made_;
};

DType reduction_dtype(Reduction op, DType dtype) {
  switch (op) {
    case Reduction::Sum: case Reduction::Prod: return sum_dtype(dtype);
    case Reduction::Any: case Reduction::All: return DType::Bool;
    case Reduction::Count: return DType::Int64;
    case Reduction::Mean: return float_of(dtype);
    case Reduction::Min: case Reduction::Max: break;
  }
  kernels::reduce::require_order(dtype);
  return dtype;
}

// The tensor that run(operand) writes.
template <class Run>
Tensor made(const char* operation, const Tensor& x, std::uint64_t gone, DType natural, const ResultOptions& options,
            Run&& run) {
  Destination result(operation, x, gone, natural, options);
  run(result.operand());
  return result.finish();
}

// The two that run(operand, other) writes in one pass.
template <class Run>
std::pair<Tensor, Tensor> two_made(const char* operation, const Tensor& x, std::uint64_t gone, DType dtype, DType other,
                                   bool keepdim, Run&& run) {
  const ResultOptions options{keepdim};
  Destination first(operation, x, gone, dtype, options), second(operation, x, gone, other, options);
  run(first.operand(), second.operand());
  return {first.finish(), second.finish()};
}

std::uint64_t one_axis(std::optional<Index> axis, int rank) {
  Axes axes;
  axes.all = !axis;
  if (axis) axes.list.push_back(*axis);
  return reduced_axes(axes, rank);
}

}  // namespace

DType sum_dtype(DType dtype) {
  if (kind_of(dtype) == Kind::Unsigned) return DType::UInt64;
  return is_integral(dtype) || dtype == DType::Bool ? kDefaultInt : dtype;
}

Tensor reduced(Reduction op, const Tensor& x, const Axes& axes, const ResultOptions& options) {
  Destination result(name_of(op), x, reduced_axes(axes, x.layout.rank()), reduction_dtype(op, x.dtype), options);
  const bool adds = op == Reduction::Sum || op == Reduction::Prod;
  if (adds && is_integral(result.dtype()) && !can_store(x.dtype, result.dtype())) {
    // Asked to add floats up as integers: each is truncated first, as in NumPy and PyTorch.
    kernels::reduce::reduce(op, result.operand(),
           materialise(x, CopyReason::Promote, result.dtype(), memory_order(x.layout)).operand());
  } else {
    kernels::reduce::reduce(op, result.operand(), x.operand());
  }
  return result.finish();
}

Tensor reduced_numbers(NanReduction op, const Tensor& x, const Axes& axes, const ResultOptions& options) {
  constexpr Reduction kSame[] = {Reduction::Sum, Reduction::Min, Reduction::Max, Reduction::Count};
  const DType natural = reduction_dtype(kSame[static_cast<int>(op)], x.dtype);
  if (op != NanReduction::Count && !is_floating(x.dtype)) {
    return reduced(kSame[static_cast<int>(op)], x, axes, options);  // there is no NaN among integers
  }
  return made("nansum", x, reduced_axes(axes, x.layout.rank()), natural, options,
              [&](const Operand& out) { kernels::reduce::reduce_numbers(op, out, x.operand()); });
}

Tensor variance_of(VarianceKind kind, const Tensor& x, const Axes& axes, double correction,
                   const ResultOptions& options) {
  return made(kind == VarianceKind::Variance ? "var" : "std", x, reduced_axes(axes, x.layout.rank()),
              real_of(float_of(x.dtype)), options,
              [&](const Operand& out) { kernels::reduce::variance(kind, out, x.operand(), correction); });
}

std::pair<Tensor, Tensor> variance_and_mean(VarianceKind kind, const Tensor& x, const Axes& axes, double correction,
                                          bool keepdim) {
  const DType dtype = float_of(x.dtype);
  return two_made("var", x, reduced_axes(axes, x.layout.rank()), dtype, dtype, keepdim,
                  [&](const Operand& out, const Operand& mean) {
                    kernels::reduce::variance(kind, out, x.operand(), correction, &mean);
                  });
}

Tensor norm_of(const Tensor& x, double p, const Axes& axes, const ResultOptions& options) {
  return made("norm", x, reduced_axes(axes, x.layout.rank()), real_of(float_of(x.dtype)), options,
              [&](const Operand& out) { kernels::reduce::norm(p, out, x.operand()); });
}

Tensor log_sum_exp_of(const Tensor& x, const Axes& axes, const ResultOptions& options) {
  if (is_complex(x.dtype)) {
    throw errors::dtype_mismatch(kernels::reduce::kLogSumExp, std::string(name_of(x.dtype)),
                                 "complex numbers have no order", "use .abs(), .real or .imag");
  }
  return made(kernels::reduce::kLogSumExp, x, reduced_axes(axes, x.layout.rank()), float_of(x.dtype), options,
              [&](const Operand& out) { kernels::reduce::log_sum_exp(out, x.operand()); });
}

Tensor arg_reduced(bool largest, const Tensor& x, std::optional<Index> axis, const ResultOptions& options) {
  kernels::reduce::require_order(x.dtype);
  return made(largest ? "argmax" : "argmin", x, one_axis(axis, x.layout.rank()), DType::Int64, options,
              [&](const Operand& out) { kernels::reduce::arg_reduce(largest, out, nullptr, x.operand()); });
}

std::pair<Tensor, Tensor> extreme_and_position(bool largest, const Tensor& x, Index axis, bool keepdim) {
  kernels::reduce::require_order(x.dtype);
  return two_made("max", x, one_axis(axis, x.layout.rank()), x.dtype, DType::Int64, keepdim,
                  [&](const Operand& values, const Operand& positions) {
                    kernels::reduce::arg_reduce(largest, positions, &values, x.operand());
                  });
}

std::pair<Tensor, Tensor> least_and_most(const Tensor& x, const Axes& axes, bool keepdim) {
  kernels::reduce::require_order(x.dtype);
  return two_made("aminmax", x, reduced_axes(axes, x.layout.rank()), x.dtype, x.dtype, keepdim,
                  [&](const Operand& least, const Operand& most) {
                    kernels::reduce::min_max(least, most, x.operand());
                  });
}

Tensor scanned(Scan op, const Tensor& x, std::optional<Index> axis, const ResultOptions& options) {
  if (!axis) {
    const Index size[] = {x.layout.size()};
    Tensor flat{x.storage, Layout(), x.dtype};
    ReshapeRefusal refusal;
    if (!try_reshape(x.layout, size, flat.layout, refusal)) {
      flat = materialise(x, CopyReason::Reshape);
      flat.layout = Layout::row_major(size);
    }
    return scanned(op, flat, 0, options);
  }
  const int at = normal_axis(*axis, x.layout.rank());
  return made(op == Scan::Sum ? "cumsum" : "cumprod", x, 0, sum_dtype(x.dtype), options,
              [&](const Operand& out) { kernels::scan::scan(op, out, x.operand(), at); });
}

Index nonzero_count(const Tensor& x) {
  const Tensor count = reduced(Reduction::Count, x, Axes{}, ResultOptions{});
  Index value;
  std::memcpy(&value, count.data(), sizeof(value));
  return value;
}

Tensor nonzero_positions(const Tensor& x) {
  const kernels::index::Masked nonzero(x.operand());
  Tensor out = empty_tensor(Dims{nonzero.count(), x.layout.rank()}, DType::Int64);
  nonzero.write_positions(out.operand());
  return out;
}

}  // namespace strided
