// The two ways in which a tile of elements becomes parts of results, for any operation.
//
//   along    every row is folded into one part
//   across   every column is folded into one part, row after row
//
// An operation `Op` is a functor, made from the loop's arguments, that has
//   Element         type of an element in memory
//   Accumulator     type that is accumulated in: of one SIMD lane
//   Total           of a part that is made along
//   none            the accumulator that nothing was taken into
//   take(x)         what an element counts for: one, or a vector of them
//   join(a, b)      two accumulators, or vectors of them; the order must not matter
//   kRepeatable     taking an element twice changes nothing
//   kNarrow         accumulators overflow when joined with each other: they are added up wider
//   kPaired         elements are halves that may be added in pairs
#pragma once

#include "kernels/loop_table.hpp"
#include "simd/accumulator.hpp"

namespace strided::kernels::reduce::STRIDED_ISA {

// As long as a row and its parts fit the first-level cache, rows are taken one by one: a processor reads
// ahead best along one stream. Wider ones are taken several at once, so that each part is fetched once
// for all of them; so are all whose parts are wider than elements, as parts would be most of the traffic.
// Three quarters of 32 KB: loops of a level ask nobody outside of it, and the results are the same.
inline constexpr Index kFewBytes = 24 << 10;
inline constexpr int kRowsAtOnce = 8;  // fixed: variances add up rows in fours of these
// Then the processor is told what comes next; it does not see so many streams by itself. The same columns of
// the next rows are fetched to the second-level cache, unless that is too far off.
inline constexpr Index kAheadBytes = 256 << 10;
[[gnu::always_inline]] inline Index bytes_ahead(Index row_bytes, Index step) {
  return kRowsAtOnce * row_bytes <= kAheadBytes ? kRowsAtOnce * step : 1024;
}
template <int kRows>
[[gnu::always_inline]] inline void fetch_rows(const std::byte* at, Index step, Index ahead) {
  for (int r = 0; r < kRows; ++r) __builtin_prefetch(at + r * step + ahead, 0, 2);
}
[[gnu::always_inline]] inline bool takes_many_rows(Index bytes) { return bytes > kFewBytes; }

template <class Op>
[[gnu::always_inline]] inline auto joined(const Op& op, const Lanes<typename Op::Accumulator>& a,
                                          const Lanes<typename Op::Accumulator>& b) {
  return per_vector([&](auto x, auto y) { return op.join(x, y); }, a, b);
}

template <class Op>
[[gnu::always_inline]] inline Lanes<typename Op::Accumulator> taken_lanes(const Op& op,
                                                                   const std::byte* at) {
  const auto lanes = read_lanes<typename Op::Accumulator, typename Op::Element>(at);
  return per_vector([&](auto x) { return op.take(x); }, lanes);
}

template <class Op>
[[gnu::always_inline]] inline typename Op::Accumulator taken_one(const Op& op, const std::byte* at) {
  using T = typename Op::Element;
  using P = typename Op::Accumulator;
  const T x = load<T>(at);
  if constexpr (std::is_same_v<T, float16> || std::is_same_v<T, bfloat16>) {
    return op.take(static_cast<P>(static_cast<float>(x)));
  } else {
    return op.take(static_cast<P>(x));
  }
}

template <class Op>
[[gnu::always_inline]] inline typename Op::Total total_of(const Op& op,
                                                          const Lanes<typename Op::Accumulator>& lanes) {
  if constexpr (Op::kNarrow) return wide_sum(lanes);
  else return join_lanes(lanes, [&](auto a, auto b) { return op.join(a, b); });
}

// n elements, at least as many as there are lanes.
template <class Op>
[[gnu::always_inline]] inline typename Op::Total fold_run(const Op& op, const std::byte* row,
                                                          Index n) {
  using P = typename Op::Accumulator;
  constexpr Index kSize = sizeof(typename Op::Element);
  constexpr Index kCount = Lanes<P>::kCount;
  constexpr int kStreams = 4;  // as many additions as are under way at once; fixed: it decides the bits
  const auto at = [&](Index i) { return taken_lanes(op, row + i * kSize); };
  // The k-th stream's next elements.
  constexpr Index kEach = Op::kPaired ? 2 * kCount : kCount;
  const auto next = [&](Index i, int k) {
    const std::byte* const from = row + (i + k * kEach) * kSize;
    if constexpr (Op::kPaired) return read_pairs<typename Op::Element>(from, from + kCount * kSize);
    else return taken_lanes(op, from);
  };
  Lanes<P> a;
  Index i = 0;
  typename Op::Total others = 0;
  if (n < kStreams * kEach) {
    a = at(0);
    i = kCount;
  } else {
    a = next(0, 0);
    Lanes<P> b = next(0, 1), c = next(0, 2), d = next(0, 3);
    for (i = kStreams * kEach; i + kStreams * kEach <= n; i += kStreams * kEach) {
      a = joined(op, a, next(i, 0));
      b = joined(op, b, next(i, 1));
      c = joined(op, c, next(i, 2));
      d = joined(op, d, next(i, 3));
    }
    if constexpr (Op::kNarrow) {
      others = static_cast<typename Op::Total>(total_of(op, b) + total_of(op, c) + total_of(op, d));
    } else {
      a = joined(op, joined(op, a, b), joined(op, c, d));
    }
  }
  for (; i + kCount <= n; i += kCount) a = joined(op, a, at(i));
  if (i < n) {  // the last lanes once more, without those that were taken
    const Lanes<P> last = at(n - kCount);
    a = joined(op, a, Op::kRepeatable ? last : lanes_from(i - (n - kCount), last, op.none));
  }
  if constexpr (Op::kNarrow) return static_cast<typename Op::Total>(total_of(op, a) + others);
  else return total_of(op, a);
}

template <class Op>
[[gnu::always_inline]] inline typename Op::Total fold_few(const Op& op, const std::byte* row,
                                                          Index n) {
  using Total = typename Op::Total;
  constexpr Index kSize = sizeof(typename Op::Element);
  Total total = static_cast<Total>(taken_one(op, row));
  for (Index i = 1; i < n; ++i) {
    const auto x = static_cast<Total>(taken_one(op, row + i * kSize));
    if constexpr (Op::kNarrow) total = static_cast<Total>(total + x);
    else total = op.join(total, x);
  }
  return total;
}

// ---- short rows ----

// Rows of at most this many elements are taken four at a time: four lanes of each, and one tree for all.
inline constexpr Index kShortRun = 32;

template <class Op>
using FourLanes = Vector<typename Op::Accumulator, 4>;

// Lanes first .. last - 1; nothing in the others.
template <class Op>
[[gnu::always_inline]] inline FourLanes<Op> lanes_between(const Op& op, FourLanes<Op> lanes, Index first,
                                                          Index last) {
  using Number = SignedOf<typename Op::Accumulator>;
  const Vector<Number, 4> place{0, 1, 2, 3};
  const auto out = (place < static_cast<Number>(first)) | (place >= static_cast<Number>(last));
  return out ? FourLanes<Op>{} + op.none : lanes;
}

template <class Op>
[[gnu::always_inline]] inline FourLanes<Op> four_lanes(const Op& op, const std::byte* row, Index n) {
  constexpr Index kSize = sizeof(typename Op::Element);
  const auto at = [&](Index i) {
    return op.take(read_vector<typename Op::Accumulator, typename Op::Element, 4>(row + i * kSize));
  };
  if (n < 4) return lanes_between(op, at(0), 0, n);  // reads on behind the row
  FourLanes<Op> lanes = at(0);
  Index i = 4;
  for (; i + 4 <= n; i += 4) lanes = op.join(lanes, at(i));
  if (i == n) return lanes;
  // The last four once more, without those that were taken.
  return op.join(lanes, Op::kRepeatable ? at(n - 4) : lanes_between(op, at(n - 4), 4 - (n - i), 4));
}

// The four results of four rows, each joined as (0 with 1) with (2 with 3).
template <class Op>
[[gnu::always_inline]] inline FourLanes<Op> joined_rows(const Op& op, FourLanes<Op> a, FourLanes<Op> b,
                                                        FourLanes<Op> c, FourLanes<Op> d) {
  const auto ab = op.join(__builtin_shufflevector(a, b, 0, 4, 2, 6),
                          __builtin_shufflevector(a, b, 1, 5, 3, 7));
  const auto cd = op.join(__builtin_shufflevector(c, d, 0, 4, 2, 6),
                          __builtin_shufflevector(c, d, 1, 5, 3, 7));
  return op.join(__builtin_shufflevector(ab, cd, 0, 1, 4, 5),
                 __builtin_shufflevector(ab, cd, 2, 3, 6, 7));
}

// The same for rows of two elements, which are adjacent; `pairs` is where they begin.
template <class Op>
[[gnu::always_inline]] inline FourLanes<Op> joined_pairs(const Op& op, const std::byte* pairs) {
  constexpr Index kBytes = 4 * sizeof(typename Op::Element);
  const auto at = [&](Index bytes) {
    return op.take(read_vector<typename Op::Accumulator, typename Op::Element, 4>(pairs + bytes));
  };
  const FourLanes<Op> a = at(0), b = at(kBytes), none = FourLanes<Op>{} + op.none;
  return op.join(op.join(__builtin_shufflevector(a, b, 0, 2, 4, 6),
                         __builtin_shufflevector(a, b, 1, 3, 5, 7)), none);
}

// The same for one row, where vectors would read too far or are too narrow.
template <class Op>
[[gnu::always_inline]] inline typename Op::Accumulator fold_short(const Op& op, const std::byte* row, Index n) {
  typename Op::Accumulator four[4] = {op.none, op.none, op.none, op.none};
  const auto at = [&](Index i) {
    return taken_one(op, row + i * static_cast<Index>(sizeof(typename Op::Element)));
  };
  for (Index i = 0; i < 4 && i < n; ++i) four[i] = at(i);
  Index i = 4;
  for (; i + 4 <= n; i += 4) {
    for (Index k = 0; k < 4; ++k) four[k] = op.join(four[k], at(i + k));
  }
  if (i < n) {
    for (Index k = Op::kRepeatable ? 0 : 4 - (n - i); k < 4; ++k) four[k] = op.join(four[k], at(n - 4 + k));
  }
  return op.join(op.join(four[0], four[1]), op.join(four[2], four[3]));
}

template <class Op>
void fold_short_rows(const Op& op, const ReduceTile& tile, typename Op::Total* total) {
  using Total = typename Op::Total;
  constexpr Index kSize = sizeof(typename Op::Element);
  const std::byte* const data = tile.data;
  const Index rows = tile.rows, n = tile.n, step = tile.step;
  Index r = 0;
  if constexpr (sizeof(FourLanes<Op>) <= kVectorBytes) {
    for (; n == 2 && step == 2 * kSize && r + 4 <= rows; r += 4) {
      const FourLanes<Op> four = joined_pairs(op, data + r * step);
      for (int k = 0; k < 4; ++k) total[r + k] = static_cast<Total>(four[k]);
    }
    // Rows of fewer than four elements read on behind their end, which must not be that of the tile.
    const Index end = (rows - 1) * step + n * kSize;
    const auto is_inside = [&](Index i) { return n >= 4 || (step > 0 && i * step + 4 * kSize <= end); };
    for (; r + 4 <= rows && is_inside(r + 3); r += 4) {
      const std::byte* const first = data + r * step;
      const FourLanes<Op> four =
          joined_rows(op, four_lanes(op, first, n), four_lanes(op, first + step, n),
                      four_lanes(op, first + 2 * step, n), four_lanes(op, first + 3 * step, n));
      for (int k = 0; k < 4; ++k) total[r + k] = static_cast<Total>(four[k]);
    }
  }
  for (; r < rows; ++r) total[r] = static_cast<Total>(fold_short(op, data + r * step, n));
}

// ---- along ----

// Aligned to a cache line, as the loops are short: any() over the columns of 1024 x 1024 took 61 or 73 us, depending on
// where the linker happened to put one.

template <class Op>
[[gnu::aligned(64)]] void fold_along(const ReduceTile& tile, const Partials& parts) {
  using P = typename Op::Accumulator;
  const Op op(tile);
  auto* const total = static_cast<typename Op::Total*>(parts.first);
  if constexpr (sizeof(P) >= 4) {
    if (tile.n <= kShortRun) return fold_short_rows(op, tile, total);
  }
  const std::byte* row = tile.data;
  const Index rows = tile.rows, n = tile.n, step = tile.step;
  if (n >= Lanes<P>::kCount) {
    for (Index r = 0; r < rows; ++r, row += step) total[r] = fold_run(op, row, n);
  } else {
    for (Index r = 0; r < rows; ++r, row += step) total[r] = fold_few(op, row, n);
  }
}

// ---- across ----

// kRows more elements for each of n parts.
template <int kRows, class Op>
[[gnu::always_inline]] inline void take_rows(const Op& op, const std::byte* rows, Index step,
                                             Index n, typename Op::Accumulator* part) {
  using P = typename Op::Accumulator;
  constexpr Index kSize = sizeof(typename Op::Element);
  constexpr Index kCount = Lanes<P>::kCount;
  const Index ahead = bytes_ahead(n * kSize, step);
  Index c = 0;
  for (; c + kCount <= n; c += kCount) {
    auto held = read_lanes<P, P>(reinterpret_cast<const std::byte*>(part + c));
    const std::byte* const from = rows + c * kSize;
    if constexpr (kRows == kRowsAtOnce) fetch_rows<kRows>(from, step, ahead);
    if constexpr (Op::kPaired && kRows % 2 == 0) {
      for (int r = 0; r < kRows; r += 2) {
        held = joined(op, held, read_pairs<typename Op::Element>(from + r * step,
                                                                 from + (r + 1) * step));
      }
    } else {
      for (int r = 0; r < kRows; ++r) held = joined(op, held, taken_lanes(op, from + r * step));
    }
    write_lanes(part + c, held);
  }
  for (; c < n; ++c) {
    for (int r = 0; r < kRows; ++r) {
      part[c] = op.join(part[c], taken_one(op, rows + r * step + c * kSize));
    }
  }
}

template <class Op>
[[gnu::aligned(64)]] void fold_across(const ReduceTile& tile, const Partials& parts) {
  const Op op(tile);
  auto* const part = static_cast<typename Op::Accumulator*>(parts.first);
  constexpr Index kBytes = sizeof(typename Op::Accumulator) + sizeof(typename Op::Element);
  constexpr bool kWider = sizeof(typename Op::Accumulator) > sizeof(typename Op::Element);
  Index r = 0;
  if (tile.part_step == 0 && (kWider || takes_many_rows(tile.n * kBytes))) {
    for (; r + kRowsAtOnce <= tile.rows; r += kRowsAtOnce) {
      take_rows<kRowsAtOnce>(op, tile.data + r * tile.step, tile.step, tile.n, part);
    }
    for (; r + 2 <= tile.rows; r += 2) {
      take_rows<2>(op, tile.data + r * tile.step, tile.step, tile.n, part);
    }
  }
  for (; r < tile.rows; ++r) {
    take_rows<1>(op, tile.data + r * tile.step, tile.step, tile.n, part + r * tile.part_step);
  }
}

}  // namespace strided::kernels::reduce::STRIDED_ISA
