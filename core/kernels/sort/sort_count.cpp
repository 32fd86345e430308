// Counting sort: where there are few distinct keys, how often each occurs says where it goes.
#include <atomic>

#include "plan/split.hpp"
#include "radix.hpp"
#include "sort_keys.hpp"
#include "sort_lines.hpp"

namespace strided::kernels::sort {
namespace {

// Writes values begin .. end - 1 of a sorted line in which base + k ends before ends[k].
template <class Key>
void write_runs(const LineRows& rows, Index begin, Index end, const Index* ends, Index distinct, Key base) {
  const auto from_keys = loops().sort.from_keys[static_cast<int>(rows.dtype)];
  const Index size = itemsize(rows.dtype);
  // Copies that are written before it is known how many are needed: most runs are no longer, so the loop behind them
  // seldom runs.
  constexpr Index kAhead = 4;
  Key step[kStep + kAhead];
  Index at = std::upper_bound(ends, ends + distinct, begin) - ends;
  InterruptCheck check;
  for (Index i = begin; i < end; i += kStep) {
    check.after(kStep);
    const Index n = std::min(kStep, end - i);
    for (Index filled = 0; filled < n;) {
      const Key key = static_cast<Key>(base + static_cast<Key>(at));
      const Index until = std::min(n, ends[at] - i);
      for (Index k = 0; k < kAhead; ++k) step[filled + k] = key;
      for (Index k = filled + kAhead; k < until; ++k) step[k] = key;
      at += until == ends[at] - i;  // else the run goes on in the next step
      filled = until;
    }
    from_keys(n, step, rows.values + i * size, rows.descending);
  }
}

}  // namespace

std::size_t counting_bytes(DType dtype, int chunks) {
  return Workspace::bytes<Index>(Index{chunks} << (8 * itemsize(dtype)));
}

void sort_by_counting(const LineRows& rows, std::byte* memory) {
  const Index n = rows.length;
  const Index size = itemsize(rows.dtype);
  const Index distinct = Index{1} << (8 * size);
  const int chunks = rows.chunks;
  Index* const counts = Workspace(memory).take<Index>(chunks * distinct);
  const auto to_keys = loops().sort.to_keys[static_cast<int>(Ties::Distinct)][static_cast<int>(rows.dtype)];
  std::atomic<bool> zeros{false};
  run_range_in_chunks(n, chunks, [&](int chunk, Index begin, Index end) {
    Index* const own = counts + chunk * distinct;
    std::fill_n(own, distinct, 0);
    std::uint32_t step[kStep];
    InterruptCheck check;
    for (Index i = begin; i < end; i += kStep) {
      check.after(kStep);
      const Index m = std::min(kStep, end - i);
      if (to_keys(m, rows.in + i * size, step, rows.descending)) zeros.store(true);
      for (Index k = 0; k < m; ++k) ++own[step[k]];
    }
  });
  Index total = 0;
  for (Index key = 0; key < distinct; ++key) {
    for (int chunk = 0; chunk < chunks; ++chunk) total += counts[chunk * distinct + key];
    counts[key] = total;
  }
  run_range_in_chunks(rows.keep, chunks, [&](int, Index begin, Index end) {
    write_runs<std::uint32_t>(rows, begin, end, counts, distinct, 0);
  });
  if (zeros) restore_zeros(rows, rows.in, rows.values);
}

namespace {

template <class Key>
struct Offset {
  const Key* keys;
  Key least;
  Key operator()(Index i) const { return static_cast<Key>(keys[i] - least); }
};

// By the low byte of the key first, then, in that order, by the high one. In between an item is its place
// below the key's high byte.
template <class Item, class Key>
void place_in_two_passes(Index n, int chunks, Offset<Key> key, Index* counts, Item* items,
                         std::int64_t* places) {
  constexpr int kShift = 8 * (sizeof(Item) - 1);
  constexpr Item kPlace = (Item{1} << kShift) - 1;
  const auto low = [=](Index i) { return key(i) & 0xff; };
  const auto item = [=](Index i) { return static_cast<Item>(key(i) >> 8) << kShift | static_cast<Item>(i); };
  const auto high = [=](Index i) { return items[i] >> kShift; };
  const auto place = [=](Index i) { return items[i] & kPlace; };
  distribute_in_chunks(n, chunks, low, item, 256, counts, items);
  distribute_in_chunks(n, chunks, high, place, 256, counts, places);
}

}  // namespace

template <class Key>
void sort_two_bytes(Index n, int chunks, Key* keys, Key least, Index* counts, Key* spare) {
  const Listed<Key> first{keys}, second{spare};
  const auto low = [=](Index i) { return (first(i) - least) & 0xff; };
  const auto high = [=](Index i) { return static_cast<Key>(second(i) - least) >> 8; };
  if (chunks > 1) {
    distribute_in_chunks(n, chunks, low, first, 256, counts, spare);
    distribute_in_chunks(n, chunks, high, second, 256, counts, keys);
    return;
  }
  Index* const highs = counts + 256;
  std::fill_n(counts, 512, 0);
  run_in_steps(0, n, kBetweenChecks, [=](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      const Key key = static_cast<Key>(first(i) - least);
      ++counts[key & 0xff];
      ++highs[key >> 8];
    }
  });
  sum_up(counts, 1, 256);
  sum_up(highs, 1, 256);
  run_in_steps(0, n, kBetweenChecks,
               [=](Index begin, Index end) { distribute(begin, end, low, first, spare, counts); });
  run_in_steps(0, n, kBetweenChecks,
               [=](Index begin, Index end) { distribute(begin, end, high, second, keys, highs); });
}

template <class Key>
void place_by_counting(const LineRows& rows, const Key* keys, Key least, Index distinct, Index* counts,
                       std::uint64_t* items, bool by_place) {
  const Index n = rows.length;
  const Offset<Key> key{keys, least};
  auto* const places = reinterpret_cast<std::int64_t*>(rows.places);
  if (distinct <= kMostBuckets) {
    distribute_in_chunks(n, rows.chunks, key, [](Index i) { return i; }, distinct, counts, places);
  } else if (n <= Index{1} << 24) {
    place_in_two_passes(n, rows.chunks, key, counts, reinterpret_cast<std::uint32_t*>(items), places);
  } else {
    place_in_two_passes(n, rows.chunks, key, counts, items, places);
  }
  if (rows.values == nullptr) return;
  const Index* const ends = counts + (rows.chunks - 1) * kMostBuckets;
  run_range_in_chunks(rows.keep, rows.chunks, [&](int, Index begin, Index end) {
    if (distinct <= kMostBuckets && !by_place) {
      write_runs<Key>(rows, begin, end, ends, distinct, least);
    } else {
      pick_by_place(rows.dtype, end - begin, rows.in, places + begin,
                    rows.values + begin * itemsize(rows.dtype));
    }
  });
}

template void sort_two_bytes<std::uint32_t>(Index, int, std::uint32_t*, std::uint32_t, Index*,
                                            std::uint32_t*);
template void sort_two_bytes<std::uint64_t>(Index, int, std::uint64_t*, std::uint64_t, Index*,
                                            std::uint64_t*);
template void place_by_counting<std::uint32_t>(const LineRows&, const std::uint32_t*, std::uint32_t, Index,
                                               Index*, std::uint64_t*, bool);
template void place_by_counting<std::uint64_t>(const LineRows&, const std::uint64_t*, std::uint64_t, Index,
                                               Index*, std::uint64_t*, bool);

}  // namespace strided::kernels::sort
