// The way back through attention: from the gradient of the results to those of queries, keys and values.
//
// The weights are computed anew, some queries at a time with all keys that they see (T. Dao et al.,
// "FlashAttention", 2022), so nothing but the inputs is kept, and no more than a block of weights is ever
// there.
#pragma once

#include "attention.hpp"

namespace strided::kernels::nn {

// One sequence of queries and their keys. The results are lanes (shape.lane) whose elements lie side by
// side; those of keys and values are added to.
struct AttentionBack {
  Index count, keys, before;  // as in AttentionSequence
  HeadRows query, key, value, g;
  AttentionMask mask;
  HeadRows to_query, to_key, to_value;
};

// Raises OutOfMemory.
void attention_gradient(const AttentionShape& shape, std::span<const AttentionBack> sequences);

}  // namespace strided::kernels::nn
