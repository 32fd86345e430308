#include "chain.hpp"

#include <algorithm>
#include <cstdlib>

#include "boxes.hpp"
#include "copy.hpp"
#include "scratch.hpp"
#include "threads.hpp"

namespace strided {
namespace {

constexpr Index kLongestBlock = 2048;                // elements of one row that are computed at a time
constexpr Index kStreamedBytes = 1024;               // the same where the result is streamed, of it
constexpr Index kLeastBlock = 64;
constexpr Index kBlockBytes = Index{48} << 10;       // of all temporaries and gathered operands together
constexpr Index kLargestItem = 16;
static_assert(kPackedBytes + std::max(kBlockBytes, kLeastBlock * kMostSlots * kLargestItem) <=
              static_cast<Index>(kScratchBytes));
constexpr Index kRowsAhead = 8;                      // fetched before they are needed
constexpr Index kEnough = 4096;                      // bytes between the pieces of threads
constexpr Index kStreamedRow = 256;                  // bytes; shorter rows leave lines half written

// ---- one row, block by block ----

class Runner {
 public:
  Runner(const Chain& chain, const bool* stepped) : chain_(chain), memory_(scratch()), stepped_(stepped) {
    Index bytes = 0;
    for (Index size : chain.temporary) bytes += size;
    for (int k = 0; k < chain.operands; ++k) {
      if (!stepped[k]) continue;
      bytes += chain.itemsize[k];
      any_stepped_ = true;
    }
    Index widest = 1;
    for (int k = 0; k < chain.outputs && chain.stream; ++k) {
      bytes += chain.itemsize[k];
      widest = std::max(widest, chain.itemsize[k]);
    }
    // While results are written past the caches nothing is read: a long block would keep memory waiting.
    const Index longest = chain.stream && (any_stepped_ || !streams_itself()) ? kStreamedBytes / widest : kLongestBlock;
    block_ = bytes == 0 ? longest : std::clamp(kBlockBytes / bytes / kLeastBlock * kLeastBlock, kLeastBlock, longest);
    std::byte* next = memory_ + kPackedBytes;
    for (Index size : chain.temporary) {
      slots_[chain.operands + temporaries_] = next;
      steps_[chain.operands + temporaries_++] = size;
      next += size * block_;
    }
    for (int k = 0; k < chain.operands; ++k) {
      if (!stepped[k] && (k >= chain.outputs || !chain.stream)) continue;
      held_[k] = next;
      next += chain.itemsize[k] * block_;
    }
  }

  std::byte* packed() const { return memory_; }
  Index block() const { return temporaries_ == 0 && !any_stepped_ && !chain_.stream ? 0 : block_; }

  void run(Index n, std::byte* const* data, const Index* strides) {
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

 private:
  // Whether the only result comes out of a loop that can stream.
  bool streams_itself() const {
    const Step& last = chain_.steps.back();
    return chain_.outputs == 1 && (last.loop == nullptr || last.streamed != nullptr);
  }

  // Of the outputs: all or none.
  int count_streamed(Index n, const Index* strides) const {
    if (!chain_.stream) return 0;
    for (int k = 0; k < chain_.outputs; ++k) {
      if (strides[k] != chain_.itemsize[k] || n * strides[k] < kStreamedRow) return 0;
    }
    return chain_.outputs;
  }

  void copy_elements(int k, Index n, std::byte* out, Index out_step, const std::byte* in, Index in_step) const {
    RowBlock row{out, in, 1, n, 0, 0, out_step, in_step};
    row.far = chain_.stream;
    loops().copy.rows[bit_size(chain_.itemsize[k])][0](row);
  }

  void take(const Step& step, Index count, bool streams) {
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

  const Chain& chain_;
  std::byte* memory_;
  const bool* stepped_;  // by operand: goes through a block of its own, in which elements lie side by side
  bool any_stepped_ = false;
  Index block_;
  int temporaries_ = 0;
  std::byte* slots_[kMostSlots];
  Index steps_[kMostSlots];
  std::byte* held_[kMaxOperands];
};

// ---- rows and boxes ----

// Short rows end before the processor has noticed that they are read in order, so a few rows ahead are
// fetched by hand. `fetched` operands come from memory and lie side by side.
void run_rows(Runner& runner, const Plan& plan, std::byte* const* storage, std::uint32_t fetched = 0) {
  Index strides[kMaxOperands];
  for (int k = 0; k < plan.operands; ++k) strides[k] = plan.inner_stride(k);
  const Index n = plan.inner_length();
  for_each_row(plan, storage, [&](std::byte* const* data) {
    for (int k = 0; fetched >> k != 0; ++k) {
      if ((fetched >> k & 1) == 0) continue;
      const std::byte* const ahead = data[k] + kRowsAhead * plan.strides[k][plan.rank() - 2];
      for (Index at = 0; at < n * strides[k]; at += kLine) __builtin_prefetch(ahead + at, 0, 2);
    }
    runner.run(n, data, strides);
  });
}

// Copies the part of operand k that a box spans into packed memory, in the box's order.
void pack(const Boxes& boxes, int k, Index itemsize, const Index* lengths, std::byte* from, std::byte* to) {
  Plan part;
  part.operands = 2;
  part.start[0] = part.start[1] = 0;
  const int first = boxes.plan.rank() - boxes.boxed;
  Index step = itemsize;
  for (int i = 0; i < boxes.boxed; ++i) {
    part.shape.push_back(lengths[i]);
    part.strides[0].push_back(0);
    part.strides[1].push_back(boxes.plan.strides[k][first + i]);
  }
  for (int i = boxes.boxed - 1; i >= 0; --i) {
    part.strides[0][i] = step;
    step *= lengths[i];
  }
  std::byte* const storage[] = {to, from};
  run_copy(make_copy_plan(part, itemsize, CopyKind::Fetched), storage);
}

void run_box(Runner& runner, const Chain& chain, const Boxes& boxes, const Index* lengths,
             std::byte* const* data) {
  Plan rows;  // of the box: its axes, with packed operands in their packed order
  rows.operands = chain.operands;
  const int first = boxes.plan.rank() - boxes.boxed;
  std::byte* storage[kMaxOperands];
  std::byte* packed = runner.packed();
  for (int i = 0; i < boxes.boxed; ++i) rows.shape.push_back(lengths[i]);
  for (int k = 0; k < chain.operands; ++k) {
    storage[k] = data[k];
    rows.start[k] = 0;
    rows.strides[k].resize(boxes.boxed);
    Index step = chain.itemsize[k];
    for (int i = boxes.boxed - 1; i >= 0; --i) {
      rows.strides[k][i] = boxes.turned[k] ? step : boxes.plan.strides[k][first + i];
      step *= lengths[i];
    }
  }
  for (int k = chain.outputs; k < chain.operands; ++k) {
    if (!boxes.turned[k]) continue;
    pack(boxes, k, chain.itemsize[k], lengths, data[k], packed);
    storage[k] = packed;
    packed += lengths[0] * rows.strides[k][0];
  }
  fuse_axes(rows);
  std::uint32_t fetched = 0;
  for (int k = chain.outputs; k < chain.operands && rows.rank() > 1; ++k) {
    if (!boxes.turned[k] && rows.inner_stride(k) == chain.itemsize[k]) fetched |= 1u << k;
  }
  run_rows(runner, rows, storage, fetched);
}

// Cuts the last axes into boxes, the first of them outermost.
void for_each_box(Runner& runner, const Chain& chain, const Boxes& boxes, int i, Index* lengths,
                  std::byte* const* data) {
  if (i == boxes.boxed) return run_box(runner, chain, boxes, lengths, data);
  const int axis = boxes.plan.rank() - boxes.boxed + i;
  const Index length = boxes.plan.shape[axis];
  for (Index at = 0; at < length; at += boxes.box[i]) {
    std::byte* moved[kMaxOperands];
    for (int k = 0; k < chain.operands; ++k) moved[k] = data[k] + at * boxes.plan.strides[k][axis];
    lengths[i] = std::min(boxes.box[i], length - at);
    for_each_box(runner, chain, boxes, i + 1, lengths, moved);
  }
}

void run_piece(const Chain& chain, const Plan& plan, std::byte* const* storage) {
  for (Index length : plan.shape) if (length == 0) return;
  const Boxes boxes = make_boxes(chain, plan);
  Runner runner(chain, boxes.stepped);
  if (boxes.boxed == 1) {
    run_rows(runner, boxes.plan, storage);
  } else {
    Plan outer = boxes.plan;  // for_each_row leaves out one axis: a box's axes are taken as one
    const int rank = outer.rank() - boxes.boxed + 1;
    outer.shape.resize(rank);
    for (int k = 0; k < outer.operands; ++k) outer.strides[k].resize(rank);
    for_each_row(outer, storage, [&](std::byte* const* data) {
      Index lengths[kMaxRank];
      for_each_box(runner, chain, boxes, 0, lengths, data);
    });
  }
  if (chain.stream) loops().copy.finish_streams();
}

std::size_t traffic(const Chain& chain, const Plan& plan) {
  Index count = 1, bytes = 0;
  for (Index length : plan.shape) count *= length;
  for (int k = 0; k < chain.operands; ++k) bytes += chain.itemsize[k];
  return static_cast<std::size_t>(count * bytes);
}

int pieces_of(const Chain& chain, const Plan& plan) {
  return plan.rank() == 0 ? 1 : pieces_for(traffic(chain, plan));
}

// The axis to share among threads: pieces should not take turns within the lines of any operand, turned ones
// included.
int axis_to_share(const Plan& plan, Index pieces) {
  int best = -1;
  Index farthest = 0;
  for (int axis = 0; axis < plan.rank(); ++axis) {
    if (plan.shape[axis] < pieces) continue;
    Index apart = kEnough;
    for (int k = 0; k < plan.operands; ++k) {
      const Index step = std::abs(plan.strides[k][axis]);
      if (step != 0) apart = std::min(apart, step);
    }
    if (apart > farthest) best = axis, farthest = apart;
  }
  return best < 0 ? split_axis(plan, pieces) : best;
}

}  // namespace

std::string text_of(const Chain& chain, const Plan& plan) {
  const Boxes boxes = make_boxes(chain, plan);
  std::string out = boxes.plan.text();
  for (int k = 0; k < chain.operands; ++k) {
    if (boxes.stepped[k]) out += "; operand " + std::to_string(k) + " put side by side in blocks";
    if (!boxes.turned[k]) continue;
    out += "; operand " + std::to_string(k) + " turned in boxes of " + text_of({boxes.box, static_cast<std::size_t>(boxes.boxed)});
  }
  out += "; " + std::to_string(chain.steps.size()) + (chain.steps.size() == 1 ? " step" : " steps");
  if (const Index block = Runner(chain, boxes.stepped).block()) out += " on blocks of " + std::to_string(block);
  if (chain.stream) out += "; past the caches";
  const int pieces = pieces_of(chain, plan);
  return out + "; " + std::to_string(pieces) + (pieces == 1 ? " piece" : " pieces");
}

void run_chain(const Chain& chain, const Plan& plan, std::byte* const* storage) {
  const int pieces = pieces_of(chain, plan);
  if (pieces == 1) return run_piece(chain, plan, storage);
  const int axis = axis_to_share(plan, pieces);
  run_pieces(pieces, [&](int piece) {
    Plan part = piece_of(plan, axis, piece, pieces);
    drop_unit_axes(part);
    run_piece(chain, part, storage);
  });
}

}  // namespace strided
