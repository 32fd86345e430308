// The rows that one key head serves, the queries of its group of heads, and the softmax of each so far.
#pragma once

#include <algorithm>
#include <limits>

#include "attention.hpp"
#include "kernels/nn/inner_loops.hpp"
#include "plan/record.hpp"
#include "run/interrupt.hpp"

namespace strided::kernels::nn {

// Row r is query first + r / group of head head * group + r % group.
struct AttentionRows {
  const AttentionShape& shape;
  const AttentionSequence& sequence;
  Index head;          // of the keys
  Index first, count;  // queries

  Index rows() const { return count * shape.group(); }
  Index query_of(Index row) const { return first + row / shape.group(); }
  Index head_of(Index row) const { return head * shape.group() + row % shape.group(); }
  KeyRange visible(Index row) const { return visible_keys(shape, sequence, query_of(row)); }
  // The keys that are visible to any row.
  KeyRange visible() const;
  // The queries, scaled, converted and packed, one row after the other.
  void read_queries(std::byte* to) const;
  // The result of a row: sums / total.
  void write_result(Index row, std::byte* sums, double total) const;
};

// Of one row: the largest score so far, and the sum of exp(score - largest).
struct SoftmaxState {
  double largest = -std::numeric_limits<double>::infinity();
  double total = 0;
};

// The scores of keys [begin, begin + n) become weights, 0 where the key is not visible. Returns by how much
// what was added up before is to be scaled.
double softmax_block(const AttentionRows& rows, Index row, Index begin, Index n, std::byte* scores,
              SoftmaxState& state);

// Calls run(segment, first, key, n) for the keys of a range, at most `most` at a time: key `key` of the
// sequence is key `first` of the segment. Between blocks it may be interrupted.
template <class Run>
void for_each_block(const AttentionSequence& sequence, KeyRange range, Index most, Run&& run) {
  Index start = 0;
  for (const AttentionSegment& segment : sequence.segments) {
    const Index end = std::min(range.end, start + segment.count);
    for (Index key = std::max(range.begin, start); key < end; key += most) {
      check_interrupt();  // a block for all rows takes a millisecond or so
      run(segment, key - start, key, std::min(most, end - key));
    }
    start += segment.count;
  }
}

// ---- the plan, in words ----

// Operands out, query, key and value. Sequences lie anywhere; of the others' lengths and steps those of the longest are
// told.
PlanRecord record_of_attention(const char* operation, const AttentionShape& shape,
                               std::span<const AttentionSequence* const> sequences, Index chunks, std::string tiles,
                               const InnerLoops& named);
// The loops that make weights of scores, and what else reads or writes an operand of the first sequence.
InnerLoops softmax_loops(const AttentionShape& shape, const AttentionSequence& sequence);
IterationSpace space_of_attention(const AttentionShape& shape, std::span<const AttentionSequence* const> sequences);

// ---- the two ways (attention_few.cpp, attention_panels.cpp) ----

// Sequences with at most this many rows per key head read keys and values as they lie; with more, they are
// packed into panels. Fixed: it decides the bits. With few rows memory sets the pace, and packing would pass it twice.
inline constexpr Index kFewRows = 16;
// Scores of a row that are computed before they become weights; with many rows a multiple of the panel width of every
// instruction set.
inline constexpr Index kBlockKeysOfFew = 128, kBlockKeysOfMany = 192;

void attend_few(const AttentionShape& shape, std::span<const AttentionSequence* const> sequences);
void attend_many(const AttentionShape& shape, std::span<const AttentionSequence* const> sequences);

}  // namespace strided::kernels::nn
