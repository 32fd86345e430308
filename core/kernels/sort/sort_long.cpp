// Radix sort of one long line. All threads split a bucket together as long as it is too large for one of them; each
// takes the next of the buckets that are left.
#include <cstring>

#include "plan/split.hpp"
#include "radix.hpp"
#include "run/interrupt.hpp"
#include "sort_keys.hpp"
#include "sort_lines.hpp"

namespace strided::kernels::sort {
namespace {

// How often a bucket may be split by all threads together. Each time takes counters of its own; keys that are still
// together after so many splits of 9 digits or more are few.
constexpr int kSharedLevels = 4;

// Padded, so that no two chunks write to one cache line.
template <class Key>
struct alignas(64) ChunkFacts {
  KeyFacts<Key> keys;
  bool ambiguous = false;
};

template <class Key>
class LongLine {
 public:
  LongLine(const LineRows& rows, std::byte* memory)
      : rows_(rows), n_(rows.length), size_(itemsize(rows.dtype)), chunks_(rows.chunks),
        space_(memory), loop_(loops().sort), keys_(space_.template take<Key>(n_)),
        places_(reinterpret_cast<std::int64_t*>(rows.places)) {}

  void sort() {
    auto* const found = space_.template take<ChunkFacts<Key>>(chunks_);
    counts_ = space_.template take<Index>(kSharedLevels * chunks_ * kMostBuckets);
    const ChunkFacts<Key> facts = make_keys(found);
    const KeyFacts<Key>& keys = facts.keys;
    if (!keys.falls || (!keys.rises && places_ != nullptr)) return write_in_order(keys.falls);
    if (places_ != nullptr) return sort_places(keys, facts.ambiguous);
    Key* sorted = space_.template take<Key>(n_);
    const Key span = static_cast<Key>(keys.most - keys.least);
    if (span >= kMostBuckets && span < kMostCounted) {
      sort_two_bytes(n_, chunks_, keys_, keys.least, counts_, sorted);
      sorted = keys_;
    } else {
      sort_shared<Key>(Listed<Key>{keys_}, n_, keys.least, keys.most, 0, sorted, keys_, sorted, 0);
    }
    run_range_in_chunks(rows_.keep, chunks_, [&](Index begin, Index end) {
      run_in_steps(begin, end, kBetweenChecks, [&](Index at, Index last) { write_values(at, last, sorted + at); });
    });
    if (facts.ambiguous) restore_zeros(rows_, rows_.in, rows_.values);
  }

 private:
  ChunkFacts<Key> make_keys(ChunkFacts<Key>* found) {
    const Ties ties = places_ == nullptr ? Ties::Distinct : Ties::Equal;
    const auto to_keys = loop_.to_keys[static_cast<int>(ties)][static_cast<int>(rows_.dtype)];
    run_range_in_chunks(n_, chunks_, [&](int chunk, Index begin, Index end) {
      ChunkFacts<Key> all;
      InterruptCheck check;
      for (Index i = begin; i < end; i += kStep) {
        const Index n = std::min(kStep, end - i);
        check.after(n * size_);
        all.ambiguous |= to_keys(n, rows_.in + i * size_, keys_ + i, rows_.descending);
        const Index back = i > begin ? 1 : 0;  // keys can fall between two steps, too
        all.keys.join(loop_.of<Key>().facts(n + back, keys_ + i - back));
      }
      found[chunk] = all;
    });
    ChunkFacts<Key> all = found[0];
    for (int chunk = 1; chunk < chunks_; ++chunk) {
      all.keys.join(found[chunk].keys);
      all.ambiguous |= found[chunk].ambiguous;
      const Index border = chunk_begin(n_, chunks_, chunk);
      all.keys.join(loop_.of<Key>().facts(2, keys_ + border - 1));
    }
    return all;
  }

  // Sorted already, or sorted the other way round.
  void write_in_order(bool backwards) {
    const auto write = [&](Index begin, Index end) {
      if (places_ != nullptr) {
        for (Index i = begin; i < end; ++i) places_[i] = backwards ? n_ - 1 - i : i;
      }
      if (rows_.values == nullptr) return;
      if (backwards) return pick(begin, end);
      std::memcpy(rows_.values + begin * size_, rows_.in + begin * size_,
                  static_cast<std::size_t>((end - begin) * size_));
    };
    run_range_in_chunks(rows_.keep, chunks_,
                        [&](Index begin, Index end) { run_in_steps(begin, end, kBetweenChecks, write); });
  }

  void sort_places(const KeyFacts<Key>& keys, bool ambiguous) {
    const auto span = static_cast<std::uint64_t>(static_cast<Key>(keys.most - keys.least));
    auto* const items = space_.template take<std::uint64_t>(n_);
    if (span < static_cast<std::uint64_t>(kMostCounted) && rows_.keep == n_) {
      return place_by_counting(rows_, keys_, keys.least, static_cast<Index>(span) + 1, counts_, items,
                               ambiguous);
    }
    const int place_bits = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(n_)));
    const int width = static_cast<int>(std::bit_width(span));
    const Packing<Key> how{keys.least, std::max(0, width + place_bits - 64), place_bits};
    auto* const spare = space_.template take<std::uint64_t>(n_);
    const auto item = [from = keys_, how](Index i) {
      const auto key = static_cast<std::uint64_t>(static_cast<Key>(from[i] - how.base));
      return (key >> how.dropped) << how.place_bits | static_cast<std::uint64_t>(i);
    };
    const std::uint64_t beyond = ((span >> how.dropped) + 1) << place_bits;  // 0 stands for 2^64
    sort_shared<std::uint64_t>(item, n_, 0, beyond - 1, place_bits, items, spare, items, 0);
    if constexpr (sizeof(Key) == 8) {
      if (how.dropped > 0) sort_dropped_bits(items, spare, n_, place_bits, keys_);
    }
    const bool from_keys = rows_.values != nullptr && !ambiguous && how.dropped == 0;
    run_range_in_chunks(rows_.keep, chunks_, [&](int, Index begin, Index end) {
      Key step[kStep];
      InterruptCheck check;
      for (Index i = begin; i < end; i += kStep) {
        const Index n = std::min(kStep, end - i);
        check.after(n * size_);
        loop_.of<Key>().unpack({1, n}, items + i, from_keys ? step : nullptr, places_ + i, how);
        if (from_keys) write_values(i, i + n, step);
        else if (rows_.values != nullptr) pick(i, i + n);
      }
    });
  }

  // Sorts from(0) .. from(n - 1), which all lie in [least, most]: by a split into `to`, then bucket by
  // bucket. The result comes to lie in `out`, which is `to` or `spare`.
  template <class Item, class From>
  void sort_shared(From from, Index n, Item least, Item most, int place_bits, Item* to, Item* spare,
                   Item* out, int level) {
    const Digits<Item> digits = choose_digits(n, least, most, place_bits);
    const auto digit = [=](Index i) { return digits(from(i)); };
    const Index* const ends = distribute_in_chunks(n, chunks_, digit, from, digits.buckets,
                                                   counts_ + level * chunks_ * kMostBuckets, to);
    const Index too_large =
        chunks_ == 1 || level + 1 == kSharedLevels ? n : std::max<Index>(n_ / chunks_ / 2, kStep);
    if (digits.complete) return copy_in_chunks(to, n, out);
    const auto begin_of = [&](Index bucket) { return bucket == 0 ? 0 : ends[bucket - 1]; };
    run_dynamically(chunks_, digits.buckets, [&](int, Index bucket) {
      const Index begin = begin_of(bucket), count = ends[bucket] - begin;
      if (count > 0 && count <= too_large) sort_items(to + begin, spare + begin, count, place_bits, out != to);
    });
    for (Index bucket = 0; bucket < digits.buckets; ++bucket) {
      const Index begin = begin_of(bucket), count = ends[bucket] - begin;
      if (count <= too_large) continue;
      const KeyFacts<Item> facts = facts_of(to + begin, count);
      if (facts.least >> place_bits == facts.most >> place_bits) {
        copy_in_chunks(to + begin, count, out + begin);
        continue;
      }
      sort_shared<Item>(Listed<Item>{to + begin}, count, facts.least, facts.most,
                        place_bits, spare + begin, to + begin, out + begin, level + 1);
    }
  }

  template <class Item>
  void copy_in_chunks(const Item* from, Index n, Item* to) {
    if (from == to) return;
    run_range_in_chunks(n, chunks_, [&](Index begin, Index end) { copy_items(from + begin, end - begin, to + begin); });
  }

  void write_values(Index begin, Index end, const Key* keys) {
    loop_.from_keys[static_cast<int>(rows_.dtype)](end - begin, keys, rows_.values + begin * size_,
                                                   rows_.descending);
  }

  void pick(Index begin, Index end) {
    pick_by_place(rows_.dtype, end - begin, rows_.in, places_ + begin, rows_.values + begin * size_);
  }

  const LineRows& rows_;
  Index n_;
  Index size_;
  int chunks_;
  Workspace space_;
  const SortLoops& loop_;
  Key* keys_;
  std::int64_t* places_;  // null when only values are wanted
  Index* counts_ = nullptr;
};

}  // namespace

bool are_countable(DType dtype, Index length, bool places) {
  return !places && itemsize(dtype) <= 2 && (itemsize(dtype) == 1 || length >= kMostCounted * 4);
}

std::size_t long_line_bytes(DType dtype, Index length, bool places, int chunks) {
  if (are_countable(dtype, length, places)) return counting_bytes(dtype, chunks);
  return with_key(dtype, [&]<class Key>(Key) {
    const std::size_t items = places ? 2 * Workspace::bytes<std::uint64_t>(length) : Workspace::bytes<Key>(length);
    return Workspace::bytes<Key>(length) + Workspace::bytes<ChunkFacts<Key>>(chunks) +
           Workspace::bytes<Index>(kSharedLevels * chunks * kMostBuckets) + items;
  });
}

void sort_long_line(const LineRows& rows, std::byte* memory) {
  if (are_countable(rows.dtype, rows.length, rows.places != nullptr)) return sort_by_counting(rows, memory);
  with_key(rows.dtype, [&]<class Key>(Key) { LongLine<Key>(rows, memory).sort(); });
}

}  // namespace strided::kernels::sort
