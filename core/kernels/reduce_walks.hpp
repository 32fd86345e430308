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
// and its Total, made from nothing, has
//   fold(part), value(), and settled(): no further element can change the result.
#pragma once

#include <span>
#include <vector>

#include "reduced_axes.hpp"

namespace strided {

// Elements of one result that make a part when results are side by side. Along runs it is a block.
inline constexpr Index kPartRows = 64;
inline constexpr int kRowsAtOnce = kBlocksHeld;
inline constexpr Index kNarrow = 2048;

// For operations that need no more care than their parts.
template <class Op>
struct PlainTotal {
  typename Op::Part part = Op().none();
  void fold(typename Op::Part more) { part = Op().join(part, more); }
  typename Op::Value value() const { return static_cast<typename Op::Value>(part); }
  static constexpr bool settled() { return false; }
};

// n > 0 elements side by side. They go round independent lanes, which hides the latency of `take` and lets
// the compiler use vector registers.
template <class Op>
typename Op::Part take_run(const Op& op, const std::byte* data, Index n) {
  constexpr Index kLanes = 32;
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

// One element, or several, for each of n parts: kRows rows, `row_step` bytes apart.
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
      typename Op::Part sum = to[c];
      for (int r = 0; r < kRows; ++r) sum = op.take(sum, element<typename Op::Element>(row[r], c));
      to[c] = sum;
    }
  }
}

// total.size() results side by side, `stride` bytes apart in the input.
template <class Op>
void reduce_side_by_side(const Op& op, BlockReader& reader, const Plan& swept, std::byte* in,
                         Index stride, std::span<typename Op::Total> total) {
  std::vector<typename Op::Part> part(total.size(), op.none());
  const Index n = static_cast<Index>(part.size());
  const Index row_step = swept.inner_stride(0);
  Index taken = 0;  // rows, since the last fold
  const auto fold = [&] {
    for (std::size_t c = 0; c < part.size(); ++c) total[c].fold(part[c]);
    std::fill(part.begin(), part.end(), op.none());
    taken = 0;
  };
  for_each_row(swept, &in, [&](std::byte* const* first) {
    const std::byte* row = first[0];
    Index left = swept.inner_length();
    // Parts that do not fit the first-level cache are fetched once for several rows.
    for (; n > kNarrow && left >= kRowsAtOnce; left -= kRowsAtOnce, row += kRowsAtOnce * row_step) {
      take_rows<kRowsAtOnce>(op, reader, row, row_step, stride, part.data(), n);
      if ((taken += kRowsAtOnce) >= kPartRows) fold();
    }
    for (; left > 0; --left, row += row_step) {
      take_rows<1>(op, reader, row, row_step, stride, part.data(), n);
      if (++taken >= kPartRows) fold();
    }
  });
  fold();
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
  for_each_block(axes, kColumns, out, in, [&](Index n, std::byte* from, std::byte* to) {
    std::vector<typename Op::Total> total(static_cast<std::size_t>(n));
    reduce_side_by_side(op, reader, axes.swept, from, stride, std::span(total));
    for (Index first = 0; first < n; first += kBlock) {
      const Index length = std::min(kBlock, n - first);
      for (Index c = 0; c < length; ++c) values[c] = total[static_cast<std::size_t>(first + c)].value();
      write_results(length, to + first * axes.kept.inner_stride(1), axes, out, values, result);
    }
  });
}

}  // namespace strided
