#include "attention.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "attention_rows.hpp"
#include "kernels/convert/packed.hpp"
#include "layout/bounds.hpp"

namespace strided::kernels::nn {
namespace {

constexpr Index kMaskBlock = 256;  // numbers of a mask that are converted at a time: 2 KiB of stack

// Adds what the mask says about keys [key, key + n) to their scores.
void add_mask(const AttentionMask& mask, Index query, Index head, Index key, Index n, std::byte* scores,
              DType compute) {
  const Index item = itemsize(mask.dtype), size = itemsize(compute), key_step = scaled(mask.key, item, 1);
  const std::byte* at = mask.data + (query * mask.query + head * mask.head + key * mask.key) * item;
  const Loop add = loops().elementwise[static_cast<int>(Op::Add)][static_cast<int>(compute)];
  alignas(64) std::byte packed[kMaskBlock * 8];
  for (Index i = 0; i < n; i += kMaskBlock) {
    const Index count = std::min(kMaskBlock, n - i);
    convert::elements(mask.dtype, at + i * key_step, key_step, compute, packed, size, count);
    if (mask.dtype == DType::Bool) {
      // log(1) = 0, log(0) = -infinity
      const Loop log = loops().elementwise[static_cast<int>(Op::Log)][static_cast<int>(compute)];
      std::byte* const places[] = {packed, packed};
      const Index steps[] = {size, size};
      log(count, places, steps);
    }
    std::byte* const places[] = {scores + i * size, scores + i * size, packed};
    const Index steps[] = {size, size, size};
    add(count, places, steps);
  }
}

}  // namespace

KeyRange visible_keys(const AttentionShape& shape, const AttentionSequence& sequence, Index query) {
  const Index end = std::clamp<Index>(sequence.before + query + 1, 0, sequence.keys);
  return {std::max<Index>(0, end - shape.window), end};
}

KeyRange AttentionRows::visible() const {
  return {visible_keys(shape, sequence, first).begin, visible_keys(shape, sequence, first + count - 1).end};
}

void AttentionRows::read_queries(std::byte* to) const {
  const ModelLoops& table = loops().model[shape.compute == DType::Float64];
  const HeadRows& query = sequence.query;
  const Index size = itemsize(shape.compute);
  for (Index row = 0; row < rows(); ++row, to += shape.length * size) {
    const std::byte* const from = query.at(query_of(row), head_of(row));
    convert::elements(query.dtype, from, query.step(), shape.compute, to, size, shape.length);
    table.scale(shape.length, to, shape.scale, nullptr, to);
  }
}

void AttentionRows::write_result(Index row, std::byte* sums, double total) const {
  const HeadRows& out = sequence.out;
  loops().model[shape.compute == DType::Float64].scale(shape.value_length, sums, total == 0 ? 0 : 1 / total,
                                                    nullptr, sums);
  convert::elements(shape.compute, sums, itemsize(shape.compute), out.dtype, out.at(query_of(row), head_of(row)),
                out.step(), shape.value_length);
}

double softmax_block(const AttentionRows& rows, Index row, Index begin, Index n, std::byte* scores,
              SoftmaxState& state) {
  const ModelLoops& table = loops().model[rows.shape.compute == DType::Float64];
  const Index size = itemsize(rows.shape.compute);
  const KeyRange visible = rows.visible(row);
  const Index first = std::clamp<Index>(visible.begin - begin, 0, n);
  const Index end = std::clamp<Index>(visible.end - begin, first, n), count = end - first;
  std::memset(scores, 0, static_cast<std::size_t>(first * size));
  std::memset(scores + end * size, 0, static_cast<std::size_t>((n - end) * size));
  if (count == 0) return 1;
  std::byte* const own = scores + first * size;
  const AttentionMask& mask = rows.sequence.mask;
  if (mask.data != nullptr) {
    add_mask(mask, rows.query_of(row), rows.head_of(row), begin + first, count, own, rows.shape.compute);
  }
  const double before = state.largest;
  state.largest = std::max(before, table.largest(count, own));
  // Scores that are all -infinity have no weight; their distance from the largest would be NaN.
  const bool none = state.largest == -std::numeric_limits<double>::infinity();
  const double factor = none || before == state.largest ? 1 : std::exp(before - state.largest);
  state.total = state.total * factor + table.exp_shifted(count, own, none ? 0 : state.largest, own);
  return factor;
}

IterationSpace space_of_attention(const AttentionShape& shape, std::span<const AttentionSequence* const> sequences) {
  const AttentionSequence& longest = **std::ranges::max_element(sequences, {}, [](const AttentionSequence* sequence) {
    return sequence->count * sequence->keys;
  });
  HeadRows key{nullptr, shape.compute, 0, 0, 0}, value = key;
  if (!longest.segments.empty()) key = longest.segments[0].key, value = longest.segments[0].value;
  const HeadRows* const operands[] = {&longest.out, &longest.query, &key, &value};
  IterationSpace space(4);
  // What each operand steps by along an axis, in bytes; keys and values have fewer heads, and no queries.
  const auto add = [&](Index length, Role role, auto&& stride_of) {
    Index steps[4];
    for (int k = 0; k < 4; ++k) steps[k] = scaled(stride_of(*operands[k], k >= 2), itemsize(operands[k]->dtype), 1);
    space.add_axis(length, role, steps);
  };
  add(static_cast<Index>(sequences.size()), Role::Map, [](const HeadRows&, bool) { return Index{0}; });
  add(shape.key_heads, Role::Map, [&](const HeadRows& rows, bool keyed) {
    return keyed ? rows.head : scaled(rows.head, shape.group(), 1);
  });
  add(shape.group(), Role::Row, [](const HeadRows& rows, bool keyed) { return keyed ? 0 : rows.head; });
  add(longest.count, Role::Row, [](const HeadRows& rows, bool keyed) { return keyed ? 0 : rows.row; });
  add(longest.keys, Role::Inner, [](const HeadRows& rows, bool keyed) { return keyed ? rows.row : 0; });
  return space;
}

PlanRecord record_of_attention(const char* operation, const AttentionShape& shape,
                               std::span<const AttentionSequence* const> sequences, Index chunks, std::string tiles,
                               const InnerLoops& named) {
  return {operation, space_of_attention(shape, sequences), named.names(), chunks, std::move(tiles)};
}

InnerLoops softmax_loops(const AttentionShape& shape, const AttentionSequence& sequence) {
  const ModelLoops& table = loops().model[shape.compute == DType::Float64];
  InnerLoops named(shape.compute);
  named.table(table.largest, table.exp_shifted, table.scale).read(sequence.query.dtype, sequence.query.step());
  if (sequence.mask.data != nullptr) {
    named.elementwise({Op::Add}).read(sequence.mask.dtype, scaled(sequence.mask.key, itemsize(sequence.mask.dtype), 1));
    if (sequence.mask.dtype == DType::Bool) named.elementwise({Op::Log});
  }
  return named;
}

void attention(const AttentionShape& shape, std::span<const AttentionSequence> sequences) {
  std::vector<const AttentionSequence*> few, many;
  for (const AttentionSequence& sequence : sequences) {
    if (sequence.count == 0) continue;
    (sequence.count * shape.group() <= kFewRows ? few : many).push_back(&sequence);
  }
  if (!few.empty()) attend_few(shape, few);
  if (!many.empty()) attend_many(shape, many);
}

}  // namespace strided::kernels::nn
