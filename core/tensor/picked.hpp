// Elements of tensors picked by positions or masks, and written back. Positions are integer tensors of any
// dtype; writes behave as if all else had been read first.
#pragma once

#include "kernels/index/gather.hpp"
#include "tensor.hpp"

namespace strided {

// Raises DTypeMismatch unless these are integers.
void require_positions(const Tensor& index);

// x[:, .., index, ..]: the shape of `index` takes the place of the axis.
Tensor picked_rows(const Tensor& x, Index axis, const Tensor& index);
// x counted in row-major order, at `index`; the result has its shape.
Tensor picked_flat(const Tensor& x, const Tensor& index);
// x at index[i, j, ..] along the axis and at j, .. along the others. The index has x's rank and is no longer
// than x on the other axes.
Tensor picked_along(const Tensor& x, Index axis, const Tensor& index);
// The elements where the mask, which has x's shape, is true.
Tensor picked_where(const Tensor& x, const Tensor& mask);

// The reverse of each. The source has out's dtype; along an axis it is at least as long as the index.
void put_along(const Tensor& out, Index axis, const Tensor& index, const Tensor& source, kernels::index::Combine how,
               const char* operation);
void put_flat(const Tensor& out, const Tensor& index, const Tensor& source, kernels::index::Combine how,
              const char* operation);
// The source has rank 1; raises ShapeMismatch unless it has as many elements as the mask has true ones, or,
// with `longer`, more.
void put_where(const Tensor& out, const Tensor& mask, const Tensor& source, bool longer,
               const char* operation);

}  // namespace strided
