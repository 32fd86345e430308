// Radix select of the element of a given rank of each list: counts leading digits, and goes on with the elements that
// share those of the one looked for.
#include <algorithm>
#include <memory>
#include <limits>

#include "dtype/bits.hpp"
#include "dtype/element.hpp"
#include "errors.hpp"
#include "kernels/loop_names.hpp"
#include "layout/bounds.hpp"
#include "lines.hpp"
#include "plan/split.hpp"
#include "radix.hpp"
#include "run/machine.hpp"
#include "select.hpp"
#include "sort_keys.hpp"

namespace strided::kernels::sort {
namespace {

// Selecting takes about as long as moving this many bytes for each byte: decides how many threads the lines are worth.
constexpr Index kTraffic = 4;

template <class Key>
struct Ranked {
  Key key;
  Index before;  // how many equal keys come first
};

// Keys that a network sorts are not worth counting.
template <class Key>
Index short_list() { return loops().sort.of<Key>().longest; }

// `keys` are left as they are; `left`, for those that are still in question, has the same size.
template <class Key>
Ranked<Key> find_rank(const Key* keys, Index n, Index rank, Key* left) {
  const Key* from = keys;
  while (n > short_list<Key>()) {
    const KeyFacts<Key> facts = facts_of(from, n);
    if (facts.least == facts.most) return {facts.least, rank};
    const int width = static_cast<int>(std::bit_width(static_cast<Key>(facts.most - facts.least)));
    const int shift = std::max(0, width - kDigitBits);
    const Digits<Key> digits{facts.least, shift,
                             static_cast<Index>((facts.most - facts.least) >> shift) + 1, shift == 0};
    Index counts[kMostBuckets];
    std::fill_n(counts, digits.buckets, 0);
    const auto digit = [=](Index i) { return digits(from[i]); };
    run_in_steps(0, n, kBetweenChecks, [&](Index begin, Index end) { count_digits(begin, end, digit, counts); });
    Index bucket = 0;
    while (rank >= counts[bucket]) rank -= counts[bucket++];
    Key* end_of_left = left;
    // By value: what is only referred to would be read anew after every store.
    run_in_steps(0, n, kBetweenChecks, [=, &end_of_left](Index begin, Index end) {
      Key* next = end_of_left;
      for (Index i = begin; i < end; ++i) {
        const Key key = from[i];
        *next = key;  // behind what was read, where that is `left` itself
        next += digits(key) == bucket;
      }
      end_of_left = next;
    });
    n = end_of_left - left;
    from = left;
  }
  if (from != left) std::copy_n(from, n, left);
  loops().sort.of<Key>().sort({1, n}, left);
  Index before = 0;
  while (before < rank && left[rank - before - 1] == left[rank]) ++before;
  return {left[rank], before};
}

template <class Key>
Index find_place(const Key* keys, Index n, Ranked<Key> wanted) {
  // Counting is vectorised, looking is not: medians of lines of 1000 take 8 % longer in steps of 1024.
  constexpr Index kCounted = 256;
  Index before = wanted.before;
  InterruptCheck check;
  for (Index first = 0; first < n; first += kCounted) {
    check.after(kCounted * Index{sizeof(Key)});
    const Index end = std::min(n, first + kCounted);
    Index equal = 0;
    for (Index i = first; i < end; ++i) equal += keys[i] == wanted.key;
    if (before >= equal) {
      before -= equal;
      continue;
    }
    for (Index i = first; i < end; ++i) {
      if (keys[i] == wanted.key && before-- == 0) return i;
    }
  }
  return 0;  // only if somebody else wrote to the keys
}

template <class Key>
void select_ranks(OperandList operands, int axis, Index rank, Nan nan) {
  const DType dtype = operands[0]->dtype;
  const Index size = itemsize(dtype);
  const Index length = operands[0]->layout->length(axis);
  if (length > kLongestLine) throw errors::out_of_memory(std::numeric_limits<Index>::max());
  const int chunks = threads_for(saturated_product(operands[0]->layout->size(), size * kTraffic));
  // Whole cache lines of lines that run across memory; of short ones as many as fill half of the first-level cache, if
  // that leaves a block for every thread.
  const Index fitting = std::min(operands[0]->layout->size() / length / chunks, machine().l1 / 2 / (length * size));
  const Index together = std::max(lines_per_cache_line(*operands[0], axis), fitting);
  const LineBlocks blocks(operands, axis, together);
  const int slots = static_cast<int>(std::min<Index>(chunks, blocks.count()));
  const auto to_keys = loops().sort.to_keys[static_cast<int>(Ties::Equal)][static_cast<int>(dtype)];
  const Key nan_key = static_cast<Key>(~Key{0}) >> (8 * (static_cast<Index>(sizeof(Key)) - size));
  const bool look_for_nan = nan == Nan::Wins && is_floating(dtype);

  const Index raw_keys = ceil_div(together * length * size, Index{sizeof(Key)});
  const Index slot_keys = 2 * length + raw_keys;
  const std::unique_ptr<Key[]> memory(new Key[static_cast<std::size_t>(slots * slot_keys)]);
  const RecordScope scope([&] {
    return blocks.record("kthvalue", slots, {loop_name(to_keys), loop_name(loops().sort.of<Key>().facts),
                                             plain_loop("kernels/sort/radix.hpp", "count_digits"),
                                             loop_name(loops().sort.of<Key>().sort)});
  });
  run_dynamically(slots, blocks.count(), [&](int slot, Index block_number) {
    std::byte* first[3];
    const Index count = blocks.locate(block_number, first);
    const LineSteps from = blocks.steps(0), to = blocks.steps(1), places = blocks.steps(2);
    Key* const keys = memory.get() + slot * slot_keys;
    Key* const left = keys + length;
    auto* const rows = reinterpret_cast<std::byte*>(left + length);
    const LineBlock block{dtype, from, count, length};
    const std::byte* in = first[0];
    Index pitch = from.across;
    if (!block.in_rows()) {
      block.to_rows(first[0], rows);
      in = rows;
      pitch = length * size;
    }
    for (Index line = 0; line < count; ++line) {
      const std::byte* const elements = in + line * pitch;
      run_in_steps(0, length, kBetweenChecks, [&](Index begin, Index end) {
        to_keys(end - begin, elements + begin * size, keys + begin, false);
      });
      Ranked<Key> wanted{nan_key, 0};
      const bool found = look_for_nan && facts_of(keys, length).most == nan_key;
      if (!found) wanted = find_rank(keys, length, rank, left);
      const Index at = find_place(keys, length, wanted);
      visit_bits(static_cast<int>(size), [&]<class Bits>(Bits) {
        store(first[1] + line * to.across, load<Bits>(elements + at * size));
      });
      store<std::int64_t>(first[2] + line * places.across, at);
    }
  });
}

}  // namespace

void select_rank(const Operand& values, const Operand& places, const Operand& in, int axis, Index rank,
                 Nan nan) {
  if (values.layout->size() == 0) return;
  const Operand* const operands[] = {&in, &values, &places};
  with_key(in.dtype, [&]<class Key>(Key) { select_ranks<Key>(operands, axis, rank, nan); });
}

}  // namespace strided::kernels::sort
