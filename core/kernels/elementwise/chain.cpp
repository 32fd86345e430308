#include "chain.hpp"

#include <algorithm>
#include <cstdlib>

#include "boxes.hpp"
#include "kernels/copy/copy.hpp"
#include "plan/record.hpp"
#include "plan/split.hpp"
#include "plan/walk.hpp"
#include "row_runner.hpp"
#include "run/pool.hpp"

namespace strided {
namespace {

constexpr Index kRowsAhead = 8;                      // fetched before they are needed

// Short rows end before the processor has noticed that they are read in order, so a few rows ahead are
// fetched by hand. `fetched` operands come from memory and lie side by side.
void run_rows(RowRunner& runner, const IterationSpace& plan, std::byte* const* storage, std::uint32_t fetched = 0) {
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

// Takes boxes one by one: turned operands are copied into the box's own order, computed there, and results that
// are turned copied to their places.
class BoxWalk {
 public:
  BoxWalk(RowRunner& runner, const Chain& chain, const Boxes& boxes)
      : runner_(runner), chain_(chain), boxes_(boxes), first_(boxes.plan.rank() - boxes.boxed) {
    Index room = 1;
    for (int i = 0; i < boxes.boxed; ++i) room *= boxes.box[i];
    std::byte* next = runner.packed();
    for (int k = 0; k < chain.operands; ++k) {
      if (!boxes.turned[k]) continue;
      packed_[k] = next;
      next += room * chain.itemsize[k];
    }
  }

  // Cuts the last axes into boxes, the first of them outermost.
  void run(std::byte* const* data, int i = 0) {
    if (i == boxes_.boxed) return run_box(data);
    const Index length = boxes_.plan.shape[first_ + i];
    for (Index at = 0; at < length; at += boxes_.box[i]) {
      std::byte* moved[kMaxOperands];
      for (int k = 0; k < chain_.operands; ++k) moved[k] = data[k] + at * boxes_.plan.strides[k][first_ + i];
      lengths_[i] = std::min(boxes_.box[i], length - at);
      run(moved, i + 1);
    }
  }

 private:
  // The steps of operand k in its own memory and in the box's order.
  IterationSpace part_of(int k, bool to_box) const {
    IterationSpace part;
    part.operands = 2;
    part.start[0] = part.start[1] = 0;
    Index step = chain_.itemsize[k];
    for (int i = 0; i < boxes_.boxed; ++i) {
      part.shape.push_back(lengths_[i]);
      part.strides[to_box ? 0 : 1].push_back(0);
      part.strides[to_box ? 1 : 0].push_back(boxes_.plan.strides[k][first_ + i]);
    }
    for (int i = boxes_.boxed - 1; i >= 0; --i) {
      part.strides[to_box ? 0 : 1][i] = step;
      step *= lengths_[i];
    }
    drop_unit_axes(part);
    fuse_axes(part);
    return part;
  }

  void move(int k, bool to_box, std::byte* to, std::byte* from) const {
    std::byte* const storage[] = {to, from};
    run_copy(make_copy_plan(part_of(k, to_box), chain_.itemsize[k], CopyKind::Fetched), storage);
  }

  // What does not move from one box to the next, as a row that is added to every other, is there already.
  void pack(int k, std::byte* from) {
    bool there = from == packed_from_[k];
    for (int i = 0; i < boxes_.boxed && there; ++i) there = lengths_[i] == packed_lengths_[k][i];
    if (there) return;
    move(k, true, packed_[k], from);
    packed_from_[k] = from;
    std::copy_n(lengths_, boxes_.boxed, packed_lengths_[k]);
  }

  // The first input that is operand k: x * x packs x once.
  int first_like(int k, std::byte* const* data) const {
    for (int j = chain_.outputs; j < k; ++j) {
      if (!boxes_.turned[j] || data[j] != data[k] || chain_.itemsize[j] != chain_.itemsize[k]) continue;
      const Dims &a = boxes_.plan.strides[j], &b = boxes_.plan.strides[k];
      if (std::equal(a.begin(), a.end(), b.begin(), b.end())) return j;
    }
    return k;
  }

  void run_box(std::byte* const* data) {
    IterationSpace rows;  // of the box: its axes, with packed operands in their packed order
    rows.operands = chain_.operands;
    std::byte* storage[kMaxOperands];
    for (int i = 0; i < boxes_.boxed; ++i) rows.shape.push_back(lengths_[i]);
    for (int k = 0; k < chain_.operands; ++k) {
      const int same = boxes_.turned[k] && k >= chain_.outputs ? first_like(k, data) : k;
      storage[k] = boxes_.turned[k] ? packed_[same] : data[k];
      rows.start[k] = 0;
      rows.strides[k].resize(boxes_.boxed);
      Index step = chain_.itemsize[k];
      for (int i = boxes_.boxed - 1; i >= 0; --i) {
        rows.strides[k][i] = boxes_.turned[k] ? step : boxes_.plan.strides[k][first_ + i];
        step *= lengths_[i];
      }
      if (boxes_.turned[k] && k >= chain_.outputs && same == k) pack(k, data[k]);
    }
    fuse_axes(rows);
    std::uint32_t fetched = 0;
    for (int k = chain_.outputs; k < chain_.operands && rows.rank() > 1; ++k) {
      if (!boxes_.turned[k] && rows.inner_stride(k) == chain_.itemsize[k]) fetched |= 1u << k;
    }
    run_rows(runner_, rows, storage, fetched);
    for (int k = 0; k < chain_.outputs; ++k) {
      if (boxes_.turned[k]) move(k, false, data[k], packed_[k]);
    }
  }

  RowRunner& runner_;
  const Chain& chain_;
  const Boxes& boxes_;
  const int first_;  // axis of a box
  Index lengths_[kMaxRank];
  std::byte* packed_[kMaxOperands];
  const std::byte* packed_from_[kMaxOperands] = {};
  Index packed_lengths_[kMaxOperands][kMaxRank];
};

void run_chunk(const Chain& chain, const IterationSpace& plan, std::byte* const* storage) {
  if (plan.is_empty()) return;
  const Boxes boxes = make_boxes(chain, plan);
  RowRunner runner(chain, boxes);
  if (boxes.boxed == 1) {
    run_rows(runner, boxes.plan, storage);
  } else {
    BoxWalk walk(runner, chain, boxes);
    for_each_block(boxes.plan, boxes.boxed, storage, [&](std::byte* const* data) { walk.run(data); });
  }
  if (chain.stream) loops().copy.finish_streams();
}

std::size_t traffic(const Chain& chain, const IterationSpace& plan) {
  Index count = 1, bytes = 0;
  for (Index length : plan.shape) count *= length;
  for (int k = 0; k < chain.operands; ++k) bytes += chain.itemsize[k];
  return static_cast<std::size_t>(count * bytes);
}

int pieces_of(const Chain& chain, const IterationSpace& plan) {
  return plan.rank() == 0 ? 1 : interruptible_pieces_for(traffic(chain, plan));
}

std::string tiles_text(const Chain& chain, const Boxes& boxes) {
  std::string out;
  const auto add = [&](const std::string& text) { out += (out.empty() ? "" : "; ") + text; };
  for (int k = 0; k < chain.operands; ++k) {
    const std::string operand = "operand " + std::to_string(k);
    if (boxes.stepped[k]) add(operand + " packed in blocks");
    if (!boxes.turned[k]) continue;
    add(operand + " transposed in tiles of " + text_of({boxes.box, static_cast<std::size_t>(boxes.boxed)}));
  }
  const Index block = RowRunner(chain, boxes).block();
  if (block > 0) add("blocks of " + std::to_string(block));
  return out;
}

PlanRecord record_of(const Chain& chain, const IterationSpace& plan) {
  const Boxes boxes = make_boxes(chain, plan);
  PlanRecord record(std::string(chain.operation), boxes.plan);
  record.tiles = tiles_text(chain, boxes);
  record.chunks = pieces_of(chain, plan);
  record.streams = chain.stream;
  return record;
}

}  // namespace

void run_chain(const Chain& chain, const IterationSpace& plan, std::byte* const* storage) {
  const RecordScope scope([&] { return record_of(chain, plan); });
  run_in_chunks(plan, pieces_of(chain, plan), [&](const IterationSpace& chunk) {
    run_chunk(chain, chunk, storage);
  });
}

}  // namespace strided
