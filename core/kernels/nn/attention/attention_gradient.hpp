// The backward pass of attention: from the gradient of the results to those of queries, keys and values.
//
// The weights are computed again, some queries at a time with all keys that are visible to them (T. Dao et al.,
// "FlashAttention", 2022). So only the inputs are kept, and memory holds one block of weights at a time.
#pragma once

#include "attention.hpp"

namespace strided::kernels::nn {

// One sequence of queries and their keys. The results are of dtype shape.compute, with packed rows; those of
// keys and values are added to.
struct AttentionBackward {
  AttentionSequence forward;  // of one segment; `out` is the gradient of the result
  HeadRows to_query, to_key, to_value;
};

// Raises OutOfMemory.
void attention_gradient(const AttentionShape& shape, std::span<const AttentionBackward> sequences);

}  // namespace strided::kernels::nn
