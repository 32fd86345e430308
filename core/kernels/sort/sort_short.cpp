// Sorting networks over many short lines at a time: keys, a network over each row of keys, and back to elements.
#include <cstring>

#include "dtype/bits.hpp"
#include "dtype/element.hpp"
#include "kernels/loop_table.hpp"
#include "radix.hpp"
#include "sort_keys.hpp"
#include "sort_lines.hpp"

namespace strided::kernels::sort {
namespace {

// Keys of all rows; true when values that count as equal may differ in their bits.
template <class Key>
bool make_keys(const LineRows& rows, Ties ties, Key* keys) {
  const auto to_keys = loops().sort.to_keys[static_cast<int>(ties)][static_cast<int>(rows.dtype)];
  const Index size = itemsize(rows.dtype);
  if (rows.in_pitch == rows.length * size) {
    return to_keys(rows.count * rows.length, rows.in, keys, rows.descending);
  }
  bool ambiguous = false;
  for (Index row = 0; row < rows.count; ++row) {
    ambiguous |= to_keys(rows.length, rows.in + row * rows.in_pitch, keys + row * rows.length, rows.descending);
  }
  return ambiguous;
}

template <class Key>
void make_values(const LineRows& rows, const Key* keys) {
  const auto from_keys = loops().sort.from_keys[static_cast<int>(rows.dtype)];
  const Index size = itemsize(rows.dtype);
  if (rows.keep == rows.length && rows.values_pitch == rows.keep * size) {
    return from_keys(rows.count * rows.keep, keys, rows.values, rows.descending);
  }
  for (Index row = 0; row < rows.count; ++row) {
    from_keys(rows.keep, keys + row * rows.length, rows.values + row * rows.values_pitch, rows.descending);
  }
}

// Keys of 64 bits leave bits for places only if they lie close enough together. If they do not, some
// low bits are dropped and looked up again where they matter.
void sort_wide_row(Index n, std::uint64_t* keys, std::uint64_t* items, std::int64_t* places,
                   bool& dropped) {
  const auto& loop = loops().sort.wide;
  const KeyFacts<std::uint64_t> facts = loop.facts(n, keys);
  const int place_bits = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(n)));
  const int width = static_cast<int>(std::bit_width(facts.most - facts.least));
  const Packing<std::uint64_t> packing{facts.least, std::max(0, width + place_bits - 64), place_bits};
  const Rows row{1, n};
  loop.pack(row, keys, items, 0, packing);
  loop.sort(row, items);
  dropped = packing.dropped > 0;
  if (dropped) sort_dropped_bits(items, nullptr, n, place_bits, keys);
  loop.unpack(row, items, dropped ? nullptr : keys, places, packing);
}

template <class Key>
void sort_rows(const LineRows& rows, std::byte* memory) {
  const Rows list{rows.count, rows.length};
  Workspace space(memory);
  Key* const keys = space.take<Key>(list.size());
  if (rows.places == nullptr) {
    const bool zeros = make_keys(rows, Ties::Distinct, keys);
    loops().sort.of<Key>().sort(list, keys);
    make_values(rows, keys);
    for (Index row = 0; zeros && row < rows.count; ++row) {
      restore_zeros(rows, rows.in + row * rows.in_pitch, rows.values + row * rows.values_pitch);
    }
    return;
  }

  auto* const items = space.take<std::uint64_t>(list.size());
  auto* const places = reinterpret_cast<std::int64_t*>(items);
  bool by_place = make_keys(rows, Ties::Equal, keys);
  if (itemsize(rows.dtype) <= 2) {
    auto* const halves = reinterpret_cast<std::uint32_t*>(keys);
    loops().sort.half.pack(list, halves);
    loops().sort.narrow.sort(list, halves);
    loops().sort.half.unpack(list, halves, places);
  } else if constexpr (sizeof(Key) == 4) {
    const Packing<Key> packing{0, 0, 32};
    const auto& loop = loops().sort.of<Key>();
    loop.pack(list, keys, items, 0, packing);
    loops().sort.wide.sort(list, items);
    const bool wanted = rows.values != nullptr && !by_place;
    loop.unpack(list, items, wanted ? keys : nullptr, places, packing);
  } else {
    for (Index row = 0; row < rows.count; ++row) {
      bool dropped;
      const Index begin = row * rows.length;
      sort_wide_row(rows.length, keys + begin, items + begin, places + begin, dropped);
      by_place |= dropped;
    }
  }
  for (Index row = 0; row < rows.count; ++row) {
    std::memcpy(rows.places + row * rows.places_pitch, places + row * rows.length,
                static_cast<std::size_t>(rows.keep) * sizeof(std::int64_t));
  }
  if (rows.values == nullptr) return;
  if (!by_place) return make_values(rows, keys);
  for (Index row = 0; row < rows.count; ++row) {
    pick_by_place(rows.dtype, rows.keep, rows.in + row * rows.in_pitch, places + row * rows.length,
                  rows.values + row * rows.values_pitch);
  }
}

}  // namespace

std::size_t short_lines_bytes(DType dtype, Index count, Index length, bool places) {
  const Index keys = count * length;
  return with_key(dtype, [&]<class Key>(Key) { return Workspace::bytes<Key>(keys); }) +
         (places ? Workspace::bytes<std::uint64_t>(keys) : 0);
}

void sort_short_lines(const LineRows& rows, std::byte* memory) {
  with_key(rows.dtype, [&]<class Key>(Key) { sort_rows<Key>(rows, memory); });
}

// ---- what the long lines use too ----

void sort_dropped_bits(std::uint64_t* items, std::uint64_t* spare, Index n, int place_bits,
                       const std::uint64_t* keys) {
  // Runs up to this length are compared by their keys where they are: others are packed anew and sorted by digits.
  constexpr Index kShort = 64;
  const std::uint64_t mask = (std::uint64_t{1} << place_bits) - 1;
  const auto key = [&](std::uint64_t item) { return keys[item & mask]; };
  InterruptCheck check;
  for (Index first = 0, end; first < n; first = end) {
    end = first + 1;
    while (end < n && items[end] >> place_bits == items[first] >> place_bits) ++end;
    const Index count = end - first;
    check.after(count * Index{sizeof(std::uint64_t)});
    if (count == 1) continue;
    std::uint64_t least = ~std::uint64_t{0}, most = 0;
    for (Index i = first; i < end; ++i) {
      least = std::min(least, key(items[i]));
      most = std::max(most, key(items[i]));
    }
    if (least == most) continue;
    if (count <= kShort || static_cast<int>(std::bit_width(most - least)) + place_bits > 64) {
      std::sort(items + first, items + end, [&](std::uint64_t a, std::uint64_t b) {
        return key(a) != key(b) ? key(a) < key(b) : a < b;
      });
      continue;
    }
    for (Index i = first; i < end; ++i) {
      items[i] = (key(items[i]) - least) << place_bits | (items[i] & mask);
    }
    if (spare != nullptr) sort_items(items + first, spare + first, count, place_bits, false);
    else std::sort(items + first, items + end);
  }
}

void pick_by_place(DType dtype, Index n, const std::byte* in, const std::int64_t* places,
                   std::byte* values) {
  visit_bits(itemsize(dtype), [&]<class Bits>(Bits) {
    constexpr Index size = sizeof(Bits);
    run_in_steps(0, n, kBetweenChecks, [=](Index begin, Index end) {
      for (Index i = begin; i < end; ++i) store(values + i * size, load<Bits>(in + places[i] * size));
    });
  });
}

void restore_zeros(const LineRows& rows, const std::byte* in, std::byte* values) {
  visit(rows.dtype, [&]<class T>(Type<T>) {
    if constexpr (is_float_element<T> && !requires { typename T::value_type; }) {
      using Bits = BitsOf<T>;
      using Key = KeyOf<T>;
      constexpr Index size = sizeof(T);
      constexpr Bits kSign = SortKey<T>::kSign;
      const auto is_zero = [](const std::byte* at) { return (load<Bits>(at) | kSign) == kSign; };
      const Key zero = SortKey<T>::template of<Ties::Equal>(0);
      // The first zero: values before it lie on one side of it.
      Index low = 0;
      for (Index count = rows.keep; count > 0;) {
        const Index half = count / 2;
        const std::byte* const at = values + (low + half) * size;
        const Key key = SortKey<T>::template of<Ties::Equal>(load<Bits>(at));
        if (rows.descending ? key > zero : key < zero) {
          low += half + 1;
          count -= half + 1;
        } else {
          count = half;
        }
      }
      run_in_steps(0, rows.length, kBetweenChecks, [&](Index begin, Index end) {
        for (Index i = begin; i < end && low < rows.keep; ++i) {
          if (is_zero(in + i * size)) store(values + low++ * size, load<Bits>(in + i * size));
        }
      });
    }
  });
}

}  // namespace strided::kernels::sort
