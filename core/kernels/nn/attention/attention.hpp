// Attention: every query's mean of the values, weighted by how well their keys fit.
//
// The weights of a query are softmax(scale * query . keys) over the keys that it sees. They are never all
// there at once: keys come in blocks, and what was added up before is scaled when a larger score turns up
// (T. Dao et al., "FlashAttention", 2022; M. Milakov and N. Gimelshein, "Online normalizer calculation for
// softmax", 2018). The blocks do not depend on the number of threads, so neither does the result.
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

// Queries that see the same keys.
struct AttentionSequence {
  Index count;           // of queries
  HeadRows query, out;
  std::span<const AttentionSegment> segments;
  Index keys;            // in all segments
  Index before;          // query i sees keys 0 .. before + i
  AttentionMask mask;
};

struct AttentionShape {
  Index heads, key_heads;             // query head j reads key head j / (heads / key_heads)
  Index length, value_length;         // of a query and a key; of a value and a result
  double scale;
  Index window;                       // how many of the keys it could see a query sees, the last ones
  DType lane;                         // float32 or float64

  Index group() const { return heads / key_heads; }
};

// The keys that query i of a sequence sees.
struct KeyRange {
  Index begin, end;
};
KeyRange seen_by(const AttentionShape& shape, const AttentionSequence& sequence, Index query);

// Writes each sequence's `out`, which overlaps no input. A query that sees no key becomes 0. Raises
// OutOfMemory.
void attention(const AttentionShape& shape, std::span<const AttentionSequence> sequences);

}  // namespace strided::kernels::nn
