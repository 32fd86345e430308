// Radix sort of a list of unsigned items, from the leading digit: the list is split by the leading digits in which its
// items differ, then each bucket for itself, until one is short enough for a network.
//
// A split keeps the order of items with equal digits. Items hold a key above their lowest `place_bits`
// bits; the bits below tell items with equal keys apart and rise along the list, or there are none.
// The range of the keys is measured before each split, so digits are never spent on bits that all
// items share: numbers that lie close together and floats of similar size cost no more than others.
#pragma once

#include <algorithm>
#include <bit>
#include <functional>
#include <utility>

#include "kernels/loop_table.hpp"
#include "plan/split.hpp"
#include "run/interrupt.hpp"
#include "run/machine.hpp"

namespace strided::kernels::sort {

// Of a split. 2048 counters take 16 KiB, half of a first-level cache.
inline constexpr int kDigitBits = 11;
inline constexpr Index kMostBuckets = Index{1} << kDigitBits;
// Of a split of a list that is far larger than the second-level cache: every bucket is written to at an end of its own,
// and the caches hold no more of them.
inline constexpr int kLargeDigitBits = 9;
// Keys that are made and used up while they are in the first-level cache: 4 or 8 KiB.
inline constexpr Index kStep = 1024;
// Items between two questions whether to go on: some milliseconds, where each is written to a far place.
inline constexpr Index kBetweenChecks = Index{1} << 20;

// Which bucket an item belongs to: digits above `shift` of its distance from `base`.
template <class Item>
struct Digits {
  Item base;
  int shift;
  Index buckets;
  bool complete;  // items in one bucket have equal keys

  Index operator()(Item item) const { return static_cast<Index>((item - base) >> shift); }
};

// For n items between `least` and `most`, which must differ above the place bits.
template <class Item>
Digits<Item> choose_digits(Index n, Item least, Item most, int place_bits) {
  const Item base = static_cast<Item>((least >> place_bits) << place_bits);
  const int width = static_cast<int>(std::bit_width(static_cast<Item>(most - base)));
  // If keys are evenly distributed, a bucket gets an eighth of what a network sorts: below that a split costs more than
  // it saves.
  const Index filling = std::max<Index>(loops().sort.of<Item>().longest / 8, 8);
  int wanted = std::clamp(static_cast<int>(std::bit_width(static_cast<std::uint64_t>(n / filling))), 3, kDigitBits);
  // Fewer buckets at a time, unless one split does it all.
  const bool large = n * static_cast<Index>(sizeof(Item)) > 4 * machine().l2;
  if (large && width - place_bits > kDigitBits) wanted = std::min(wanted, kLargeDigitBits);
  const int shift = std::max(place_bits, width - wanted);
  return {base, shift, static_cast<Index>((most - base) >> shift) + 1, shift == place_bits};
}

// Items and their digits come from functions of a place in the list; this one reads a list. Loops take all
// they use by value: what is only referred to would be read anew after every store.
template <class Item>
struct Listed {
  const Item* items;
  Item operator()(Index i) const { return items[i]; }
};

template <class Digit>
void count_digits(Index begin, Index end, Digit digit, Index* counts) {
  for (Index i = begin; i < end; ++i) ++counts[digit(i)];
}

// Each item goes to out[next[its digit]++].
template <class Out, class Digit, class From>
void distribute(Index begin, Index end, Digit digit, From from, Out* out, Index* next) {
  for (Index i = begin; i < end; ++i) out[next[digit(i)]++] = static_cast<Out>(from(i));
}

// Turns how often each digit occurs in each chunk of a list into where the chunk's items with it begin.
inline void sum_up(Index* counts, int chunks, Index buckets) {
  Index total = 0;
  for (Index bucket = 0; bucket < buckets; ++bucket) {
    for (int chunk = 0; chunk < chunks; ++chunk) {
      total += std::exchange(counts[chunk * kMostBuckets + bucket], total);
    }
  }
}

// What is to be known of a list of any length.
template <class Item>
KeyFacts<Item> facts_of(const Item* items, Index n) {
  KeyFacts<Item> all;
  run_in_steps(0, n, kBetweenChecks, [&](Index begin, Index end) {
    const Index back = begin > 0 ? 1 : 0;  // items can fall between two steps, too
    all.join(loops().sort.of<Item>().facts(end - begin + back, items + begin - back));
  });
  return all;
}

template <class Item>
void copy_items(const Item* from, Index n, Item* to) {
  run_in_steps(0, n, kBetweenChecks, [=](Index begin, Index end) { std::copy(from + begin, from + end, to + begin); });
}

// Calls run(less) with the order of items, for algorithms that know no steps: those of long lists are interrupted from
// within their comparisons.
template <class Item, class Run>
void with_order(Index n, Run&& run) {
  if (n <= kBetweenChecks) return run(std::less<Item>());
  InterruptCheck check;
  run([&](const Item& a, const Item& b) {
    check.after(sizeof(Item));
    return a < b;
  });
}

// Distributes from(0) .. from(n - 1) by chunks; `counts` takes kMostBuckets numbers per chunk, and those
// of the last chunk say afterwards where the items with each digit end. Returns these.
template <class Out, class Digit, class From>
const Index* distribute_in_chunks(Index n, int chunks, Digit digit, From from, Index buckets, Index* counts,
                                  Out* out) {
  run_range_in_chunks(n, chunks, [&](int chunk, Index begin, Index end) {
    Index* const own = counts + chunk * kMostBuckets;
    std::fill_n(own, buckets, 0);
    run_in_steps(begin, end, kBetweenChecks, [=](Index first, Index last) { count_digits(first, last, digit, own); });
  });
  sum_up(counts, chunks, buckets);
  run_range_in_chunks(n, chunks, [&](int chunk, Index begin, Index end) {
    Index* const own = counts + chunk * kMostBuckets;
    const auto step = [=](Index first, Index last) { distribute(first, last, digit, from, out, own); };
    // The first items of each bucket may wait for the system to clear a huge page.
    const Index settled = end - begin > kBetweenChecks ? begin + 8 * kMostBuckets : begin;
    run_in_steps(begin, settled, 64, step);
    run_in_steps(settled, end, kBetweenChecks, step);
  });
  return counts + (chunks - 1) * kMostBuckets;
}

template <class Item>
void insertion_sort(Item* items, Index n) {
  for (Index i = 1; i < n; ++i) {
    const Item item = items[i];
    Index at = i;
    for (; at > 0 && item < items[at - 1]; --at) items[at] = items[at - 1];
    items[at] = item;
  }
}

// Sorts n items and leaves them in `items`, or in `spare`, which has the same size.
template <class Item>
void sort_items(Item* items, Item* spare, Index n, int place_bits, bool into_spare) {
  // Up to this length insertion is faster than to set up a network.
  constexpr Index kByInsertion = 12;
  const auto& loop = loops().sort.of<Item>();
  if (n <= loop.longest) {
    Item* const out = into_spare ? spare : items;
    if (into_spare) std::copy_n(items, n, out);
    if (n <= kByInsertion) insertion_sort(out, n);
    else loop.sort({1, n}, out);
    return;
  }
  check_interrupt();
  const KeyFacts<Item> facts = facts_of(items, n);
  if (!facts.falls || facts.least >> place_bits == facts.most >> place_bits) {
    if (into_spare) copy_items(items, n, spare);
    return;
  }
  const Digits<Item> digits = choose_digits(n, facts.least, facts.most, place_bits);
  Index counts[kMostBuckets];
  const Listed<Item> from{items};
  const auto digit = [=](Index i) { return digits(from(i)); };
  const Index* const ends = distribute_in_chunks(n, 1, digit, from, digits.buckets, counts, spare);
  if (digits.complete) {
    if (!into_spare) copy_items(spare, n, items);
    return;
  }
  Index begin = 0;
  for (Index bucket = 0; bucket < digits.buckets; ++bucket) {
    const Index end = ends[bucket];
    if (end > begin) sort_items(spare + begin, items + begin, end - begin, place_bits, !into_spare);
    begin = end;
  }
}

}  // namespace strided::kernels::sort
