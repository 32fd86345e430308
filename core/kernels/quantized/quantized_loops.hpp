// The innermost loops over blocks of quantised weights, one set per instruction set.
//
// Products take activations as int8 too, in superblocks of 256 numbers: the integers are multiplied and added up
// as integers, scales come in once per block, sums over blocks are float32.
#pragma once

#include <cstddef>
#include <cstdint>

#include "dtype/dtype.hpp"
#include "layout/dims.hpp"
#include "quantized_blocks.hpp"

namespace strided::kernels::quantized {

// The order of activations in which 16 numbers stay where they are.
constexpr std::uint8_t kInOrder[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

// 256 activations, x = scale * number. The 16 runs of 16 numbers lie in the order in which the product
// loop of a kind wants them.
struct alignas(64) ActivationBlock {
  static constexpr Index kNumbers = 256;
  std::int8_t numbers[kNumbers];
  float scales[8];  // of 32 numbers each; all the same for kinds whose blocks have 256
  float sums[8];    // of 32 activations each, as rounded
  std::int32_t before[16];  // what sums of each group of numbers begin with; for tiles alone
};

// x: n contiguous floats, n a multiple of 32. What a last superblock lacks is filled up with zeros. A block
// that holds an infinity or NaN gets the scale NaN; below 2^-100 numbers count as zero.
using QuantizeActivations = void (*)(Index n, const float* x, const std::uint8_t* order, ActivationBlock* to);

// y[v][i] = the sum over k of a[i] * x[v], for i < rows. If a row ends within a superblock that is not its first,
// this superblock of x is that of its last 256 numbers, with zeros for those that the superblock before has.
struct QuantizedWork {
  Index rows;
  Index blocks;  // per row
  const std::byte* a;
  Index a_row;  // bytes
  Index vectors;
  const ActivationBlock* x;
  Index x_row;  // superblocks
  float* y;
  Index y_row;  // floats
};
using QuantizedRows = void (*)(const QuantizedWork& work);

// y[v][i] for all of i < 16, where rows behind `rows` count as zeros. For many vectors.
struct QuantizedTileWork {
  static constexpr Index kRows = 16;
  // Of memory for 256 numbers of each row: the numbers, and at most 17 lines of scales and what is added.
  static constexpr Index kSuperblockBytes = 256 * kRows + 17 * 64;
  Index rows;
  Index blocks;  // per row
  const std::byte* a;
  Index a_row;  // bytes
  Index vectors;
  const ActivationBlock* x;  // numbers in their order, prepared
  Index x_row;              // superblocks
  std::byte* memory;        // aligned to 64 bytes
  float* y;
  Index y_row;  // floats
};
using QuantizedTile = void (*)(const QuantizedTileWork& work);
using PrepareActivations = void (*)(Index superblocks, ActivationBlock* x);

// The numbers of `blocks` blocks, contiguous.
using Dequantize = void (*)(Index blocks, const std::byte* from, std::byte* to);

struct QuantizedLoops {
  struct Kind {
    QuantizedRows product;
    const std::uint8_t* order;  // which 16 numbers of a superblock come first, second, ... (16 of them)
    Dequantize to_float32, to_bfloat16, to_float16;
    QuantizedTile tile;  // null where the processor has no products of bytes
    PrepareActivations prepare;
    static constexpr const char* kNames[] = {"product", "order", "to_float32", "to_bfloat16", "to_float16", "tile",
                                             "prepare"};  // for plans, in order
  };
  Kind kinds[kBlockKindCount];
  QuantizeActivations by_32, by_256;  // numbers that share a scale

  const Kind& of(BlockKind kind) const { return kinds[static_cast<int>(kind)]; }
};

}  // namespace strided::kernels::quantized
