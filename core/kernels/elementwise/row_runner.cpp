#include "row_runner.hpp"

#include <algorithm>

#include "boxes.hpp"

namespace strided {
namespace {

constexpr Index kLongestBlock = 2048;                // elements of one row that are computed at a time
constexpr Index kStreamedBytes = 1024;               // the same where the result is streamed, of it
constexpr Index kLeastBlock = 64;
constexpr Index kBlockBytes = Index{48} << 10;       // of all temporaries and gathered operands together
constexpr Index kLargestItem = 16;
constexpr Index kMemoryBytes = kPackedBytes + std::max(kBlockBytes, kLeastBlock * kMostSlots * kLargestItem);
constexpr Index kStreamedRow = 256;                  // bytes; shorter rows leave lines half written

}  // namespace

RowRunner::RowRunner(const Chain& chain, const Boxes& boxes)
    : chain_(chain), memory_(scratch_.take<std::byte>(kMemoryBytes)), stepped_(boxes.stepped), stream_(chain.stream) {
  // What is moved from a box to its place passes through the caches.
  for (int k = 0; k < chain.outputs; ++k) stream_ &= !boxes.turned[k];
  Index bytes = 0;
  for (Index size : chain.temporary) bytes += size;
  for (int k = 0; k < chain.operands; ++k) {
    if (!stepped_[k]) continue;
    bytes += chain.itemsize[k];
    any_stepped_ = true;
  }
  Index widest = 1;
  for (int k = 0; k < chain.outputs && stream_; ++k) {
    bytes += chain.itemsize[k];
    widest = std::max(widest, chain.itemsize[k]);
  }
  // While results are written past the caches nothing is read: a long block would keep memory waiting.
  const Index longest = stream_ && (any_stepped_ || !streams_itself()) ? kStreamedBytes / widest : kLongestBlock;
  block_ = bytes == 0 ? longest : std::clamp(kBlockBytes / bytes / kLeastBlock * kLeastBlock, kLeastBlock, longest);
  std::byte* next = memory_ + kPackedBytes;
  for (Index size : chain.temporary) {
    slots_[chain.operands + temporaries_] = next;
    steps_[chain.operands + temporaries_++] = size;
    next += size * block_;
  }
  for (int k = 0; k < chain.operands; ++k) {
    if (!stepped_[k] && (k >= chain.outputs || !stream_)) continue;
    held_[k] = next;
    next += chain.itemsize[k] * block_;
  }
}

void RowRunner::run(Index n, std::byte* const* data, const Index* strides) {
  // Some loops stream by themselves; other results are held in the cache first.
  const int streamable = count_streamed(n, strides);
  const int streamed = streams_itself() ? 0 : streamable;
  // Without temporaries there is nothing that must stay in a cache.
  const Index longest = temporaries_ == 0 && !any_stepped_ && streamed == 0 ? n : block_;
  for (int k = 0; k < chain_.operands; ++k) {
    const bool held = k < streamed || stepped_[k];
    slots_[k] = held ? held_[k] : data[k];
    steps_[k] = held ? chain_.itemsize[k] : strides[k];
  }
  for (Index done = 0; done < n; done += longest) {
    const Index count = std::min(longest, n - done);
    for (int k = chain_.outputs; k < chain_.operands && any_stepped_; ++k) {
      if (stepped_[k]) copy_elements(k, count, held_[k], chain_.itemsize[k], data[k] + done * strides[k], strides[k]);
    }
    for (const Step& step : chain_.steps) take(step, count, streamable > streamed && step.slot[0] == 0);
    for (int k = 0; k < chain_.outputs; ++k) {
      std::byte* const out = data[k] + done * strides[k];
      if (k < streamed) loops().copy.stream(out, held_[k], count * strides[k]);
      else if (stepped_[k]) copy_elements(k, count, out, strides[k], held_[k], chain_.itemsize[k]);
    }
    for (int k = 0; k < chain_.operands; ++k) {
      if (k >= streamed && !stepped_[k]) slots_[k] += count * strides[k];
    }
  }
}

// Whether the only result comes out of a loop that can stream.
bool RowRunner::streams_itself() const {
  const Step& last = chain_.steps.back();
  return chain_.outputs == 1 && (last.loop == nullptr || last.streamed != nullptr);
}

// Of the outputs: all or none.
int RowRunner::count_streamed(Index n, const Index* strides) const {
  if (!stream_) return 0;
  for (int k = 0; k < chain_.outputs; ++k) {
    if (strides[k] != chain_.itemsize[k] || n * strides[k] < kStreamedRow) return 0;
  }
  return chain_.outputs;
}

void RowRunner::copy_elements(int k, Index n, std::byte* out, Index out_step, const std::byte* in, Index in_step) const {
  RowBlock row{out, in, 1, n, 0, 0, out_step, in_step};
  row.far = chain_.stream;
  loops().copy.rows[bit_size(chain_.itemsize[k])][0](row);
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

}  // namespace strided
