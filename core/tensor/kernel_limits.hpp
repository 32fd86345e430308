// Numbers of rows at which kernels change, and with them the bits of results: for callers that choose how many rows
// they take together.
#pragma once

#include "layout/layout.hpp"

namespace strided {

struct KernelLimits {
  // Up to so many rows, a product with a matrix (of numbers or of blocks) goes by the kernels of few rows, which give
  // every row the bits that it gets alone.
  Index few_rows;
  // From so many rows on, products and the attention of one sequence go by the kernels of many rows.
  Index many_rows;
  // Keys and values may be cut into segments at multiples of it without changing a bit of the attention.
  Index attention_block;
};

KernelLimits kernel_limits();

}  // namespace strided
