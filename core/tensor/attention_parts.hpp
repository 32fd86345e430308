// Views of queries, keys and values (..., heads, positions, elements) for the kernels of attention.
#pragma once

#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "kernels/nn/attention/attention.hpp"
#include "layout/contiguity.hpp"
#include "layout/views.hpp"
#include "plan/walk.hpp"
#include "tensor.hpp"

namespace strided {

// More than any number of keys, with room for adding positions.
inline constexpr Index kNoWindow = std::numeric_limits<Index>::max() / 4;

inline double scale_for(std::optional<double> given, Index length) {
  return given ? *given : 1 / std::sqrt(static_cast<double>(length));
}

inline Span batch_of(const Layout& layout) {
  return layout.shape().first(static_cast<std::size_t>(layout.rank() - 3));
}

// The last axes as (positions, heads, elements), the ones before them as those of `batch`.
inline Layout in_batch(const Layout& layout, Span batch) {
  Dims shape = batch;
  for (int axis = layout.rank() - 3; axis < layout.rank(); ++axis) shape.push_back(layout.length(axis));
  return broadcast_to(layout, shape);
}

inline kernels::nn::HeadRows heads_of(const Tensor& x, const Layout& layout, Index offset) {
  const int last = layout.rank() - 1;
  return {x.storage->data() + (layout.offset() + offset) * x.item(), x.dtype, layout.stride(last - 1),
          layout.stride(last - 2), layout.stride(last)};
}

inline kernels::nn::AttentionMask mask_of(const Tensor& mask, const Layout& layout, Index offset) {
  const int last = layout.rank() - 1;
  return {mask.storage->data() + (layout.offset() + offset) * mask.item(), mask.dtype, layout.stride(last - 1),
          layout.stride(last - 2), layout.stride(last)};
}

// The places of all elements of the batch axes, in row-major order.
inline std::vector<Index> offsets_of(const Layout& layout, int batch_rank) {
  const SpaceOperand operand[] = {{&layout, 1}};
  const IterationSpace space = space_of(operand);
  const Index count = space.size_of_first(batch_rank);
  std::vector<Index> offsets(static_cast<std::size_t>(count));
  if (count > 0) list_offsets(space, 0, 0, batch_rank, 0, count, offsets.data());
  return offsets;
}

// Fresh memory for packed rows, the other axes in the order of `like`: heads that came interleaved within longer rows
// go back as such.
inline Tensor empty_rows_like(const Layout& like, Span shape, DType dtype) {
  const int last = like.rank() - 1;
  Dims order;
  for (const Index axis : memory_order(like)) if (axis != last) order.push_back(axis);
  order.push_back(last);
  return empty_tensor_in_order(shape, order, dtype);
}

}  // namespace strided
