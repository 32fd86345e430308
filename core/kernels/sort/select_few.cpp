// Top-k in one pass over each list: the least few so far are kept.
#include <algorithm>
#include <memory>

#include "dtype/bits.hpp"
#include "dtype/element.hpp"
#include "kernels/loop_names.hpp"
#include "layout/bounds.hpp"
#include "lines.hpp"
#include "plan/split.hpp"
#include "radix.hpp"
#include "run/arena.hpp"
#include "run/interrupt.hpp"
#include "select.hpp"
#include "simd/line.hpp"
#include "sort_keys.hpp"

namespace strided::kernels::sort {
namespace {

// Selecting takes about as long as moving this many bytes for each byte: decides how many threads a line is worth.
constexpr Index kTraffic = 2;

// A key and its place.
struct WideItem {
  std::uint64_t key;
  std::uint64_t place;
  bool operator<(const WideItem& other) const {
    return key != other.key ? key < other.key : place < other.place;
  }
};

template <class Key> struct Items;
template <>
struct Items<std::uint32_t> {  // as one number
  using Item = std::uint64_t;
  static Item make(std::uint32_t key, Index place) {
    return std::uint64_t{key} << 32 | static_cast<std::uint64_t>(place);
  }
  static std::uint32_t key(Item item) { return static_cast<std::uint32_t>(item >> 32); }
  static Index place(Item item) { return static_cast<Index>(item & 0xffffffffu); }
  static void sort(Item* items, Item* spare, Index n) { sort_items(items, spare, n, 0, false); }
};
template <>
struct Items<std::uint64_t> {
  using Item = WideItem;
  static Item make(std::uint64_t key, Index place) { return {key, static_cast<std::uint64_t>(place)}; }
  static std::uint64_t key(const Item& item) { return item.key; }
  static Index place(const Item& item) { return static_cast<Index>(item.place); }
  static void sort(Item* items, Item*, Index n) {
    with_order<Item>(n, [&](auto less) { std::sort(items, items + n, less); });
  }
};

// Candidates gather behind the items kept until there are twice as many; then the `few` least of all are
// kept, and their greatest is the new bound. Of equal keys those that came first are kept.
template <class Key>
class Best {
 public:
  using Item = typename Items<Key>::Item;

  Best() = default;
  // `items` has a capacity of capacity_for(few), of which the first `count` are there already.
  Best(Index few, Item* items, Index count = 0) : few_(few), items_(items), count_(count) {}
  static Index capacity_for(Index few) { return 2 * few + kStep; }

  void take(const Key* keys, Index n, Index place) {
    if (bounded_ && least_of(keys, n) >= bound_) return;
    // In small steps: the bound falls from one to the next.
    const Index step = std::max(few_, kFine);
    for (Index i = 0; i < n; i += step) take_step(keys + i, std::min(step, n - i), place + i);
  }

  // Leaves the least few in front; returns how many there are.
  Index finish(bool sorted) {
    shrink();
    if (sorted) Items<Key>::sort(items_, items_ + few_, count_);
    return count_;
  }

 private:
  // Fewer keys at a time spend more on calls than a closer bound saves.
  static constexpr Index kFine = 64;

  static Key least_of(const Key* keys, Index n) { return loops().sort.of<Key>().facts(n, keys).least; }

  void take_step(const Key* keys, Index n, Index place) {
    if (bounded_ && least_of(keys, n) >= bound_) return;
    Item* next = items_ + count_;
    const Key bound = bound_;
    const bool all = !bounded_;
    for (Index i = 0; i < n; ++i) {
      *next = Items<Key>::make(keys[i], place + i);
      next += all || keys[i] < bound;
    }
    count_ = next - items_;
    if (count_ >= 2 * few_) shrink();
  }

  void shrink() {
    if (count_ < few_) return;
    with_order<Item>(count_, [&](auto less) { std::nth_element(items_, items_ + few_ - 1, items_ + count_, less); });
    count_ = few_;
    bounded_ = true;
    bound_ = Items<Key>::key(items_[few_ - 1]);
  }

  Index few_ = 0;
  Item* items_ = nullptr;
  Index count_ = 0;
  bool bounded_ = false;
  Key bound_ = 0;
};

template <class Key>
class FewSelector {
 public:
  using Item = typename Items<Key>::Item;

  FewSelector(OperandList operands, int axis, bool largest, bool sorted)
      : dtype_(operands[0]->dtype), size_(itemsize(dtype_)), length_(operands[0]->layout->length(axis)),
        few_(operands[1]->layout->length(axis)), largest_(largest), sorted_(sorted),
        together_(std::min(lines_per_cache_line(*operands[0], axis), kMostLines)), blocks_(operands, axis, together_) {
    const int chunks = threads_for(saturated_product(operands[0]->layout->size(), size_ * kTraffic));
    // With fewer blocks than threads each line is cut into chunks.
    chunks_ = blocks_.count() < chunks && together_ == 1 ? chunks : 1;
    slots_ = chunks_ > 1 ? 1 : static_cast<int>(std::min<Index>(chunks, blocks_.count()));
    capacity_ = Best<Key>::capacity_for(few_);
  }

  void run() {
    const RecordScope scope(
        [&] { return blocks_.record("topk", std::max(slots_, chunks_), names_of_loops()); });
    const Index lists = std::max<Index>(together_, chunks_);
    const std::unique_ptr<Item[]> memory(new Item[static_cast<std::size_t>(slots_ * lists * capacity_)]);
    run_dynamically(slots_, blocks_.count(), [&](int slot, Index block) {
      std::byte* first[3];
      const Index count = blocks_.locate(block, first);
      Item* const items = memory.get() + slot * lists * capacity_;
      if (chunks_ > 1) select_in_chunks(first[0], items);
      else select_block(first[0], count, items);
      for (Index line = 0; line < count; ++line) write_line(line, first, items + line * capacity_);
    });
  }

 private:
  auto keys_loop() const {
    return loops().sort.to_keys[static_cast<int>(Ties::Equal)][static_cast<int>(dtype_)];
  }

  std::vector<std::string> names_of_loops() const {
    return {loop_name(keys_loop()), loop_name(loops().sort.of<Key>().facts),
            plain_loop("kernels/sort/select_few.cpp", "take_step")};
  }

  void select_block(std::byte* first, Index count, Item* items) {
    Best<Key> best[kMostLines];
    for (Index line = 0; line < count; ++line) best[line] = Best<Key>(few_, items + line * capacity_);
    pass_by(first, 0, length_, count, best);
    for (Index line = 0; line < count; ++line) best[line].finish(sorted_);
  }

  void select_in_chunks(std::byte* first, Item* items) {
    run_range_in_chunks(length_, chunks_, [&](int chunk, Index begin, Index end) {
      Best<Key> best(few_, items + chunk * capacity_);
      pass_by(first, begin, end, 1, &best);
      best.finish(false);
    });
    // Those of all chunks, one after the other.
    Index total = 0;
    for (int chunk = 0; chunk < chunks_; ++chunk) {
      const Index length = chunk_begin(length_, chunks_, chunk + 1) - chunk_begin(length_, chunks_, chunk);
      const Index kept = std::min(few_, length);
      std::copy_n(items + chunk * capacity_, kept, items + total);
      total += kept;
    }
    Best<Key>(few_, items, total).finish(sorted_);
  }

  // Elements begin .. end - 1 of `count` lines.
  void pass_by(std::byte* first, Index begin, Index end, Index count, Best<Key>* best) {
    const auto to_keys = keys_loop();
    const LineSteps steps = blocks_.steps(0);
    // A full step of eight lines of 8 bytes, which fill a cache line.
    constexpr Index kRowBytes = kStep * 8 * 8;
    ScratchArray<std::byte, kRowBytes> rows;
    ScratchArray<Key, kStep> keys;
    const Index step = std::min<Index>(kStep, kRowBytes / (count * size_));
    InterruptCheck check;
    for (Index at = begin; at < end; at += step) {
      check.after(count * step * size_);
      const Index n = std::min(step, end - at);
      const LineBlock block{dtype_, steps, count, n};
      std::byte* from = first + at * steps.along;
      Index pitch = steps.across;
      if (!block.in_rows()) {
        block.to_rows(from, rows);
        from = rows;
        pitch = n * size_;
      }
      for (Index line = 0; line < count; ++line) {
        to_keys(n, from + line * pitch, keys, largest_);
        best[line].take(keys, n, at);
      }
    }
  }

  void write_line(Index line, std::byte* const* first, const Item* items) {
    const LineSteps from = blocks_.steps(0), to = blocks_.steps(1), places = blocks_.steps(2);
    const std::byte* const in = first[0] + line * from.across;
    std::byte* const value = first[1] + line * to.across;
    std::byte* const place = first[2] + line * places.across;
    visit_bits(static_cast<int>(size_), [&]<class Bits>(Bits) {
      for (Index i = 0; i < few_; ++i) {
        const Index at = Items<Key>::place(items[i]);
        store(value + i * to.along, load<Bits>(in + at * from.along));
        store<std::int64_t>(place + i * places.along, at);
      }
    });
  }

  static constexpr Index kMostLines = kLine;  // of elements of one byte

  DType dtype_;
  Index size_;
  Index length_;
  Index few_;
  bool largest_;
  bool sorted_;
  Index together_;
  LineBlocks blocks_;
  int chunks_;
  int slots_;
  Index capacity_;  // items for each list
};

}  // namespace

bool few_enough(Index few, Index length) {
  // Items that are kept are sorted out again whenever they are twice as many: beyond an eighth of the list that takes
  // about as long as sorting it. Places have 32 bits beside a key of 32.
  return few <= length / 8 && length < Index{1} << 32;
}

void select_few(const Operand& values, const Operand& places, const Operand& in, int axis, bool largest,
                bool sorted) {
  if (values.layout->size() == 0) return;
  const Operand* const operands[] = {&in, &values, &places};
  with_key(in.dtype, [&]<class Key>(Key) { FewSelector<Key>(operands, axis, largest, sorted).run(); });
}

}  // namespace strided::kernels::sort
