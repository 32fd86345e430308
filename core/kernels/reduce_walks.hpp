// The two walks of a reduction, for any operation.
//
// Elements are first taken into parts, a limited number each, and parts are folded into totals. So a
// total may spend more care on accuracy at no cost per element.
//
// An operation `Op` has
//   Element, Part, Total, Value    types: computed with, per part, per result, of the result
//   none()                         the part that no element was taken into
//   take(part, element)            one more element
//   join(part, part)               two parts of one result; the order must not matter
//   kLanes                         parts that a run of elements is spread over
// and its Total, made from nothing, has
//   fold(part), value(), and settled(): no further element can change the result.
#pragma once

#include <vector>

#include "reduced_axes.hpp"

namespace strided {

// Elements of one result that make a part when results are side by side. Along runs it is a block.
inline constexpr Index kPartRows = 64;
// Parts of more results than this leave the first-level cache, so each is fetched once for several rows.
// With fewer, rows are short, and reading several at a time would only confuse the prefetcher.
inline constexpr Index kNarrow = 2048;
inline constexpr int kRowsAtOnce = kBlocksHeld;

// For operations that need no more care than their parts.
template <class Op>
struct PlainTotal {
  typename Op::Part part = Op().none();
  void fold(typename Op::Part more) { part = Op().join(part, more); }
  typename Op::Value value() const { return static_cast<typename Op::Value>(part); }
  static constexpr bool settled() { return false; }
};

// n > 0 elements side by side. They go round independent lanes, which hides the latency of `take` and lets
// the compiler use vector instructions.
template <class Op>
typename Op::Part take_run(const Op& op, const std::byte* data, Index n) {
  constexpr Index kLanes = Op::kLanes;
  typename Op::Part part[kLanes];
  Index lanes = std::min(kLanes, n);
  std::fill_n(part, lanes, op.none());
  Index i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    for (Index lane = 0; lane < kLanes; ++lane) {
      part[lane] = op.take(part[lane], element<typename Op::Element>(data, i + lane));
    }
  }
  for (Index lane = 0; i < n; ++i, ++lane) {
    part[lane] = op.take(part[lane], element<typename Op::Element>(data, i));
  }
  while (lanes > 1) {
    const Index half = lanes / 2;
    lanes -= half;
    for (Index lane = 0; lane < half; ++lane) part[lane] = op.join(part[lane], part[lane + lanes]);
  }
  return part[0];
}

// One result: all swept elements, run by run.
template <class Op>
typename Op::Value reduce_along_runs(const Op& op, BlockReader& reader, const Plan& swept,
                                     std::byte* in) {
  typename Op::Total total;
  const Index length = swept.inner_length();
  const Index stride = swept.inner_stride(0);
  for_each_row(swept, &in, [&](std::byte* const* row) {
    for (Index first = 0; first < length && !total.settled(); first += kBlock) {
      const Index n = std::min(kBlock, length - first);
      total.fold(take_run(op, reader.read(row[0] + first * stride, stride, n), n));
    }
  });
  return total.value();
}

// kRows more elements for each of n parts: rows are `row_step` bytes apart, their elements `stride`.
template <int kRows, class Op>
void take_rows(const Op& op, BlockReader& reader, const std::byte* rows, Index row_step,
               Index stride, typename Op::Part* part, Index n) {
  for (Index first = 0; first < n; first += kBlock) {
    const Index length = std::min(kBlock, n - first);
    const std::byte* row[kRows];
    for (int r = 0; r < kRows; ++r) {
      row[r] = reader.read(rows + r * row_step + first * stride, stride, length, r);
    }
    auto* __restrict to = part + first;
    for (Index c = 0; c < length; ++c) {
      typename Op::Part held = to[c];
      for (int r = 0; r < kRows; ++r) held = op.take(held, element<typename Op::Element>(row[r], c));
      to[c] = held;
    }
  }
}

// What is kept for results that are made side by side.
template <class Op>
struct SideBySide {
  std::vector<typename Op::Part> part;
  std::vector<typename Op::Total> total;
  Index n = 0;      // of both in use
  Index taken = 0;  // rows, since the last fold

  explicit SideBySide(Index longest) : part(static_cast<std::size_t>(longest)), total(part.size()) {}

  void begin(const Op& op, Index columns) {
    n = columns;
    std::fill_n(total.begin(), n, typename Op::Total());
    clear_parts(op);
  }
  void fold(const Op& op) {
    for (Index c = 0; c < n; ++c) total[c].fold(part[c]);
    clear_parts(op);
  }
  void clear_parts(const Op& op) {
    std::fill_n(part.begin(), n, op.none());
    taken = 0;
  }
};

// columns.n results side by side, `stride` bytes apart in the input.
template <class Op>
void reduce_side_by_side(const Op& op, BlockReader& reader, const Plan& swept, std::byte* in,
                         Index stride, SideBySide<Op>& columns) {
  const Index row_step = swept.inner_stride(0);
  const auto take = [&]<int kRows>(const std::byte* rows) {
    take_rows<kRows>(op, reader, rows, row_step, stride, columns.part.data(), columns.n);
    if ((columns.taken += kRows) >= kPartRows) columns.fold(op);
  };
  for_each_row(swept, &in, [&](std::byte* const* first) {
    const Index rows = swept.inner_length();
    Index i = 0;
    if (columns.n > kNarrow) {
      for (; i + kRowsAtOnce <= rows; i += kRowsAtOnce) {
        take.template operator()<kRowsAtOnce>(first[0] + i * row_step);
      }
    }
    for (; i < rows; ++i) take.template operator()<1>(first[0] + i * row_step);
  });
  columns.fold(op);
}

// `compute` is the dtype of Op::Element, `result` that of Op::Value.
template <class Op>
void reduce_with(const Op& op, DType compute, DType result, const ReducedAxes& axes,
                 const Operand& out, const Operand& in) {
  BlockReader reader(in.dtype, compute);
  const Index stride = axes.kept.inner_stride(0);
  typename Op::Value values[kBlock];
  if (axes.along_runs) {
    for_each_block(axes, kBlock, out, in, [&](Index n, std::byte* from, std::byte* to) {
      for (Index c = 0; c < n; ++c) {
        values[c] = reduce_along_runs(op, reader, axes.swept, from + c * stride);
      }
      write_results(n, to, axes, out, values, result);
    });
    return;
  }
  SideBySide<Op> columns(std::min(kColumns, axes.kept.inner_length()));
  for_each_block(axes, kColumns, out, in, [&](Index n, std::byte* from, std::byte* to) {
    columns.begin(op, n);
    reduce_side_by_side(op, reader, axes.swept, from, stride, columns);
    for (Index first = 0; first < n; first += kBlock) {
      const Index length = std::min(kBlock, n - first);
      for (Index c = 0; c < length; ++c) values[c] = columns.total[first + c].value();
      write_results(length, to + first * axes.kept.inner_stride(1), axes, out, values, result);
    }
  });
}

}  // namespace strided
