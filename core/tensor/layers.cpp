// Rotary embedding, SwiGLU and softmax on tensors.
#include <algorithm>
#include <string>

#include "dtype/promotion.hpp"
#include "errors.hpp"
#include "kernels/nn/rope.hpp"
#include "kernels/nn/softmax/softmax.hpp"
#include "kernels/nn/swiglu.hpp"
#include "layout/views.hpp"
#include "targets.hpp"

namespace strided {
namespace {

void require_rank(const char* operation, const Tensor& x, int least) {
  if (x.layout.rank() >= least) return;
  Dims expected;
  while (expected.size() < least) expected.push_back(-1);  // any length
  throw errors::shape_mismatch(operation, expected, x.layout.shape(),
                               "it works along the last axis: use x.unsqueeze(0)");
}

Operand operand_of(const Tensor& x, const Layout& layout) { return {x.storage->data(), &layout, x.dtype}; }

// Cosines or sines with the axes of x: those of rank 2 have one row for all heads of a position.
Layout angles_for(const Layout& x, const Tensor& angles) {
  const int rank = x.rank();
  if (angles.layout.rank() == 0) {
    throw errors::shape_mismatch("rope", x.shape(), angles.layout.shape(), "angles have an axis of pairs");
  }
  const bool per_position = rank == 3 && angles.layout.rank() == 2;
  const Layout own = per_position ? unsqueezed(angles.layout, 1) : angles.layout;
  Dims shape = x.shape();
  shape[rank - 1] = own.length(own.rank() - 1);
  if (!std::ranges::equal(broadcast_shape(own.shape(), shape), shape)) {
    throw errors::shape_mismatch("rope", shape, angles.layout.shape(),
                                 "give one row of cosines and sines per position, or one for all");
  }
  return broadcast_to(own, shape);
}

}  // namespace

Tensor rope(const Tensor& x, const Tensor& cosine, const Tensor& sine, bool interleaved, const Tensor* rows,
            const Target& target) {
  require_float("rope", "x", x.dtype);
  require_float("rope", "cos", cosine.dtype);
  require_float("rope", "sin", sine.dtype);
  require_rank("rope", x, rows == nullptr ? 1 : 2);
  const int last = x.layout.rank() - 1;
  const Index half = angles_for(x.layout, cosine).length(last);
  if (angles_for(x.layout, sine).length(last) != half || 2 * half > x.layout.length(last)) {
    throw errors::shape_mismatch("rope", cosine.layout.shape(), sine.layout.shape(),
                                 "cos and sin have one number per pair, at most half as many as x.shape[-1]");
  }
  Dims shape = x.layout.shape();
  std::vector<Index> places;
  if (rows != nullptr) {
    if (target.out == nullptr || target.out->layout.rank() == 0) {
      throw errors::invalid_argument("rows", "no out", "say which rows of out= are written: give one");
    }
    places = places_of("rope", *rows, shape[0], target.out->layout.length(0));
    shape[0] = target.out->layout.length(0);
  }
  Tensor out = target_for("rope", shape, x.dtype, target);
  const LayerInput from(target.out, &x, rows == nullptr), by_cosine(target.out, &cosine), by_sine(target.out, &sine);
  const Layout cosines = angles_for(x.layout, *by_cosine), sines = angles_for(x.layout, *by_sine);
  Layout written = out.layout;
  if (rows != nullptr) written.set_axis(0, x.layout.length(0), written.stride(0));
  out.storage->bump_version("rope");
  DType common = promote("rope", cosine.dtype, sine.dtype);
  if (x.dtype == DType::Float64) common = DType::Float64;
  kernels::nn::rope(operand_of(out, written), from->operand(), operand_of(*by_cosine, cosines),
                    operand_of(*by_sine, sines), interleaved, rows == nullptr ? nullptr : places.data(),
                    compute_dtype_for(common, target));
  return out;
}

Tensor swiglu(const Tensor& gate, const Tensor& up, const Target& target) {
  require_float("swiglu", "gate", gate.dtype);
  require_float("swiglu", "up", up.dtype);
  const Dims shape = broadcast_shape(gate.layout.shape(), up.layout.shape());
  const DType common = promote("swiglu", gate.dtype, up.dtype);
  Tensor out = target_for("swiglu", shape, common, target);
  const LayerInput open(target.out, &gate, true), by(target.out, &up, true);
  const Layout gates = broadcast_to(open->layout, shape), ups = broadcast_to(by->layout, shape);
  out.storage->bump_version("swiglu");
  kernels::nn::swiglu(out.operand(), operand_of(*open, gates), operand_of(*by, ups), compute_dtype_for(common, target));
  return out;
}

Tensor softmax(const Tensor& x, Index dim, bool logarithm, const Target& target) {
  const char* const operation = logarithm ? "log_softmax" : "softmax";
  require_float(operation, "x", x.dtype);
  const int rank = std::max(1, x.layout.rank());
  const int axis = normal_axis(dim, rank);
  Tensor out = target_for(operation, x.layout.shape(), x.dtype, target);
  const LayerInput from(target.out, &x, true);
  const auto along = [&](const Layout& layout) {
    return transposed(layout.rank() == 0 ? unsqueezed(layout, 0) : layout, axis, rank - 1);
  };
  const Layout to_layout = along(out.layout), from_layout = along(from->layout);
  out.storage->bump_version("softmax");
  kernels::nn::softmax(operand_of(out, to_layout), operand_of(*from, from_layout), logarithm,
                       compute_dtype_for(x.dtype, target));
  return out;
}

}  // namespace strided
