#include "bin_counts.hpp"

#include <atomic>
#include <memory>

#include "kernels/convert/packed.hpp"
#include "kernels/loop_names.hpp"
#include "layout/bounds.hpp"
#include "plan/record.hpp"
#include "plan/split.hpp"
#include "run/arena.hpp"
#include "run/interrupt.hpp"

namespace strided::kernels::index {
namespace {

// Up to this many bins every chunk has counts of its own, in turns: 128 KiB, which stay in the second-level cache.
constexpr Index kFewBins = 4096;
// Counting one number several times in a row takes turns between so many counters: an addition in memory is waited for
// as long as so many take.
constexpr Index kTurns = 4;

PlanRecord record_of(const char* operation, const Operand& in, const Operand* weights, int chunks, std::string loop) {
  const Operand& second = weights != nullptr ? *weights : in;
  const SpaceOperand operands[] = {in, second};
  return {operation, space_of({operands, weights != nullptr ? 2u : 1u}), {std::move(loop)}, chunks};
}

// Calls f(n, bins, first) for blocks of elements begin .. end - 1, as int64.
template <class F>
void for_each_bin_block(const Operand& in, Index begin, Index end, F&& f) {
  // A uint64 that does not fit becomes negative, which is no bin either.
  convert::PackedReader reader(in.dtype, DType::Int64);
  const Index step = in.step(0);
  InterruptCheck check;
  for (Index i = begin; i < end; i += convert::kPackedBlock) {
    check.after(convert::kPackedBlock * Index{sizeof(std::int64_t)});
    const Index n = std::min(convert::kPackedBlock, end - i);
    f(n, reader.read(in.first() + i * step, step, n), i);
  }
}

bool is_bin(std::int64_t bin, Index bins) {
  return static_cast<std::uint64_t>(bin) < static_cast<std::uint64_t>(bins);
}

void count_few(const Operand& in, Index begin, Index end, Index bins, std::int64_t* counts) {
  // The last counter of each turn is for what is no bin.
  ScratchArray<std::int64_t[kFewBins + 1], kTurns> memory;
  auto* const turns = memory.data();
  for (Index turn = 0; turn < kTurns; ++turn) std::fill_n(turns[turn], bins + 1, 0);
  // By value: what is only referred to would be read anew after every store.
  for_each_bin_block(in, begin, end, [=](Index n, const std::byte* block, Index) {
    const auto count = [=](Index i, Index turn) {
      const auto bin = convert::element<std::int64_t>(block, i);
      ++turns[turn][is_bin(bin, bins) ? bin : bins];
    };
    Index i = 0;
    for (; i + kTurns <= n; i += kTurns) {
#pragma GCC unroll 4
      for (Index turn = 0; turn < kTurns; ++turn) count(i + turn, turn);
    }
    for (; i < n; ++i) count(i, 0);
  });
  for (Index bin = 0; bin < bins; ++bin) {
    counts[bin] = turns[0][bin] + turns[1][bin] + turns[2][bin] + turns[3][bin];
  }
}

// One after the other.
void count_many(const Operand& in, Index bins, std::int64_t* counts) {
  for_each_bin_block(in, 0, in.layout->length(0), [=](Index n, const std::byte* block, Index) {
    for (Index i = 0; i < n; ++i) {
      const auto bin = convert::element<std::int64_t>(block, i);
      if (is_bin(bin, bins)) ++counts[bin];
    }
  });
}

// One after the other, so that sums do not depend on how work is cut.
void add_weights(const Operand& in, const Operand& weights, Index bins, double* sums) {
  convert::PackedReader reader(weights.dtype, DType::Float64);
  const Index step = weights.step(0);
  for_each_bin_block(in, 0, in.layout->length(0), [&](Index n, const std::byte* block, Index first) {
    const std::byte* const added = reader.read(weights.first() + first * step, step, n);
    for (Index i = 0; i < n; ++i) {
      const auto bin = convert::element<std::int64_t>(block, i);
      if (is_bin(bin, bins)) sums[bin] += convert::element<double>(added, i);
    }
  });
}

}  // namespace

std::uint64_t largest_bin(const Operand& in) {
  const Index n = in.layout->length(0);
  const int chunks = threads_for(saturated_product(n, itemsize(in.dtype) * 2));
  const RecordScope scope(
      [&] { return record_of("largest bin", in, nullptr, chunks, loop_name(loops().sort.wide.facts)); });
  std::atomic<std::uint64_t> all{0};
  run_range_in_chunks(n, chunks, [&](int, Index begin, Index end) {
    std::uint64_t most = 0;
    for_each_bin_block(in, begin, end, [&](Index count, const std::byte* block, Index) {
      most = std::max(most, loops().sort.wide.facts(count, reinterpret_cast<const std::uint64_t*>(block)).most);
    });
    std::uint64_t known = all.load(std::memory_order_relaxed);
    while (known < most && !all.compare_exchange_weak(known, most, std::memory_order_relaxed)) {}
  });
  return all.load();
}

void count_bins(const Operand& out, const Operand& in, const Operand* weights) {
  const Index n = in.layout->length(0);
  const Index bins = out.layout->length(0);
  if (n == 0 || bins == 0) return;
  const bool few = weights == nullptr && bins <= kFewBins;
  const int chunks = few ? threads_for(saturated_product(n, 16)) : 1;
  const RecordScope scope([&] {
    const char* const loop = weights != nullptr ? "add_weights" : few ? "count_few" : "count_many";
    return record_of("bincount", in, weights, chunks, plain_loop("kernels/index/bin_counts.cpp", loop));
  });
  if (weights != nullptr) return add_weights(in, *weights, bins, reinterpret_cast<double*>(out.first()));
  auto* const counts = reinterpret_cast<std::int64_t*>(out.first());
  if (!few) return count_many(in, bins, counts);
  const std::unique_ptr<std::int64_t[]> own(new std::int64_t[static_cast<std::size_t>(chunks * bins)]);
  run_range_in_chunks(n, chunks, [&](int chunk, Index begin, Index end) {
    count_few(in, begin, end, bins, own.get() + chunk * bins);
  });
  for (int chunk = 0; chunk < chunks; ++chunk) {
    for (Index bin = 0; bin < bins; ++bin) counts[bin] += own[static_cast<std::size_t>(chunk * bins + bin)];
  }
}

}  // namespace strided::kernels::index
