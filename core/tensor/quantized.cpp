#include "quantized.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "assign.hpp"
#include "errors.hpp"
#include "dtype/element.hpp"
#include "kernels/quantized/quantize.hpp"
#include "kernels/quantized/quantized_product.hpp"
#include "layout/reshape.hpp"
#include "plan/walk.hpp"
#include "targets.hpp"

namespace strided {

namespace {

using kernels::quantized::BlockFormat;
using kernels::quantized::BlockMatrix;
using kernels::quantized::format_of;

constexpr const char* kProduct = "quantized product";

void require_floats(const Tensor& x, const char* what) {
  if (is_floating(x.dtype)) return;
  throw errors::dtype_mismatch(kProduct, std::string(name_of(x.dtype)),
                               std::string(what) + " must have a float dtype", "x.to(strided.float32)");
}

BlockMatrix block_matrix(const Tensor& blocks, BlockKind kind) {
  check_blocks(blocks, kind);
  const BlockFormat& format = format_of(kind);
  const Index columns = blocks.layout.length(1) / format.bytes * format.numbers;
  return {blocks.data(), kind, blocks.layout.length(0), columns, blocks.layout.stride(0)};
}

Matrix matrix_of(const Tensor& x, const Layout& layout) {
  return {x.storage->data() + layout.byte_offset(x.item()), x.dtype, layout.length(0),
          layout.length(1),                               layout.stride(0), layout.stride(1)};
}

// All axes but the last as one.
Layout as_rows(const Layout& layout) {
  if (layout.rank() == 2) return layout;
  return reshaped(layout, Dims{layout.size() / std::max<Index>(1, layout.length(layout.rank() - 1)),
                               layout.length(layout.rank() - 1)});
}

// The result as rows of n: either its last axis has them, or all axes behind the first do.
Layout result_rows(const Layout& layout, Index n, bool placed) {
  if (layout.rank() == 2) return layout;
  const bool by_last = layout.rank() == 1 || (!placed && layout.length(layout.rank() - 1) == n);
  return by_last ? as_rows(layout) : flattened(layout, 1, layout.rank() - 1);
}

std::vector<Index> positions_in(const Tensor& index, Index length) {
  if (!is_integral(index.dtype)) {
    throw errors::dtype_mismatch("rows", std::string(name_of(index.dtype)), "positions are integers",
                                 "index.to(strided.int64)");
  }
  std::vector<Index> positions;
  positions.reserve(static_cast<std::size_t>(index.layout.size()));
  const SpaceOperand operands[] = {{&index.layout, index.item()}};
  const IterationSpace space = space_of(operands);
  std::byte* const storage = index.storage->data();
  for_each_position(space, &storage, space.rank(), 0, index.layout.size(), [&](std::byte* const* places) {
    const Index position = visit(index.dtype, [&]<class T>(Type<T>) -> Index {
      if constexpr (std::is_integral_v<T>) return static_cast<Index>(load<T>(places[0]));
      else return 0;
    });
    positions.push_back(normal_index(position, length, 0));
  });
  return positions;
}

}  // namespace

void check_blocks(const Tensor& blocks, BlockKind kind) {
  const Layout& layout = blocks.layout;
  const BlockFormat& format = format_of(kind);
  const std::string name(format.name);
  if (blocks.dtype != DType::UInt8) {
    throw errors::dtype_mismatch("QuantizedMatrix", std::string(name_of(blocks.dtype)), "blocks are bytes",
                                 "blocks.view(strided.uint8)");
  }
  if (layout.rank() != 2) {
    throw errors::invalid_argument("blocks", text_of(layout.shape()),
                                   "must have two axes: rows, and the bytes of a row");
  }
  if (layout.length(1) % format.bytes != 0) {
    throw errors::invalid_argument("blocks", std::to_string(layout.length(1)) + " bytes in a row",
                                   "must be a multiple of " + std::to_string(format.bytes) +
                                       ": so many bytes has a block of " + name);
  }
  if (layout.length(1) > 1 && layout.stride(1) != 1) {
    throw errors::invalid_argument("blocks", "stride " + std::to_string(layout.stride(1)) + " along a row",
                                   "must be 1: blocks.contiguous()");
  }
}

Tensor dequantized(const Tensor& blocks, BlockKind kind, DType dtype) {
  const BlockMatrix from = block_matrix(blocks, kind);
  Tensor out = empty_tensor(Dims{from.rows, from.columns}, dtype);
  kernels::quantized::dequantize(matrix_of(out, out.layout), from);
  return out;
}

Tensor dequantized_rows(const Tensor& blocks, BlockKind kind, const Tensor& index, DType dtype) {
  const BlockMatrix from = block_matrix(blocks, kind);
  const std::vector<Index> positions = positions_in(index, from.rows);
  Dims shape;
  for (const Index length : index.layout.shape()) shape.push_back(length);
  shape.push_back(from.columns);
  checked_rank(static_cast<std::size_t>(shape.size()));
  Tensor out = empty_tensor(shape, dtype);
  const auto rows = static_cast<Index>(positions.size());
  kernels::quantized::dequantize({out.data(), dtype, rows, from.columns, from.columns, 1}, from, positions.data());
  return out;
}

void quantized_product_into(const Tensor& out, const Tensor& x, const Tensor& blocks, BlockKind kind,
                            const Tensor* rows, const Tensor* bias, bool exact) {
  const BlockMatrix a = block_matrix(blocks, kind);
  require_floats(x, "activations");
  require_floats(out, "out");
  const int last = x.layout.rank() - 1;
  if (last < 0 || x.layout.length(last) != a.columns) {
    throw errors::shape_mismatch(kProduct, Dims{a.rows, a.columns}, x.layout.shape(),
                                 "the last axis of x must be as long as the rows of the matrix");
  }
  const Layout x_rows = as_rows(x.layout);
  if (out.layout.rank() == 0) throw errors::shape_mismatch(kProduct, Dims{x_rows.length(0), a.rows}, {}, "");
  const Layout out_rows = result_rows(out.layout, a.rows, rows != nullptr);
  std::vector<Index> places;
  if (rows != nullptr) {
    require_shape(kProduct, Dims{x_rows.length(0)}, rows->layout.shape(),
                  "rows must name a row of out for each row of x");
    require_shape(kProduct, Dims{out_rows.length(0), a.rows}, out_rows.shape(),
                  "out must have a column for each row of the matrix");
    places = positions_in(*rows, out_rows.length(0));
  } else {
    require_shape(kProduct, Dims{x_rows.length(0), a.rows}, out_rows.shape(), "out must have the shape of the product");
  }
  if (bias != nullptr) {
    require_floats(*bias, "bias");
    require_shape(kProduct, Dims{a.rows}, bias->layout.shape(),
                  "bias must have an element for each row of the matrix");
  }
  check_writable(out, kProduct);
  const Tensor from{x.storage, x_rows, x.dtype};
  const LayerInput own_x(&out, &from), own_blocks(&out, &blocks), own_bias(&out, bias);
  out.storage->bump_version("a quantised product");
  kernels::quantized::QuantizedProduct product{};
  product.out = matrix_of(out, out_rows);
  product.x = matrix_of(*own_x, own_x->layout);
  product.a = block_matrix(*own_blocks, kind);
  product.places = rows == nullptr ? nullptr : places.data();
  if (bias != nullptr) {
    product.bias = {own_bias->data(), own_bias->dtype, 1, a.rows, 0, own_bias->layout.stride(0)};
  }
  product.exact = exact;
  product.run();
}

Tensor quantized(const Tensor& x, BlockKind kind) {
  const BlockFormat& format = format_of(kind);
  const std::string name(format.name);
  if (!is_floating(x.dtype)) {
    throw errors::dtype_mismatch("quantize", std::string(name_of(x.dtype)), "only floats are quantised",
                                 "x.to(strided.float32)");
  }
  if (format.numbers != 32) {
    throw errors::invalid_argument("kind", "'" + name + "'", "must be Q4_0, Q4_1, Q5_0, Q5_1 or Q8_0");
  }
  if (x.layout.rank() != 2 || x.layout.length(1) % format.numbers != 0) {
    throw errors::shape_mismatch("quantize", Dims{x.layout.rank() > 0 ? x.layout.length(0) : 0, format.numbers},
                                 x.layout.shape(),
                                 "quantise a matrix whose rows are multiples of " +
                                     std::to_string(format.numbers) + " long");
  }
  const Index columns = x.layout.length(1);
  Tensor out = empty_tensor(Dims{x.layout.length(0), columns / format.numbers * format.bytes}, DType::UInt8);
  kernels::quantized::quantize(out.data(), kind, matrix_of(x, x.layout));
  return out;
}

Tensor random_blocks(BlockKind kind, Index rows, Index columns, double scale, std::uint64_t seed) {
  const BlockFormat& format = format_of(kind);
  if (columns < 0 || columns % format.numbers != 0) {
    throw errors::invalid_argument("columns", std::to_string(columns),
                                   "must be a multiple of " + std::to_string(format.numbers) +
                                       ": so many numbers has a block of " + std::string(format.name));
  }
  const Index blocks = columns / format.numbers;
  Index bytes;
  if (!multiply(blocks, format.bytes, bytes)) {
    throw errors::invalid_argument("columns", std::to_string(columns), "must fit in memory");
  }
  Tensor out = empty_tensor(Dims{rows, bytes}, DType::UInt8);
  kernels::quantized::fill_random_blocks(out.data(), kind, out.layout.size() / format.bytes, scale, seed);
  return out;
}

}  // namespace strided
