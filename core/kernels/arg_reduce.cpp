// Where the first smallest or largest element is. Memory is walked in the order in which it lies, so
// "first" is decided by comparing positions, not by who comes earlier.
#include <limits>

#include "extreme.hpp"
#include "reduce.hpp"

namespace strided {
namespace {

constexpr Index kNowhere = std::numeric_limits<Index>::max();
constexpr Index kOrigin[] = {0, 0};  // of the swept plan: in, position

template <class T>
bool same(T a, T b) { return a == b || (a != a && b != b); }

// One result. The extreme of a block is found without asking where; only a block that holds a better
// one, or the same once more, is searched for it.
template <class Op>
Index find_along_runs(const Op& op, BlockReader& reader, const Plan& swept, const std::byte* in) {
  using T = typename Op::Element;
  T best = op.none();
  Index where = kNowhere;
  const Index length = swept.inner_length();
  const Index stride = swept.inner_stride(0);
  for_each_row(swept, kOrigin, [&](const Index* row) {
    for (Index first = 0; first < length; first += kBlock) {
      const Index n = std::min(kBlock, length - first);
      const std::byte* block = reader.read(in + row[0] + first * stride, stride, n);
      const T extreme = take_run(op, block, n);
      if (!same(extreme, op.join(best, extreme))) continue;
      if (!same(extreme, best)) where = kNowhere;
      best = extreme;
      for (Index i = 0; i < n; ++i) {
        const Index position = row[1] + (first + i) * swept.inner_stride(1);
        if (same(element<T>(block, i), best)) where = std::min(where, position);
      }
    }
  });
  return where;
}

// One more element, all at the same position, for each of n results.
template <class Op, class T = typename Op::Element>
void take_row(const Op& op, const std::byte* __restrict row, Index position, Index n,
              T* __restrict best, Index* __restrict where) {
  for (Index c = 0; c < n; ++c) {
    const T x = element<T>(row, c);
    const T winner = op.join(best[c], x);
    const bool moves = same(x, winner) && (!same(best[c], winner) || position < where[c]);
    best[c] = winner;
    where[c] = moves ? position : where[c];
  }
}

// n <= kBlock results side by side, `stride` bytes apart in the input.
template <class Op>
void find_side_by_side(const Op& op, BlockReader& reader, const Plan& swept, const std::byte* in,
                       Index stride, Index n, Index* where) {
  typename Op::Element best[kBlock];
  std::fill_n(best, n, op.none());
  std::fill_n(where, n, kNowhere);
  for_each_row(swept, kOrigin, [&](const Index* first) {
    for (Index i = 0; i < swept.inner_length(); ++i) {
      const std::byte* row = reader.read(in + first[0] + i * swept.inner_stride(0), stride, n);
      take_row(op, row, first[1] + i * swept.inner_stride(1), n, best, where);
    }
  });
}

template <class Op>
void find_with(const Op& op, DType compute, const ReducedAxes& axes, const Operand& out,
               const Operand& in) {
  BlockReader reader(in.dtype, compute);
  const Index stride = axes.kept.inner_stride(0);
  for_each_block(axes, kBlock, out, in, [&](Index n, std::byte* from, std::byte* to) {
    Index where[kBlock];
    if (axes.along_runs) {
      for (Index c = 0; c < n; ++c) {
        where[c] = find_along_runs(op, reader, axes.swept, from + c * stride);
      }
    } else {
      find_side_by_side(op, reader, axes.swept, from, stride, n, where);
    }
    write_results(n, to, axes, out, where, DType::Int64);
  });
}

}  // namespace

void arg_reduce(bool largest, const Operand& out, const Operand& in) {
  const DType compute = ordered_dtype(in.dtype);
  if (out.layout->size() == 0) return;
  const ReducedAxes axes = split_axes(out, in, Positions::Needed);
  require_elements(axes, in);
  visit_ordered(compute, [&]<class T>(Type<T>) {
    if (largest) find_with(Extreme<T, true>(), compute, axes, out, in);
    else find_with(Extreme<T, false>(), compute, axes, out, in);
  });
}

}  // namespace strided
