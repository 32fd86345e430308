// Attention of few queries, as in decoding: every key and value is read once, where it lies, for all rows of its head.
//
// The keys of a long sequence are cut into chunks for threads, each with all heads or some. The results of the chunks
// of a head are joined in the end.
#include <cmath>
#include <cstring>
#include <vector>

#include "attention_rows.hpp"
#include "kernels/convert/packed.hpp"
#include "plan/split.hpp"
#include "run/arena.hpp"
#include "run/machine.hpp"

namespace strided::kernels::nn {
namespace {

// Fixed: they decide the bits, as kBlockKeysOfFew does. Bytes of keys or values that are converted at a time; chunks of
// a sequence, more than most machines have threads.
constexpr Index kBlockBytes = 64 << 10;
constexpr Index kMostChunks = 64;

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
    range = all.visible();
    const Index keys = range.end - range.begin;
    chunk = std::max(kBlockKeysOfFew, round_up(ceil_div(keys, kMostChunks), kBlockKeysOfFew));
    chunks = std::max<Index>(1, ceil_div(keys, chunk));
    rows = all.rows();
    partial = round_up(rows * (static_cast<Index>(sizeof(SoftmaxState)) +
                               shape.value_length * itemsize(shape.compute)), 64);
  }

  Index tasks(const AttentionShape& shape) const { return chunks * shape.key_heads; }
  Index nbytes(const AttentionShape& shape) const { return tasks(shape) * partial; }
  Index traffic(const AttentionShape& shape) const {
    Index bytes = 0;
    for (const AttentionSegment& segment : sequence->segments) {
      bytes += segment.count * (shape.length * itemsize(segment.key.dtype) +
                                shape.value_length * itemsize(segment.value.dtype));
    }
    return bytes * shape.key_heads;
  }
};

// What one thread needs beside the partial results, for some key heads at a time.
class HeadBuffers {
 public:
  HeadBuffers(const AttentionShape& shape, Index rows, Index heads)
      : size_(itemsize(shape.compute)),
        block_(std::clamp(kBlockBytes / (std::max(shape.length, shape.value_length) * size_ + 1), Index{8},
                          kBlockKeysOfFew)),
        query_head_(round_up(rows * shape.length * size_, 64)), score_head_(rows * block_ * size_),
        heads_(heads),
        converted_(round_up(block_ * std::max(shape.length, shape.value_length) * size_, 64)) {}

  Index nbytes() const { return heads_ * (query_head_ + score_head_) + converted_; }
  void begin_at(std::byte* memory) { memory_ = memory; }

  Index block() const { return block_; }
  std::byte* queries(Index head) const { return memory_ + head * query_head_; }
  std::byte* scores(Index head) const { return queries(heads_) + head * score_head_; }
  std::byte* converted() const { return scores(heads_); }
  Index query_head() const { return query_head_; }
  Index score_head() const { return score_head_; }
  Index score_row() const { return block_ * size_; }

 private:
  Index size_, block_, query_head_, score_head_, heads_, converted_;
  std::byte* memory_ = nullptr;
};

// Whether the loops take rows of keys or values where they lie.
bool takes_rows(const HeadRows& from, Index length, DType compute) {
  const bool same_compute = (compute == DType::Float64) == (from.dtype == DType::Float64);
  return same_compute && loops().score[static_cast<int>(from.dtype)] != nullptr && (from.element == 1 || length <= 1);
}

// Calls run(first head, heads, data, head stride, row stride, dtype) with rows of keys or values as the loops
// take them, in bytes: all heads where they lie, or head by head, converted and packed.
template <class Run>
void for_loops(const HeadRows& from, Index first, Index n, Index head, Index heads, Index length, DType compute,
               std::byte* memory, Run&& run) {
  const Index item = itemsize(from.dtype), size = itemsize(compute);
  if (takes_rows(from, length, compute)) {
    return run(Index{0}, heads, static_cast<const std::byte*>(from.at(first, head)), scaled(from.head, item, 1),
               scaled(from.row, item, 1), from.dtype);
  }
  for (Index h = 0; h < heads; ++h) {
    for (Index i = 0; i < n; ++i) {
      convert::elements(from.dtype, from.at(first + i, head + h), from.step(), compute, memory + i * length * size,
                    size, length);
    }
    run(h, Index{1}, static_cast<const std::byte*>(memory), Index{0}, length * size, compute);
  }
}

// One chunk of keys for some heads of a sequence. The result of each: the states of its rows, then their sums.
class Chunk {
 public:
  Chunk(const AttentionShape& shape, const Job& job, Index head, Index heads, const HeadBuffers& scratch,
        std::byte* partials)
      : shape_(shape), job_(job), head_(head), heads_(heads), scratch_(scratch), partials_(partials),
        size_(itemsize(shape.compute)), sum_row_(shape.value_length * size_) {
    for (Index h = 0; h < heads; ++h) {
      std::fill_n(states(h), job.rows, SoftmaxState{});
      std::memset(sums(h), 0, static_cast<std::size_t>(job.rows * sum_row_));
      rows(h).read_queries(scratch.queries(h));
    }
  }

  void run(KeyRange keys) const {
    for_each_block(*job_.sequence, keys, scratch_.block(),
                   [&](const AttentionSegment& segment, Index first, Index key, Index n) {
                     score(segment.key, first, n);
                     softmax_block_of_all(key, n);
                     weigh(segment.value, first, n);
                   });
  }

 private:
  AttentionRows rows(Index h) const {
    return {shape_, *job_.sequence, head_ + h, 0, job_.sequence->count};
  }
  SoftmaxState* states(Index h) const {
    return reinterpret_cast<SoftmaxState*>(partials_ + h * job_.partial);
  }
  std::byte* sums(Index h) const {
    return partials_ + h * job_.partial + job_.rows * static_cast<Index>(sizeof(SoftmaxState));
  }

  void score(const HeadRows& key, Index first, Index n) const {
    for_loops(key, first, n, head_, heads_, shape_.length, shape_.compute, scratch_.converted(),
              [&](Index h, Index heads, const std::byte* data, Index head, Index row, DType dtype) {
                loops().score[static_cast<int>(dtype)](
                    {heads, job_.rows, n, shape_.length, scratch_.queries(h), scratch_.query_head(),
                     shape_.length * size_, data, head, row, scratch_.scores(h), scratch_.score_head(),
                     scratch_.score_row()});
              });
  }

  void softmax_block_of_all(Index key, Index n) const {
    const ModelLoops& table = loops().model[shape_.compute == DType::Float64];
    for (Index h = 0; h < heads_; ++h) {
      const AttentionRows own = rows(h);
      for (Index row = 0; row < job_.rows; ++row) {
        const double factor =
            softmax_block(own, row, key, n, scratch_.scores(h) + row * scratch_.score_row(), states(h)[row]);
        std::byte* const so_far = sums(h) + row * sum_row_;
        if (factor != 1) table.scale(shape_.value_length, so_far, factor, nullptr, so_far);
      }
    }
  }

  void weigh(const HeadRows& value, Index first, Index n) const {
    for_loops(value, first, n, head_, heads_, shape_.value_length, shape_.compute, scratch_.converted(),
              [&](Index h, Index heads, const std::byte* data, Index head, Index row, DType dtype) {
                loops().weigh[static_cast<int>(dtype)](
                    {heads, job_.rows, n, shape_.value_length, scratch_.scores(h), scratch_.score_head(),
                     scratch_.score_row(), data, head, row, sums(h), job_.partial, sum_row_});
              });
  }

  const AttentionShape& shape_;
  const Job& job_;
  const Index head_, heads_;
  const HeadBuffers& scratch_;
  std::byte* const partials_;
  const Index size_, sum_row_;
};

// The chunks of one key head joined and written.
void join_chunks(const AttentionShape& shape, const Job& job, Index head, std::byte* partials,
                 std::byte* memory) {
  const AttentionRows rows{shape, *job.sequence, head, 0, job.sequence->count};
  const Index size = itemsize(shape.compute), sum_row = shape.value_length * size;
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
    alignas(64) std::byte packed[kMostChunks * 8];
    convert::elements(DType::Float64, reinterpret_cast<const std::byte*>(weights), 8, shape.compute, packed, size,
                  job.chunks);
    std::memset(memory, 0, static_cast<std::size_t>(sum_row));
    loops().weigh[static_cast<int>(shape.compute)](
        {1, 1, job.chunks, shape.value_length, packed, 0, 0, first_sums, 0, apart, memory, 0, sum_row});
    rows.write_result(row, memory, total);
  }
}

class Round {
 public:
  Round(const AttentionShape& shape, std::span<Job> jobs) : shape_(shape), jobs_(jobs) {
    for (Job& job : jobs_) {
      job.place = bytes_;
      bytes_ += job.nbytes(shape);
      tasks_ += job.tasks(shape);
      traffic_ += job.traffic(shape);
      rows_ = std::max(rows_, job.rows);
    }
  }

  void run() {
    Scratch scratch;
    memory_ = scratch.take<std::byte>(bytes_);
    // All heads of a position are adjacent in memory: they stay together where there are chunks enough.
    const bool whole = tasks_ >= thread_count() * shape_.key_heads;
    const Index together = whole ? shape_.key_heads : 1;
    const Index groups = tasks_ / together;
    const int chunks = chunks_for(groups, traffic_);
    const RecordScope scope([&] { return record(chunks); });
    run_range_in_chunks(groups, chunks,
                        [&](Index begin, Index end) { attend_tasks(begin * together, end * together); });
    const Index heads = static_cast<Index>(jobs_.size()) * shape_.key_heads;
    run_range_in_chunks(heads, chunks_for(heads, bytes_), [&](Index begin, Index end) { join_heads(begin, end); });
  }

 private:
  PlanRecord record(int chunks) const {
    std::vector<const AttentionSequence*> sequences;
    for (const Job& job : jobs_) sequences.push_back(job.sequence);
    const AttentionSequence& first = *sequences[0];
    InnerLoops named = softmax_loops(shape_, first);
    if (!first.segments.empty()) {
      const auto taken = [&](const HeadRows& rows, Index length) {
        const bool as_is = takes_rows(rows, length, shape_.compute);
        if (!as_is) named.read(rows.dtype, rows.step());
        return static_cast<int>(as_is ? rows.dtype : shape_.compute);
      };
      const AttentionSegment& segment = first.segments[0];
      named.table(loops().score[taken(segment.key, shape_.length)],
                  loops().weigh[taken(segment.value, shape_.value_length)]);
    }
    named.written(first.out.dtype, first.out.step());
    return record_of_attention("attention", shape_, sequences, chunks,
                               "all queries by " + std::to_string(jobs_[0].chunk) + " keys", named);
  }

  // Tasks count heads, then chunks, then sequences: neighbours are adjacent in memory.
  void attend_tasks(Index begin, Index end) const {
    Scratch scratch;
    HeadBuffers buffers(shape_, rows_, std::min(shape_.key_heads, end - begin));
    buffers.begin_at(scratch.take<std::byte>(buffers.nbytes()));
    Index start = 0;
    for (const Job& job : jobs_) {
      const Index tasks = job.tasks(shape_), last = std::min(end - start, tasks);
      for (Index task = std::max(begin - start, Index{0}); task < last;) {
        const Index head = task % shape_.key_heads, heads = std::min(shape_.key_heads - head, last - task);
        const Index first = job.range.begin + task / shape_.key_heads * job.chunk;
        Chunk(shape_, job, head, heads, buffers, memory_ + job.place + task * job.partial)
            .run({first, std::min(first + job.chunk, job.range.end)});
        task += heads;
      }
      start += tasks;
    }
  }

  void join_heads(Index begin, Index end) const {
    Scratch scratch;
    std::byte* const memory = scratch.take<std::byte>(shape_.value_length * itemsize(shape_.compute) + 64);
    for (Index i = begin; i < end; ++i) {
      const Job& job = jobs_[static_cast<std::size_t>(i / shape_.key_heads)];
      join_chunks(shape_, job, i % shape_.key_heads, memory_ + job.place, memory);
    }
  }

  const AttentionShape& shape_;
  std::span<Job> jobs_;
  Index bytes_ = 0, tasks_ = 0, traffic_ = 0, rows_ = 0;
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
    if (bytes >= machine().stream_bytes) run();  // results of chunks should still be in a cache when they are joined
  }
  run();
}

}  // namespace strided::kernels::nn
