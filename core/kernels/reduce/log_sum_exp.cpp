// log(sum(exp(x))) = t + log(sum(exp(x - t))) with t the largest x so far. What was added up before is
// scaled when a larger one turns up; every element is raised once.
#include <cmath>

#include "extreme.hpp"
#include "partial_folds.hpp"
#include "reduce.hpp"
#include "run/arena.hpp"

namespace strided::kernels::reduce {
namespace {

// Fixed: what is raised together decides the bits. The buffers of kElements stay in the first-level cache.
constexpr Index kElements = 2048;  // raised at a time
constexpr Index kColumns = 512;    // adjacent results at a time,
constexpr Index kRows = 32;        // and elements of each, before their largest is looked at

// An infinite largest element, or a NaN, would turn distances from it into NaN.
template <class T>
T finite_or_zero(T x) { return x - x == 0 ? x : 0; }

// States: the largest element, and the sum of exp(x - finite_or_zero(largest)).
template <class T>
class LogSumExp : public Folding {
 public:
  LogSumExp(DType loop, DType out)
      : Folding(loop, kElements),
        max_(reduce_loops(Fold::Max, loop)), exp_(reduce_loops(Fold::Exp, loop)),
        sum_(reduce_loops(Fold::Sum, loop)), out_(out) {}

  std::vector<ReduceLoops> inner_loops(const IterationSpace&) const override { return {max_, exp_, sum_}; }

  void begin(FoldWorkspace& work) const override {
    std::fill_n(numbers(work.state[0]), work.results, Order<double>::none());
    std::fill_n(numbers(work.state[1]), work.results, 0.0);
  }

  void along(FoldWorkspace& work, const FoldTile& tile) const override {
    const Index most = kElements / tile.n;
    for (Index r = 0; r < tile.rows; r += most) take_runs(work, tile.rows_from(r, std::min(most, tile.rows - r), 1));
  }

  void across(FoldWorkspace& work, const FoldTile& tile) const override {
    const Index most = tile.rows_kept ? 1 : kRows;
    for (Index c = 0; c < tile.n; c += kColumns) {
      FoldTile columns = tile;
      columns.n = std::min(kColumns, tile.n - c);
      columns.data += c * static_cast<Index>(sizeof(T));
      columns.at += c;
      for (Index r = 0; r < tile.rows; r += most) {
        if (r > 0) check_interrupt();
        take_rows(work, columns.rows_from(r, std::min(most, tile.rows - r), tile.n));
      }
    }
  }

  void across_wide(FoldWorkspace& work, const FoldTile& tile, Index n) const override {
    // Columns that belong together are rows of their own: there is enough to do per element.
    FoldTile narrow = tile;
    narrow.rows *= tile.n / n;
    narrow.step /= tile.n / n;
    narrow.n = n;
    across(work, narrow);
  }

  void merge(FoldWorkspace& work, const FoldWorkspace& more) const override {
    for (Index i = 0; i < work.results; ++i) {
      fold(work, i, numbers(more.state[0])[i], numbers(more.state[1])[i]);
    }
  }

  void write(const FoldWorkspace& work, Index at, Index n, std::byte* out, Index step) const override {
    double *const largest = numbers(work.state[0]) + at, *const sum = numbers(work.state[1]) + at;
    for (Index i = 0; i < n; ++i) sum[i] = std::log(sum[i]) + finite_or_zero(largest[i]);
    write_as(DType::Float64, sum, n, out_, out, step);
  }

 private:
  static double* numbers(void* at) { return static_cast<double*>(at); }

  static ReduceTile dense(const ReduceTile& tile, const T* raised) {
    ReduceTile more;
    more.data = reinterpret_cast<const std::byte*>(raised);
    more.rows = tile.rows;
    more.n = tile.n;
    more.step = tile.n * static_cast<Index>(sizeof(T));
    return more;
  }

  // A sum from one scale to another; nothing is 0 on every scale.
  static double scaled_by(double sum, double from, double to) {
    return sum == 0 || from == to ? sum : sum * std::exp(from - to);
  }

  static void fold(const FoldWorkspace& work, Index at, double largest, double sum) {
    double &held = numbers(work.state[0])[at], &total = numbers(work.state[1])[at];
    const double next = larger_of(held, largest);
    const double scale = finite_or_zero(next);
    total = scaled_by(total, finite_or_zero(held), scale) + scaled_by(sum, finite_or_zero(largest), scale);
    held = next;
  }

  // rows * n <= kElements
  void take_runs(const FoldWorkspace& work, const FoldTile& tile) const {
    ScratchArray<T, kElements> largest, raised, shift;
    ScratchArray<double, kElements> sum;
    ReduceTile more = tile;
    max_.along(more, {largest, nullptr});
    for (Index r = 0; r < tile.rows; ++r) shift[r] = finite_or_zero(largest[r]);
    more.shift = shift;
    exp_.along(more, {raised, nullptr});
    sum_.along(dense(tile, raised), {sum, nullptr});
    for (Index r = 0; r < tile.rows; ++r) {
      fold(work, tile.at + (tile.rows_kept ? r : 0), static_cast<double>(largest[r]), sum[r]);
    }
  }

  // At most kRows rows of kColumns results: first their largest elements, then the sums on the new scale.
  void take_rows(const FoldWorkspace& work, const FoldTile& tile) const {
    ScratchArray<T, kColumns> largest, before, shift;
    ScratchArray<T, kElements> raised;
    double *const held = numbers(work.state[0]) + tile.at, *const total = numbers(work.state[1]) + tile.at;
    ReduceTile more = tile;
    more.part_step = 0;
    for (Index c = 0; c < tile.n; ++c) largest[c] = static_cast<T>(held[c]);
    for (Index c = 0; c < tile.n; ++c) before[c] = finite_or_zero(largest[c]);
    max_.across(more, {largest, nullptr});
    for (Index c = 0; c < tile.n; ++c) shift[c] = finite_or_zero(largest[c]);
    // exp(before - shift) is what the sums so far are scaled by; nothing is 0 on every scale.
    ReduceTile scale = dense(more, before);
    scale.rows = 1;
    scale.shift = more.shift = shift;
    exp_.across(scale, {raised, nullptr});
    for (Index c = 0; c < tile.n; ++c) {
      total[c] = total[c] == 0 ? 0 : total[c] * static_cast<double>(raised[c]);
      held[c] = static_cast<double>(largest[c]);
    }
    for (Index left = tile.rows; left > 0; left -= more.rows) {
      more.rows = std::min(left, kElements / tile.n);
      exp_.across(more, {raised, nullptr});
      sum_.across(dense(more, raised), {total, nullptr});
      more.data += more.rows * more.step;
    }
  }

  ReduceLoops max_, exp_, sum_;
  DType out_;
};

}  // namespace

void log_sum_exp(const Operand& out, const Operand& in) {
  if (out.layout->size() == 0) return;
  const FoldSpace fold = fold_space_of(out, in);
  if (in.dtype == DType::Float64 || !is_floating(in.dtype)) {
    return reduce_with(kLogSumExp, LogSumExp<double>(DType::Float64, out.dtype), fold);
  }
  reduce_with(kLogSumExp, LogSumExp<float>(DType::Float32, out.dtype), fold);
}

}  // namespace strided::kernels::reduce
