// Few queries, as in decoding: every key and value is read once, where it lies, for all rows of its head.
//
// Long pasts are cut into chunks, so that threads can share them; chunks of one head are joined in the end.
#include <atomic>
#include <cmath>
#include <cstring>
#include <vector>

#include "attention_rows.hpp"
#include "errors.hpp"
#include "lane_buffers.hpp"
#include "panel_memory.hpp"
#include "threads.hpp"

namespace strided {
namespace {

constexpr Index kBlockKeys = 128;      // scores that are held per row
constexpr Index kBlockBytes = 64 << 10;  // of keys or values that are converted
constexpr Index kMostChunks = 64;
constexpr Index kPartialBytes = 8 << 20;  // results of chunks that are held

constexpr Index parts_of(Index n, Index part) { return (n + part - 1) / part; }
constexpr Index round_up(Index n, Index to) { return parts_of(n, to) * to; }

std::byte* reserve(PanelOf kind, Index bytes) { return panel_memory(kind, static_cast<std::size_t>(bytes)); }

// One sequence of a round: the results of its chunks lie at `partials`, chunk by chunk, head by head.
struct Job {
  const AttentionSequence* sequence;
  KeyRange range;
  Index chunk, chunks;
  Index rows;         // per key head
  Index partial;      // bytes of the results of one chunk and head
  Index place;        // of the first, in the memory of the round

  Job(const AttentionShape& shape, const AttentionSequence& of) : sequence(&of) {
    const AttentionRows all{shape, of, 0, 0, of.count};
    range = all.seen();
    const Index keys = range.end - range.begin;
    chunk = std::max(kBlockKeys, round_up(parts_of(keys, kMostChunks), kBlockKeys));
    chunks = std::max<Index>(1, parts_of(keys, chunk));
    rows = all.rows();
    partial = round_up(rows * (static_cast<Index>(sizeof(SoftmaxState)) +
                               shape.value_length * itemsize(shape.lane)), 64);
  }

  Index units(const AttentionShape& shape) const { return chunks * shape.key_heads; }
  Index nbytes(const AttentionShape& shape) const { return units(shape) * partial; }
  Index traffic(const AttentionShape& shape) const {
    Index bytes = 0;
    for (const AttentionSegment& segment : sequence->segments) {
      bytes += segment.count * (shape.length * itemsize(segment.key.dtype) +
                                shape.value_length * itemsize(segment.value.dtype));
    }
    return bytes * shape.key_heads;
  }
};

// What one thread needs beside the partial results.
class Scratch {
 public:
  Scratch(const AttentionShape& shape, Index rows)
      : size_(itemsize(shape.lane)),
        block_(std::clamp(kBlockBytes / (std::max(shape.length, shape.value_length) * size_ + 1), Index{8},
                          kBlockKeys)),
        queries_(round_up(rows * shape.length * size_, 64)), scores_(rows * block_ * size_),
        converted_(round_up(block_ * std::max(shape.length, shape.value_length) * size_, 64)) {}

  Index nbytes() const { return queries_ + scores_ + converted_; }
  void begin_at(std::byte* memory) { memory_ = memory; }

  Index block() const { return block_; }
  std::byte* queries() const { return memory_; }
  std::byte* scores() const { return memory_ + queries_; }
  Index score_row() const { return block_ * size_; }
  std::byte* converted() const { return memory_ + queries_ + scores_; }

 private:
  Index size_, block_, queries_, scores_, converted_;
  std::byte* memory_ = nullptr;
};

// Rows of keys or values as the loops take them.
struct Rows {
  const std::byte* data;
  Index row;     // in bytes
  DType dtype;
};

// Where they lie, or converted to lanes.
Rows rows_for_loops(const HeadRows& from, Index first, Index head, Index n, Index length, DType lane,
                    std::byte* memory) {
  const bool same_lane = (lane == DType::Float64) == (from.dtype == DType::Float64);
  const bool taken = same_lane && loops().score[static_cast<int>(from.dtype)] != nullptr;
  if (taken && (from.element == 1 || length <= 1)) {
    return {from.at(first, head), from.row * itemsize(from.dtype), from.dtype};
  }
  const Index row = length * itemsize(lane);
  for (Index i = 0; i < n; ++i) {
    convert_lanes(from.dtype, from.at(first + i, head), from.step(), lane, memory + i * row, itemsize(lane),
                  length);
  }
  return {memory, row, lane};
}

// The chunk's result for the rows of one key head: their states, then their sums.
void attend_chunk(const AttentionRows& rows, KeyRange chunk, const Scratch& scratch, std::byte* partial) {
  const AttentionShape& shape = rows.shape;
  const Index count = rows.rows(), size = itemsize(shape.lane), sum_row = shape.value_length * size;
  auto* const states = reinterpret_cast<SoftmaxState*>(partial);
  std::byte* const sums = partial + count * static_cast<Index>(sizeof(SoftmaxState));
  std::fill_n(states, count, SoftmaxState{});
  std::memset(sums, 0, static_cast<std::size_t>(count * sum_row));
  rows.read_queries(scratch.queries());
  const ModelLoops& table = loops().model[shape.lane == DType::Float64];
  for_each_block(rows.sequence, chunk, scratch.block(), [&](const AttentionSegment& segment, Index first,
                                                            Index key, Index n) {
    const Rows keys = rows_for_loops(segment.key, first, rows.head, n, shape.length, shape.lane,
                                     scratch.converted());
    loops().score[static_cast<int>(keys.dtype)]({count, n, shape.length, scratch.queries(),
                                                 shape.length * size, keys.data, keys.row, scratch.scores(),
                                                 scratch.score_row()});
    for (Index row = 0; row < count; ++row) {
      std::byte* const scores = scratch.scores() + row * scratch.score_row();
      const double factor = soften(rows, row, key, n, scores, states[row]);
      std::byte* const own = sums + row * sum_row;
      if (factor != 1) table.scale(shape.value_length, own, factor, nullptr, own);
    }
    const Rows values = rows_for_loops(segment.value, first, rows.head, n, shape.value_length, shape.lane,
                                       scratch.converted());
    loops().weigh[static_cast<int>(values.dtype)]({count, n, shape.value_length, scratch.scores(),
                                                   scratch.score_row(), values.data, values.row, sums,
                                                   sum_row});
  });
}

// The chunks of one key head joined and written.
void join_chunks(const AttentionShape& shape, const Job& job, Index head, std::byte* partials,
                 std::byte* memory) {
  const AttentionRows rows{shape, *job.sequence, head, 0, job.sequence->count};
  const Index size = itemsize(shape.lane), sum_row = shape.value_length * size;
  const Index apart = shape.key_heads * job.partial;
  std::byte* const own = partials + head * job.partial;
  const auto state = [&](Index chunk, Index row) {
    return reinterpret_cast<const SoftmaxState*>(own + chunk * apart)[row];
  };
  const Index states = job.rows * static_cast<Index>(sizeof(SoftmaxState));
  for (Index row = 0; row < job.rows; ++row) {
    std::byte* const first_sums = own + states + row * sum_row;
    if (job.chunks == 1) {
      rows.write_result(row, first_sums, state(0, row).total);
      continue;
    }
    double largest = -std::numeric_limits<double>::infinity(), total = 0;
    for (Index i = 0; i < job.chunks; ++i) largest = std::max(largest, state(i, row).largest);
    alignas(64) double weights[kMostChunks];
    for (Index i = 0; i < job.chunks; ++i) {
      const double distance = state(i, row).largest - largest;
      weights[i] = distance == 0 ? 1 : std::isnan(distance) ? 0 : std::exp(distance);
      total += state(i, row).total * weights[i];
    }
    alignas(64) std::byte lanes[kMostChunks * 8];
    convert_lanes(DType::Float64, reinterpret_cast<const std::byte*>(weights), 8, shape.lane, lanes, size,
                  job.chunks);
    std::memset(memory, 0, static_cast<std::size_t>(sum_row));
    loops().weigh[static_cast<int>(shape.lane)](
        {1, job.chunks, shape.value_length, lanes, 0, first_sums, apart, memory, sum_row});
    rows.write_result(row, memory, total);
  }
}

class Round {
 public:
  Round(const AttentionShape& shape, std::span<Job> jobs) : shape_(shape), jobs_(jobs) {
    for (Job& job : jobs_) {
      job.place = bytes_;
      bytes_ += job.nbytes(shape);
      units_ += job.units(shape);
      traffic_ += job.traffic(shape);
      rows_ = std::max(rows_, job.rows);
    }
  }

  void run() {
    memory_ = reserve(PanelOf::Result, bytes_);
    if (memory_ == nullptr) throw errors::out_of_memory(bytes_);
    share(units_, traffic_, [&](Index begin, Index end) { return attend_units(begin, end); });
    const Index heads = static_cast<Index>(jobs_.size()) * shape_.key_heads;
    share(heads, bytes_, [&](Index begin, Index end) { return join_heads(begin, end); });
  }

 private:
  // Calls work(begin, end) for shares of `count` units that move so many bytes; false means no memory.
  template <class Work>
  void share(Index count, Index bytes, Work work) {
    const Index pieces = std::min<Index>(count, pieces_for(static_cast<std::size_t>(bytes)));
    const Index each = parts_of(count, pieces);
    std::atomic<bool> failed{false};
    run_pieces(static_cast<int>(parts_of(count, each)), [&](int piece) {
      if (!work(piece * each, std::min(count, (piece + 1) * each))) failed.store(true, std::memory_order_relaxed);
    });
    if (failed.load(std::memory_order_relaxed)) throw errors::out_of_memory(kBlockBytes);
  }

  // Units count heads, then chunks, then sequences: neighbours lie side by side in memory.
  bool attend_units(Index begin, Index end) const {
    Scratch scratch(shape_, rows_);
    std::byte* const memory = reserve(PanelOf::Left, scratch.nbytes());
    if (memory == nullptr) return false;
    scratch.begin_at(memory);
    Index start = 0;
    for (const Job& job : jobs_) {
      const Index units = job.units(shape_);
      for (Index unit = std::max(begin - start, Index{0}); unit < std::min(end - start, units); ++unit) {
        const Index chunk = unit / shape_.key_heads;
        const Index first = job.range.begin + chunk * job.chunk;
        const AttentionRows rows{shape_, *job.sequence, unit % shape_.key_heads, 0, job.sequence->count};
        attend_chunk(rows, {first, std::min(first + job.chunk, job.range.end)}, scratch,
                     memory_ + job.place + unit * job.partial);
      }
      start += units;
    }
    return true;
  }

  bool join_heads(Index begin, Index end) const {
    std::byte* const memory = reserve(PanelOf::Left, shape_.value_length * itemsize(shape_.lane) + 64);
    if (memory == nullptr) return false;
    for (Index i = begin; i < end; ++i) {
      const Job& job = jobs_[static_cast<std::size_t>(i / shape_.key_heads)];
      join_chunks(shape_, job, i % shape_.key_heads, memory_ + job.place, memory);
    }
    return true;
  }

  const AttentionShape& shape_;
  std::span<Job> jobs_;
  Index bytes_ = 0, units_ = 0, traffic_ = 0, rows_ = 0;
  std::byte* memory_ = nullptr;
};

}  // namespace

void attend_few(const AttentionShape& shape, std::span<const AttentionSequence* const> sequences) {
  std::vector<Job> jobs;
  Index bytes = 0;
  const auto run = [&] {
    if (!jobs.empty()) Round(shape, jobs).run();
    jobs.clear();
    bytes = 0;
  };
  for (const AttentionSequence* sequence : sequences) {
    jobs.emplace_back(shape, *sequence);
    bytes += jobs.back().nbytes(shape);
    if (bytes >= kPartialBytes) run();
  }
  run();
}

}  // namespace strided
