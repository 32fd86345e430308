// Materialise: the one function that duplicates elements. Callers say why (copy_log.hpp).
#pragma once

#include <span>

#include "copy_log.hpp"
#include "tensor.hpp"

namespace strided {

// The elements of `source` in fresh memory: row-major, in `order` (axes, slowest first), or "like the
// source" (same axis order, gaps closed).
Tensor materialise(const Tensor& source, CopyReason reason);
Tensor materialise(const Tensor& source, CopyReason reason, DType dtype, Span order);

// The elements of `source` written into `out`, which must have its shape and not overlap it.
void materialise_into(const Tensor& out, const Tensor& source, CopyReason reason);

// source[indices] for int64 tensors of one shape over the first axes (see kernels/gather.hpp), written
// into `out`.
void gather_into(const Tensor& out, const Tensor& source, std::span<const Tensor> indices);

}  // namespace strided
