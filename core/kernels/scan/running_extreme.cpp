#include "running_extreme.hpp"

#include <algorithm>
#include <array>
#include <type_traits>

#include "dtype/element.hpp"
#include "plan/record.hpp"
#include "plan/split.hpp"
#include "run/arena.hpp"
#include "run/interrupt.hpp"
#include "scan_space.hpp"

namespace strided::kernels::scan {
namespace {

// Lines that are taken together: what is known of them stays in the first-level cache.
constexpr Index kLines = 512;
// Elements that are taken between two looks for an interrupt.
constexpr Index kElements = Index{1} << 15;

constexpr int kValues = 0, kPlaces = 1, kIn = 2;

// Elements first .. first + n - 1 of some lines. Steps are in bytes, from one element to the next and from one line to
// the next.
struct ExtremeTile {
  std::byte* const* start;  // of the first line, of each operand
  Index first, n, lines;
  Index step[3], side_step[3];

  std::byte* at(int operand, Index line) const {
    return start[operand] + first * step[operand] + line * side_step[operand];
  }
};

template <class T>
auto number_of(T x) {
  if constexpr (std::is_arithmetic_v<T>) return x;
  else return static_cast<float>(x);
}

// A NaN wins over every number, and the latest of equals over those before.
template <bool kLargest, class T>
bool wins(T x, T than) {
  const auto a = number_of(x), b = number_of(than);
  return (kLargest ? a >= b : a <= b) || a != a;
}

// Along lines, one by one.
template <bool kLargest, class T>
void extreme_along(const ExtremeTile& tile, T* best, Index* place) {
  for (Index line = 0; line < tile.lines; ++line) {
    const std::byte* in = tile.at(kIn, line);
    std::byte *values = tile.at(kValues, line), *places = tile.at(kPlaces, line);
    T so_far = best[line];
    Index where = place[line];
    for (Index i = tile.first; i < tile.first + tile.n; ++i) {
      const T x = load<T>(in);
      if (wins<kLargest>(x, so_far)) {
        so_far = x;
        where = i;
      }
      store(values, so_far);
      store(places, where);
      in += tile.step[kIn];
      values += tile.step[kValues];
      places += tile.step[kPlaces];
    }
    best[line] = so_far;
    place[line] = where;
  }
}

// Across lines: one element of each after the other.
template <bool kLargest, class T>
void extreme_across(ExtremeTile tile, T* best, Index* place) {
  const Index end = tile.first + tile.n;
  for (; tile.first < end; ++tile.first) {
    const std::byte* in = tile.at(kIn, 0);
    std::byte *values = tile.at(kValues, 0), *places = tile.at(kPlaces, 0);
    for (Index line = 0; line < tile.lines; ++line) {
      const T x = load<T>(in);
      const bool moves = wins<kLargest>(x, best[line]);
      best[line] = moves ? x : best[line];
      place[line] = moves ? tile.first : place[line];
      store(values, best[line]);
      store(places, place[line]);
      in += tile.side_step[kIn];
      values += tile.side_step[kValues];
      places += tile.side_step[kPlaces];
    }
  }
}

template <bool kLargest, class T>
void run(const ScanSpace& space, std::byte* const* storage) {
  const LineTiles tiles(space.axes, space.width(kLines));
  const Index nbytes = space.axes.size() * static_cast<Index>(2 * sizeof(T) + sizeof(Index));
  const int chunks = chunks_for(tiles.count(), nbytes);
  const RecordScope scope([&] {
    const auto loop = plain_loop("kernels/scan/running_extreme.cpp", space.along ? "extreme_along" : "extreme_across");
    return PlanRecord(kLargest ? "cummax" : "cummin", space.axes, {loop}, chunks,
                      space.along ? std::string() : tiles.text());
  });
  run_range_in_chunks(tiles.count(), chunks, [&](Index begin, Index end) {
    ScratchArray<T, kLines> best;
    ScratchArray<Index, kLines> place;
    tiles.for_each(storage, begin, end, [&](std::byte* const* start, Index lines) {
      ExtremeTile tile{start, 0, 0, lines, {}, {}};
      for (int k : {kValues, kPlaces, kIn}) {
        tile.step[k] = space.step(k);
        tile.side_step[k] = space.side_step(k);
      }
      for (Index line = 0; line < lines; ++line) best[line] = load<T>(tile.at(kIn, line));
      std::fill_n(place.data(), lines, Index{0});
      for (; tile.first < space.length(); tile.first += tile.n) {
        if (tile.first > 0) check_interrupt();
        tile.n = std::min(space.length() - tile.first, kElements / lines);
        if (space.along) extreme_along<kLargest, T>(tile, best, place);
        else extreme_across<kLargest, T>(tile, best, place);
      }
    });
  });
}

}  // namespace

void running_extreme(const Operand& values, const Operand& places, const Operand& in, int axis, bool largest) {
  if (in.layout->size() == 0) return;
  const ScanSpace space(std::array{&values, &places, &in}, axis);
  std::byte* const storage[] = {values.storage, places.storage, in.storage};
  visit(in.dtype, [&]<class T>(Type<T>) {
    if constexpr (!requires { typename T::value_type; }) {  // complex numbers have no order
      largest ? run<true, T>(space, storage) : run<false, T>(space, storage);
    }
  });
}

}  // namespace strided::kernels::scan
