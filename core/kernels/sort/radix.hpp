// Sorting a list of unsigned items by distribution: split by the leading digits in which the items of a
// list differ, then each part for itself, until a part is short enough for a network.
//
// A split keeps the order of items with equal digits. Items hold a key above their lowest `place_bits`
// bits; the bits below tell items with equal keys apart and rise along the list, or there are none.
// The range of the keys is measured before each split, so digits are never spent on bits that all
// items share: numbers that lie close together and floats of similar size cost no more than others.
#pragma once

#include <algorithm>
#include <bit>
#include <utility>

#include "kernels/loop_table.hpp"
#include "run/interrupt.hpp"
#include "plan/split.hpp"

namespace strided {

inline constexpr int kDigitBits = 11;
inline constexpr int kLargeDigitBits = 9;
inline constexpr Index kLargeList = Index{4} << 20;  // bytes
inline constexpr Index kPartShare = 8;
inline constexpr Index kMostBuckets = Index{1} << kDigitBits;
// Lists up to this length are sorted by insertion.
inline constexpr Index kByInsertion = 12;
// Items that are distributed before it is asked whether to go on: a few milliseconds.
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
  // Parts that a network sorts at its best, were the keys spread evenly.
  const Index part = std::max<Index>(loops().sort.of<Item>().longest / kPartShare, 8);
  const auto parts = static_cast<std::uint64_t>(n / part);
  int wanted = std::clamp(static_cast<int>(std::bit_width(parts)), 3, kDigitBits);
  // Beyond the second-level cache fewer parts at a time are faster, unless one split does it all.
  const bool large = n * static_cast<Index>(sizeof(Item)) > kLargeList;
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

// Calls run(begin, end) for one part of [begin, end) after the other.
template <class Run>
void in_steps(Index begin, Index end, Run run) {
  for (Index at = begin; at < end; at += kBetweenChecks) {
    check_interrupt();
    run(at, std::min(end, at + kBetweenChecks));
  }
}

// Distributes from(0) .. from(n - 1) by chunks; `counts` has room for kMostBuckets numbers per chunk, and
// those of the last chunk say afterwards where the items with each digit end. Returns these.
template <class Out, class Digit, class From>
const Index* distribute_in_chunks(Index n, int chunks, Digit digit, From from, Index buckets, Index* counts,
                                  Out* out) {
  run_range_in_chunks(n, chunks, [&](int chunk, Index begin, Index end) {
    Index* const own = counts + chunk * kMostBuckets;
    std::fill_n(own, buckets, 0);
    in_steps(begin, end, [=](Index first, Index last) { count_digits(first, last, digit, own); });
  });
  sum_up(counts, chunks, buckets);
  run_range_in_chunks(n, chunks, [&](int chunk, Index begin, Index end) {
    Index* const own = counts + chunk * kMostBuckets;
    in_steps(begin, end, [=](Index first, Index last) { distribute(first, last, digit, from, out, own); });
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

template <class Item>
void sort_short(const Item* items, Index n, Item* out) {
  if (out != items) std::copy_n(items, n, out);
  if (n <= kByInsertion) insertion_sort(out, n);
  else loops().sort.of<Item>().sort({1, n}, out);
}

// Sorts n items and leaves them in `items`, or in `spare`, which has the same size.
template <class Item>
void sort_items(Item* items, Item* spare, Index n, int place_bits, bool into_spare) {
  Item* const out = into_spare ? spare : items;
  const auto& loop = loops().sort.of<Item>();
  if (n <= loop.longest) return sort_short(items, n, out);
  const KeyFacts<Item> facts = loop.facts(n, items);
  if (!facts.falls || facts.least >> place_bits == facts.most >> place_bits) {
    if (into_spare) std::copy_n(items, n, spare);
    return;
  }
  const Digits<Item> digits = choose_digits(n, facts.least, facts.most, place_bits);
  Index counts[kMostBuckets];
  const Listed<Item> from{items};
  const auto digit = [=](Index i) { return digits(from(i)); };
  const Index* const ends = distribute_in_chunks(n, 1, digit, from, digits.buckets, counts, spare);
  Index begin = 0;
  for (Index bucket = 0; bucket < digits.buckets; ++bucket) {
    const Index end = ends[bucket];
    if (digits.complete) {
      if (!into_spare) std::copy_n(spare + begin, end - begin, items + begin);
    } else if (end > begin) {
      sort_items(spare + begin, items + begin, end - begin, place_bits, !into_spare);
    }
    begin = end;
  }
}

}  // namespace strided
