// Variance and standard deviation, in one pass over memory and without the difference of large sums: every step keeps
// the mean and the sum of squared distances from it.
//
// Elements are taken in groups. With the mean K of the c elements so far, and D and S the sums of x - K and
// (x - K)^2 over a group of r more,
//   mean = K + D / (c + r)      squares = squares + S - D^2 / (c + r)
// What is subtracted is at most r / c times what is left, so with r <= 16 c four bits can be lost in the
// worst case, of 53. For the first group K is the mean of at least a sixteenth of it, which is read twice,
// the second time from the cache: the bound is the same. After T. Chan, G. Golub and R. LeVeque, "Updating
// formulae and a pairwise algorithm for computing sample variances".
#include <atomic>
#include <cmath>
#include <memory>
#include <optional>

#include "complex_parts.hpp"
#include "sum.hpp"
#include "reduce.hpp"

namespace strided::kernels::reduce {
namespace {

// Fixed: groups decide the bits.
constexpr Index kCachedBytes = 16 << 10;  // of a first group, which is read twice: half of a first-level cache of 32 KB
constexpr Index kGrowth = 16;     // r / c at most
constexpr Index kFirstRun = 64;   // elements of a run that make the first K, at least
constexpr Index kLongestRun = 4096;  // 16 KiB of float32, 32 of float64
constexpr Index kFirstRows = 8;   // in the first group, across
constexpr Index kMostRows = 128;  // in any group

template <class T>
class Variance : public Folding {
 public:
  // `mean_step`: how many bytes behind a variance its mean goes, if it is wanted.
  Variance(VarianceKind kind, DType loop, DType out, double divisor, std::optional<std::ptrdiff_t> mean_step)
      : Folding(loop, kLongestRun),
        sum_(reduce_loops(Fold::Sum, loop)),
        moments_(reduce_loops(Fold::Moments, loop)),
        kind_(kind), out_(out), divisor_(divisor), mean_step_(mean_step) {}

  // A mean that is infinite is not found here: distances from it are no numbers.
  bool lost_a_mean() const { return lost_a_mean_; }

  std::vector<ReduceLoops> inner_loops(const IterationSpace&) const override { return {sum_, moments_}; }

  void begin(FoldWorkspace& work) const override {
    for (int k = 0; k < 2; ++k) std::fill_n(numbers(work.state[k]), work.results, 0.0);
    std::fill_n(work.taken, work.results, Index{0});
  }

  void along(FoldWorkspace& work, const FoldTile& tile) const override {
    // Row by row where only their beginnings are read twice, so that memory is read in one go.
    const Index together =
        beginning(tile.n) < tile.n ? 1 : std::max<Index>(1, kCachedBytes / (tile.n * itemsize(read)));
    for (Index r = 0, count; r < tile.rows; r += count) {
      // Rows for one result are a group.
      const Index taken = work.taken[tile.at];
      const Index most = tile.rows_kept || taken == 0 ? together
                                                      : std::clamp<Index>(kGrowth * taken / tile.n, 1, kMostParts);
      count = std::min(tile.rows - r, most);
      if (count == tile.rows) return take_group(work, tile);  // without a copy
      take_group(work, tile.rows_from(r, count, 1));
    }
  }

  void across(FoldWorkspace& work, const FoldTile& tile) const override { take_rows(work, tile, tile.n, 1); }
  void across_wide(FoldWorkspace& work, const FoldTile& tile, Index n) const override {
    take_rows(work, tile, n, tile.n / n);
  }

  void merge(FoldWorkspace& work, const FoldWorkspace& more) const override {
    const double c = static_cast<double>(work.count), r = static_cast<double>(more.count);
    double *const mean = numbers(work.state[0]), *const squares = numbers(work.state[1]);
    for (Index i = 0; i < work.results; ++i) {
      const double gap = numbers(more.state[0])[i] - mean[i];
      mean[i] += gap * (r / (c + r));
      squares[i] += numbers(more.state[1])[i] + gap * gap * (c * r / (c + r));
    }
    work.count += more.count;
  }

  void write(const FoldWorkspace& work, Index at, Index n, std::byte* out, Index step) const override {
    if (mean_step_) write_means(numbers(work.state[0]) + at, n, out + *mean_step_, step);
    double* const values = numbers(work.state[1]) + at;
    for (Index i = 0; i < n; ++i) values[i] /= divisor_;
    if (kind_ == VarianceKind::Deviation) for (Index i = 0; i < n; ++i) values[i] = std::sqrt(values[i]);
    write_as(DType::Float64, values, n, out_, out, step);
  }

 private:
  static double* numbers(void* at) { return static_cast<double*>(at); }

  void write_means(const double* mean, Index n, std::byte* out, Index step) const {
    if (!std::all_of(mean, mean + n, [](double x) { return std::isfinite(x); })) lost_a_mean_ = true;
    write_as(DType::Float64, mean, n, out_, out, step);
  }

  // The beginnings of rows, whose mean is the first K.
  static Index beginning(Index n) { return n < 2 * kFirstRun ? n : std::max(kFirstRun, n / kGrowth); }

  // Where the loops get K from: the means, but for rounding.
  static T* shifts(const FoldWorkspace& work) { return static_cast<T*>(work.part[2]); }

  // D and S of n results, each of r more elements, into the means and squares of c.
  static void fold(Index n, const double* d, const double* s, Index c, Index r, double* mean,
                   double* squares) {
    const double before = static_cast<double>(c), share = 1 / static_cast<double>(c + r);
    for (Index i = 0; i < n; ++i) {
      const double shift = static_cast<double>(static_cast<T>(mean[i])), gap = mean[i] - shift;
      const double sum = d[i] + before * gap;
      mean[i] = shift + sum * share;
      squares[i] += s[i] + before * gap * gap - sum * sum * share;
    }
  }

  // A group of rows, which have results of their own or all one result.
  void take_group(FoldWorkspace& work, const FoldTile& tile) const {
    const Index results = tile.rows_kept ? tile.rows : 1, together = tile.rows / results;
    double *const d = numbers(work.part[0]), *const s = numbers(work.part[1]);
    double *const mean = numbers(work.state[0]) + tile.at, *const squares = numbers(work.state[1]) + tile.at;
    const Index taken = work.taken[tile.at];
    ReduceTile more = tile;
    if (taken == 0) {
      more.n = beginning(tile.n);
      sum_.along(more, {d, nullptr});
      add_groups(d, tile.rows, results, together);
      for (Index i = 0; i < results; ++i) mean[i] = d[i] / static_cast<double>(together * more.n);
      more.n = tile.n;
    }
    for (Index r = 0; r < tile.rows; ++r) shifts(work)[r] = static_cast<T>(mean[tile.rows_kept ? r : 0]);
    more.shift = shifts(work);
    moments_.along(more, {d, s});
    add_groups(d, tile.rows, results, together);
    add_groups(s, tile.rows, results, together);
    fold(results, d, s, taken, together * tile.n, mean, squares);
    std::fill_n(work.taken + tile.at, results, taken + together * tile.n);
  }

  // n adjacent results, `together` elements of each in a row; or rows of results, one element each.
  void take_rows(FoldWorkspace& work, const FoldTile& tile, Index n, Index together) const {
    const Index results = tile.rows_kept ? tile.rows * tile.n : n;
    const Index columns = tile.rows_kept ? results : tile.n;
    double *const d = numbers(work.part[0]), *const s = numbers(work.part[1]);
    double *const mean = numbers(work.state[0]) + tile.at, *const squares = numbers(work.state[1]) + tile.at;
    Index& taken = work.taken[tile.at];
    ReduceTile more = tile;
    for (Index left = tile.rows; left > 0; left -= more.rows) {
      if (left < tile.rows) check_interrupt();
      const Index most = taken == 0 ? kFirstRows : std::clamp<Index>(kGrowth * taken / together, 1, kMostRows);
      more.rows = tile.rows_kept ? left : std::min(left, most);
      const Index count = tile.rows_kept ? 1 : more.rows * together;
      if (taken == 0) {
        std::fill_n(d, columns, 0.0);
        sum_.across(more, {d, nullptr});
        add_groups(d, columns, n, together);
        for (Index i = 0; i < results; ++i) mean[i] = d[i] / static_cast<double>(count);
      }
      for (Index i = 0; i < results; ++i) shifts(work)[i] = static_cast<T>(mean[i]);
      for (Index i = results; i < columns; ++i) shifts(work)[i] = shifts(work)[i - n];
      more.shift = shifts(work);
      std::fill_n(d, columns, 0.0);
      std::fill_n(s, columns, 0.0);
      moments_.across(more, {d, s});
      add_groups(d, columns, n, together);
      add_groups(s, columns, n, together);
      fold(results, d, s, taken, count, mean, squares);
      taken += count;
      more.data += more.rows * more.step;
    }
  }

  static void add_groups(double* parts, Index columns, Index n, Index together) {
    if (together == 1) return;
    for (Index first = n; first < columns; first += n) {
      for (Index i = 0; i < n; ++i) parts[i] += parts[first + i];
    }
  }

  ReduceLoops sum_, moments_;
  VarianceKind kind_;
  DType out_;
  double divisor_;
  std::optional<std::ptrdiff_t> mean_step_;
  mutable std::atomic<bool> lost_a_mean_{false};
};

const char* name_of(VarianceKind kind) { return kind == VarianceKind::Variance ? "var" : "std"; }

// Of both parts, added up.
void complex_variance(VarianceKind kind, const Operand& out, const Operand& in, double correction) {
  Dims shape(out.layout->shape());
  shape.push_back(2);
  const Layout both = Layout::row_major_unchecked(shape, 0);  // of rank 65 where `in` has 64 axes
  const auto parts = std::make_unique_for_overwrite<double[]>(static_cast<std::size_t>(both.size()));
  const Operand of_parts{reinterpret_cast<std::byte*>(parts.get()), &both, DType::Float64};
  variance(VarianceKind::Variance, of_parts, ComplexParts(in, true).operand(), correction);
  FloatSum sum(Fold::Sum, DType::Float64, out.dtype);
  if (kind == VarianceKind::Deviation) sum.exponent = 0.5;
  reduce_with(name_of(kind), sum, fold_space_of(ComplexParts(out, true).operand(), of_parts));
}

}  // namespace

void variance(VarianceKind kind, const Operand& out, const Operand& in, double correction, const Operand* mean) {
  if (out.layout->size() == 0) return;
  if (is_complex(in.dtype)) return complex_variance(kind, out, in, correction);
  const FoldSpace fold = fold_space_of(out, in);
  const double divisor = std::max(0.0, static_cast<double>(fold.count) - correction);
  std::optional<std::ptrdiff_t> mean_step;
  if (mean != nullptr) mean_step = mean->first() - out.first();
  const auto run = [&]<class T>(T, DType loop) {
    const Variance<T> op(kind, loop, out.dtype, divisor, mean_step);
    reduce_with(name_of(kind), op, fold, mean);
    if (mean != nullptr && (fold.count == 0 || op.lost_a_mean())) reduce(Reduction::Mean, *mean, in);
  };
  if (is_floating(in.dtype) && in.dtype != DType::Float64) run(float(), DType::Float32);
  else run(double(), DType::Float64);
}

}  // namespace strided::kernels::reduce
