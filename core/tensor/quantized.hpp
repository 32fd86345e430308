// Matrices of quantised blocks in uint8 tensors: checked, then handed to the kernels. Nothing is copied.
#pragma once

#include "kernels/quantized/quantized_blocks.hpp"
#include "tensor.hpp"

namespace strided {

using kernels::quantized::BlockKind;

// Raises unless `blocks` is uint8 of rank 2 with contiguous rows of whole blocks.
void check_blocks(const Tensor& blocks, BlockKind kind);

// The numbers of all rows, or of those at `index` (which gives the first axes of the result).
Tensor dequantized(const Tensor& blocks, BlockKind kind, DType dtype);
Tensor dequantized_rows(const Tensor& blocks, BlockKind kind, const Tensor& index, DType dtype);

// out[t] = blocks @ x[t] + bias, or out[rows[t]]; x has any number of axes before the last. `rows` and
// `bias` may be null. See kernels/quantized.hpp for what `exact` means.
void quantized_product_into(const Tensor& out, const Tensor& x, const Tensor& blocks, BlockKind kind,
                            const Tensor* rows, const Tensor* bias, bool exact);

// The rows of a float matrix as blocks, each number rounded to the nearest that the block has. For kinds of
// 32 numbers.
Tensor quantized(const Tensor& x, BlockKind kind);
// Blocks whose numbers have mean 0 and standard deviation `scale`.
Tensor random_blocks(BlockKind kind, Index rows, Index columns, double scale, std::uint64_t seed);

}  // namespace strided
