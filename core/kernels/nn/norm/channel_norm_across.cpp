// Batch norm of channels that are adjacent in memory: sums of all of them are taken row by row, in blocks of rows that
// do not depend on the number of threads.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "channel_norm.hpp"
#include "kernels/convert/packed.hpp"
#include "kernels/nn/inner_loops.hpp"
#include "kernels/nn/row_space.hpp"
#include "run/interrupt.hpp"

namespace strided::kernels::nn {
namespace {

constexpr Index kColumns = 512;  // channels at a time: four lists of their float64 numbers fill half of a 32 KiB L1
// Fixed: it decides the bits. Rows that are added up in `compute` before they join the float64 sums.
constexpr Index kTogether = 64;
// Fixed: they decide the bits. At most 16 blocks of at least 64 rows have sums of their own, joined in the end.
constexpr Index kMostBlocks = 16, kLeastRows = 64;

// One number per channel, in the dtype that is computed in.
class PackedChannels {
 public:
  PackedChannels(DType compute, const std::vector<double>& from)
      : item_(itemsize(compute)), packed_(from.size() * static_cast<std::size_t>(item_)) {
    convert::elements(DType::Float64, reinterpret_cast<const std::byte*>(from.data()), sizeof(double), compute,
                  packed_.data(), item_, static_cast<Index>(from.size()));
  }
  const std::byte* from(Index first) const { return packed_.data() + first * item_; }

 private:
  Index item_;
  std::vector<std::byte> packed_;
};

// The rows of some operands, the first of which may be written.
class ChannelRows {
 public:
  ChannelRows(const RowSpace& rows, std::span<const DType> dtypes, DType compute)
      : rows_(rows), dtypes_(dtypes), compute_(compute), loops_(loops().columns[compute == DType::Float64]),
        columns_(rows.length()), blocks_(std::clamp<Index>(rows.count() / kLeastRows, 1, kMostBlocks)),
        alone_(chunks_for(blocks_, rows.space().size() * itemsize(compute) * static_cast<Index>(dtypes.size())) == 1) {}

  Index columns() const { return columns_; }
  Index count() const { return rows_.count(); }
  // With the loops of the table; the first operand is written if `writes`.
  template <class... L>
  PlanRecord record(const char* operation, bool writes, L*... table) const {
    InnerLoops named(compute_);
    named.table(table...);
    for (std::size_t k = 1; k < dtypes_.size(); ++k) named.read(dtypes_[k], rows_.step(static_cast<int>(k)));
    if (writes) named.written(dtypes_[0], rows_.step(0));
    return rows_.record(operation, alone_ ? 1 : blocks_, named.names(),
                        std::to_string(std::min(kColumns, columns_)) + " adjacent channels");
  }

  // The sums over all rows of what take(loops, first, n, elements of operand 1, of the last, sums) adds to
  // `results` lists of sums.
  template <int results, class Take>
  std::vector<double> sums(Take&& take) const {
    const auto width = static_cast<std::size_t>(results * columns_);
    std::vector<double> parts(width * kMostBlocks);
    run_in_blocks(count(), blocks_, alone_, [&](Index block, Index begin, Index end) {
      convert::PackedInput x(dtypes_[1], compute_, rows_.step(1)), g = last();
      alignas(64) std::byte packed[results][kColumns * 8];
      double wide[kColumns];
      InterruptCheck check;
      for (Index first = 0; first < columns_; first += kColumns) {
        const Index n = std::min(kColumns, columns_ - first);
        for (Index row = begin; row < end; row += kTogether) {
          std::memset(packed, 0, sizeof(packed));
          rows_.for_each(row, std::min(end, row + kTogether), [&](std::byte* const* rows) {
            take(loops_, first, n, x.read(x.further(rows[1], first), n),
                 g.read(g.further(rows[dtypes_.size() - 1], first), n), packed);
          });
          for (int k = 0; k < results; ++k) {
            double* const to = parts.data() + block * results * columns_ + k * columns_ + first;
            convert::elements(compute_, packed[k], itemsize(compute_), DType::Float64,
                              reinterpret_cast<std::byte*>(wide), sizeof(double), n);
            for (Index i = 0; i < n; ++i) to[i] += wide[i];
          }
          check.after(n * kTogether);
        }
      }
    });
    for (std::size_t i = width; i < parts.size(); ++i) parts[i % width] += parts[i];
    parts.resize(width);
    return parts;
  }

  // make(loops, first, n, elements of operand 1, of the last, where to) for all rows.
  template <class Make>
  void write(Make&& make) const {
    run_in_blocks(count(), blocks_, alone_, [&](Index, Index begin, Index end) {
      convert::PackedInput x(dtypes_[1], compute_, rows_.step(1)), g = last();
      convert::PackedOutput out(dtypes_[0], compute_, rows_.step(0));
      InterruptCheck check;
      for (Index first = 0; first < columns_; first += kColumns) {
        const Index n = std::min(kColumns, columns_ - first);
        rows_.for_each(begin, end, [&](std::byte* const* rows) {
          std::byte* const place = out.further(rows[0], first);
          make(loops_, first, n, x.read(x.further(rows[1], first), n),
               g.read(g.further(rows[dtypes_.size() - 1], first), n), out.place(place, n));
          out.finish(place, n);
          check.after(n);
        });
      }
    });
  }

 private:
  convert::PackedInput last() const {
    const int which = static_cast<int>(dtypes_.size()) - 1;
    return {dtypes_.back(), compute_, rows_.step(which)};
  }

  const RowSpace& rows_;
  const std::span<const DType> dtypes_;
  const DType compute_;
  const ColumnLoops& loops_;
  const Index columns_, blocks_;
  const bool alone_;  // too little work for threads
};

using Packed = const std::byte*;
using Sums = std::byte (*)[kColumns * 8];

}  // namespace

void channel_norm_across(const ChannelNorm& work, const RowSpace& all) {
  const DType dtypes[] = {work.out.dtype, work.x.dtype};
  const ChannelRows rows(all, dtypes, work.compute);
  const ColumnLoops& table = loops().columns[work.compute == DType::Float64];
  const RecordScope scope([&] {
    return rows.record("batch_norm", true, table.add, table.add_squares, table.normalise);
  });
  const Index channels = rows.columns();
  const auto count = static_cast<double>(rows.count());
  std::vector<double> means = rows.sums<1>([](const ColumnLoops& loops, Index, Index n, Packed x, Packed, Sums to) {
    loops.add(n, x, to[0]);
  });
  for (double& mean : means) mean /= count;
  const PackedChannels mean(work.compute, means);
  std::vector<double> factors =
      rows.sums<1>([&](const ColumnLoops& loops, Index first, Index n, Packed x, Packed, Sums to) {
        loops.add_squares(n, x, mean.from(first), to[0]);
      });
  std::vector<double> shifts(factors.size());
  for (Index c = 0; c < channels; ++c) {
    const auto i = static_cast<std::size_t>(c);
    work.mean[c] = means[i];
    work.variance[c] = factors[i] / count;
    factors[i] = (work.weight == nullptr ? 1 : work.weight[c]) / std::sqrt(work.variance[c] + work.eps);
    if (work.bias != nullptr) shifts[i] = work.bias[c];
  }
  const PackedChannels factor(work.compute, factors), shift(work.compute, shifts);
  rows.write([&](const ColumnLoops& loops, Index first, Index n, Packed x, Packed, std::byte* to) {
    loops.normalise(n, x, {mean.from(first), factor.from(first), shift.from(first)}, to);
  });
}

void channel_norm_gradient_across(const ChannelNormGradient& work, const RowSpace& all) {
  const DType dtypes[] = {work.dx == nullptr ? work.x.dtype : work.dx->dtype, work.x.dtype, work.g.dtype};
  const ChannelRows rows(all, dtypes, work.compute);
  const ColumnLoops& table = loops().columns[work.compute == DType::Float64];
  const RecordScope scope([&] {
    if (work.dx == nullptr) return rows.record("batch_norm backward", false, table.add_gradient_sums);
    return rows.record("batch_norm backward", true, table.add_gradient_sums, table.gradient);
  });
  const Index channels = rows.columns();
  const auto width = static_cast<std::size_t>(channels);
  const auto count = static_cast<double>(rows.count());
  const PackedChannels mean(work.compute, {work.mean, work.mean + channels});
  const std::vector<double> sums =
      rows.sums<2>([&](const ColumnLoops& loops, Index first, Index n, Packed x, Packed g, Sums to) {
        loops.add_gradient_sums(n, g, x, mean.from(first), to[0], to[1]);
      });
  std::vector<double> plain(width), along(width), factors(width);
  for (Index c = 0; c < channels; ++c) {
    const auto i = static_cast<std::size_t>(c);
    const double factor = 1 / std::sqrt(work.variance[c] + work.eps);
    work.to_bias[c] = sums[i];
    work.to_weight[c] = sums[width + i] * factor;
    plain[i] = sums[i] / count;
    along[i] = work.to_weight[c] * factor / count;
    factors[i] = work.weight == nullptr ? factor : factor * work.weight[c];
  }
  if (work.dx == nullptr) return;
  const PackedChannels even(work.compute, plain), slope(work.compute, along), factor(work.compute, factors);
  rows.write([&](const ColumnLoops& loops, Index first, Index n, Packed x, Packed g, std::byte* to) {
    loops.gradient(n, g, x, {mean.from(first), even.from(first), slope.from(first), factor.from(first)}, to);
  });
}

}  // namespace strided::kernels::nn
