// Quantisation: blocks from floats, or random ones from a seed.
#pragma once

#include <cstdint>

#include "plan/matrix.hpp"
#include "quantized_blocks.hpp"

namespace strided::kernels::quantized {

// The rows of a float matrix with any strides, block after block; for kinds of 32 numbers, of which rows have
// a multiple.
void quantize(std::byte* to, BlockKind kind, const Matrix& from);

// Blocks with random numbers around 0, with the standard deviation `scale`. The same seed
// gives the same blocks, whatever the number of threads.
void fill_random_blocks(std::byte* to, BlockKind kind, Index blocks, double scale, std::uint64_t seed);

}  // namespace strided::kernels::quantized
