#include "row_runner.hpp"

#include <algorithm>

#include "plan/walk.hpp"

namespace strided::kernels::elementwise {
namespace {

// Elements of one row that are computed at a time. From some hundred on to begin a step costs nothing any more.
constexpr Index kLongestBlock = 2048;
constexpr Index kStreamedBytes = 1024;               // of a result that is streamed: see RowPlan
constexpr Index kLeastBlock = 64;                    // elements: whole vectors of the smallest items
constexpr Index kMostBlockBytes = Index{48} << 10;   // as much memory as a runner takes for blocks
constexpr Index kMemoryBytes = kMostPackedBytes + std::max(kMostBlockBytes, kLeastBlock * kMostSlots * kLargestItem);
constexpr Index kStreamedRow = 256;                  // bytes; shorter rows leave lines half written

constexpr Index kRowsAhead = 8;                      // so far ahead are rows prefetched: more than memory's latency

// Of all temporaries and packed operands together.
Index block_bytes() { return std::min(machine().l1, kMostBlockBytes); }

// Whether the only result comes out of a loop that can stream; other results are buffered in a cache first.
bool streams_from_loop(const Chain& chain) {
  const Step& last = chain.steps.back();
  return chain.outputs == 1 && (last.loop == nullptr || last.streamed != nullptr);
}

// All results or none; what is moved from a tile to its place passes through the caches.
bool streams_rows(const Chain& chain, const Tiles& tiles, Index length, const Index* output_steps) {
  bool streams = chain.may_stream;
  for (int k = 0; k < chain.outputs && streams; ++k) {
    streams = !has(tiles.transposed, k) && output_steps[k] == chain.itemsize[k] &&
              length * chain.itemsize[k] >= kStreamedRow;
  }
  return streams;
}

}  // namespace

RowPlan::RowPlan(const Chain& chain, const Tiles& tiles, Index length, const Index* output_steps)
    : strided(tiles.strided), streams(streams_rows(chain, tiles, length, output_steps)), block(0) {
  const bool from_loop = streams && streams_from_loop(chain);
  // Without temporaries there is nothing that must stay in a cache.
  if (chain.temporary.empty() && strided == 0 && (!streams || from_loop)) return;
  Index bytes = 0, widest = 1;
  for (Index size : chain.temporary) bytes += size;
  for (int k = 0; k < chain.operands; ++k) {
    if (has(strided, k)) bytes += chain.itemsize[k];
    if (k >= chain.outputs || !streams) continue;
    bytes += chain.itemsize[k];
    widest = std::max(widest, chain.itemsize[k]);
  }
  // While results are written by non-temporal stores nothing is read: a long block would keep memory waiting.
  const Index longest = streams && (strided != 0 || !from_loop) ? kStreamedBytes / widest : kLongestBlock;
  block = std::clamp(block_bytes() / bytes / kLeastBlock * kLeastBlock, kLeastBlock, longest);
}

RowRunner::RowRunner(const Chain& chain, const RowPlan& plan, bool packs)
    : chain_(chain), plan_(plan), memory_(packs || plan.block > 0 ? scratch_.take<std::byte>(kMemoryBytes) : nullptr),
      buffered_(plan.strided), loop_streams_(plan.streams && streams_from_loop(chain)) {
  if (plan.block == 0) return;
  if (plan.streams && !loop_streams_) buffered_ |= only(chain.outputs) - 1;
  std::byte* next = memory_ + kMostPackedBytes;
  int slot = chain.operands;
  for (Index size : chain.temporary) {
    slots_[slot] = next;
    steps_[slot++] = size;
    next += size * plan.block;
  }
  for (int k = 0; buffered_ >> k != 0; ++k) {
    if (!is_buffered(k)) continue;
    buffers_[k] = next;
    next += chain.itemsize[k] * plan.block;
  }
}

void RowRunner::run(Index n, std::byte* const* data, const Index* strides) {
  const bool streams_buffers = plan_.streams && !loop_streams_;
  const Index longest = plan_.block == 0 ? n : plan_.block;
  for (int k = 0; k < chain_.operands; ++k) {
    slots_[k] = is_buffered(k) ? buffers_[k] : data[k];
    steps_[k] = is_buffered(k) ? chain_.itemsize[k] : strides[k];
  }
  for (Index done = 0; done < n; done += longest) {
    const Index count = std::min(longest, n - done);
    for (int k = chain_.outputs; plan_.strided >> k != 0; ++k) {
      if (!has(plan_.strided, k)) continue;
      copy_elements(k, count, buffers_[k], chain_.itemsize[k], data[k] + done * strides[k], strides[k]);
    }
    for (const Step& step : chain_.steps) take(step, count, loop_streams_ && step.slot[0] == 0);
    for (int k = 0; k < chain_.outputs && buffered_ != 0; ++k) {
      std::byte* const out = data[k] + done * strides[k];
      if (streams_buffers) loops().copy.stream(out, buffers_[k], count * strides[k]);
      else if (is_buffered(k)) copy_elements(k, count, out, strides[k], buffers_[k], chain_.itemsize[k]);
    }
    for (int k = 0; k < chain_.operands; ++k) {
      if (!is_buffered(k)) slots_[k] += count * strides[k];
    }
  }
}

void RowRunner::run_rows(const IterationSpace& space, std::byte* const* storage, OperandSet prefetched) {
  Index strides[kMaxOperands];
  for (int k = 0; k < space.operands; ++k) strides[k] = space.inner_stride(k);
  const Index n = space.inner_length();
  for_each_row(space, storage, [&](std::byte* const* data) {
    for (int k = 0; prefetched >> k != 0; ++k) {
      if (!has(prefetched, k)) continue;
      const std::byte* const ahead = data[k] + kRowsAhead * space.strides[k][space.rank() - 2];
      for (Index at = 0; at < n * strides[k]; at += kLine) __builtin_prefetch(ahead + at, 0, 2);
    }
    run(n, data, strides);
  });
}

void RowRunner::copy_elements(int k, Index n, std::byte* out, Index out_step, const std::byte* in,
                              Index in_step) const {
  copy::RowBlock row{out, in, 1, n, 0, 0, out_step, in_step};
  row.from_memory = chain_.may_stream;
  loops().copy.rows[copy::bit_size(chain_.itemsize[k])][0](row);
}

void RowRunner::take(const Step& step, Index count, bool streams) {
  std::byte* data[kMostQuickOperands + 1];
  Index strides[kMostQuickOperands + 1];
  for (int i = 0; i < step.slots; ++i) {
    data[i] = slots_[step.slot[i]];
    strides[i] = steps_[step.slot[i]];
  }
  // What depends on nothing but repeated elements is the same everywhere: it is computed once.
  if (step.slot[0] >= chain_.operands) {
    bool repeated = true;
    for (int i = 1; i < step.slots; ++i) repeated &= strides[i] == 0;
    strides[0] = steps_[step.slot[0]] = repeated ? 0 : chain_.temporary[step.slot[0] - chain_.operands];
    if (repeated) count = 1;
  }
  if (step.loop != nullptr) (streams && step.streamed ? step.streamed : step.loop)(count, data, strides);
  else step.quick(count, data, strides, step.run, streams);
}

}  // namespace strided::kernels::elementwise
