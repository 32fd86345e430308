// Attention: softmax(scale * query . keys) @ values, over the keys that are visible to a query.
//
// The weights of a query are never all in memory: keys come in blocks, and what was added up before is scaled when a
// larger score turns up (online softmax: T. Dao et al., "FlashAttention", 2022; M. Milakov and N. Gimelshein, "Online
// normalizer calculation for softmax", 2018). The blocks do not depend on the number of threads, so neither does the
// result.
#pragma once

#include <cstddef>
#include <span>

#include "dtype/dtype.hpp"
#include "layout/bounds.hpp"

namespace strided::kernels::nn {

// Where rows of several heads lie: strides in elements.
struct HeadRows {
  std::byte* data;
  DType dtype;
  Index row, head, element;

  std::byte* at(Index i, Index h) const { return data + (i * row + h * head) * itemsize(dtype); }
  Index step() const { return scaled(element, itemsize(dtype), 1); }
};

// A run of keys and their values.
struct AttentionSegment {
  HeadRows key, value;
  Index count;
};

// What is added to the scores: numbers, or (bool) -infinity where it is false. Strides in elements.
struct AttentionMask {
  const std::byte* data = nullptr;  // null: none
  DType dtype = DType::Bool;
  Index query = 0, head = 0, key = 0;
};

// Queries with the same keys.
struct AttentionSequence {
  Index count;           // of queries
  HeadRows query, out;
  std::span<const AttentionSegment> segments;
  Index keys;            // in all segments
  Index before;          // keys 0 .. before + i are visible to query i
  AttentionMask mask;
};

struct AttentionShape {
  Index heads, key_heads;             // query head j reads key head j / (heads / key_heads)
  Index length, value_length;         // of a query and a key; of a value and a result
  double scale;
  Index window;                       // how many keys are visible to a query at most, the last ones
  DType compute;                      // float32 or float64

  Index group() const { return heads / key_heads; }
};

// The keys that are visible to query i of a sequence.
struct KeyRange {
  Index begin, end;
};
KeyRange visible_keys(const AttentionShape& shape, const AttentionSequence& sequence, Index query);

// Writes each sequence's `out`, which overlaps no input. Without visible keys it is 0. Raises
// OutOfMemory.
void attention(const AttentionShape& shape, std::span<const AttentionSequence> sequences);

}  // namespace strided::kernels::nn
