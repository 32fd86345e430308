#include "layout/overlap.hpp"

#include <algorithm>
#include <limits>
#include <set>

#include "check.hpp"
#include "layout/views.hpp"
#include "random_layout.hpp"

namespace strided::testing {
namespace {

Answer answer(bool yes) { return yes ? Answer::Yes : Answer::No; }

void agree(Answer got, Answer expected, const std::string& about,
           check::Place place = check::here()) {
  check::equal(static_cast<int>(got), static_cast<int>(expected), about, place);
}

const check::Test equations("bounded equations agree with trying every combination", [] {
  Random random(5);
  for (int round = 0; round < check::rounds(5000); ++round) {
    BoundedEquation equation;
    std::set<Index> sums = {0};
    for (Index terms = between(random, 0, 4); terms > 0; --terms) {
      const Index coefficient = between(random, -30, 30), bound = between(random, 0, 4);
      equation.add(coefficient, bound);
      std::set<Index> longer;
      for (Index x = 0; x <= bound; ++x) {
        for (Index sum : sums) longer.insert(sum + coefficient * x);
      }
      sums = std::move(longer);
    }
    for (Index target = -250; target <= 250; target += 3) {
      Index work = kOverlapWork;
      agree(equation.solve(target, work), answer(sums.contains(target)), std::to_string(target));
    }
  }
});

const check::Test itself("self-overlap agrees with a walk", [] {
  Random random(6);
  int found = 0;
  for (int round = 0; round < check::rounds(40000); ++round) {
    const Layout layout = random_layout(random, 5, 4, round % 2 == 0 ? 12 : 60);
    std::vector<Index> positions = positions_of(layout);
    std::ranges::sort(positions);
    const bool repeats = std::ranges::adjacent_find(positions) != positions.end();
    agree(overlaps_itself(layout), answer(repeats), layout.text());
    found += repeats;
  }
  check::that(found > check::rounds(4000) && found < check::rounds(36000), "both outcomes are common");
});

bool share_a_byte(const Layout& a, Index item_a, const Layout& b, Index item_b) {
  std::set<Index> bytes;
  for (Index position : positions_of(a)) {
    for (Index byte = 0; byte < item_a; ++byte) bytes.insert(position * item_a + byte);
  }
  for (Index position : positions_of(b)) {
    for (Index byte = 0; byte < item_b; ++byte) {
      if (bytes.contains(position * item_b + byte)) return true;
    }
  }
  return false;
}

const check::Test pairs("overlap of two layouts agrees with a walk over their bytes", [] {
  Random random(7);
  const Index item_sizes[] = {1, 2, 3, 4, 8};
  int found = 0, close = 0;
  for (int round = 0; round < check::rounds(20000); ++round) {
    const Layout a = random_layout(random, 3, 4, 20), b = random_layout(random, 3, 4, 20);
    const Index item_a = item_sizes[between(random, 0, 4)];
    const Index item_b = round % 2 == 0 ? item_a : item_sizes[between(random, 0, 4)];
    const std::string about = a.text() + " of " + std::to_string(item_a) + " and " + b.text() +
                              " of " + std::to_string(item_b);
    const bool shared = share_a_byte(a, item_a, b, item_b);
    agree(overlaps(a, item_a, b, item_b), answer(shared), about);
    agree(overlaps(b, item_b, a, item_a), answer(shared), about);
    const bool touch = ranges_touch(a, item_a, b, item_b);
    if (shared) check::that(touch, about);
    found += shared;
    close += touch && !shared;
  }
  check::that(found > check::rounds(2000) && close > check::rounds(2000), "both outcomes are common");
});

const check::Test real("layouts met in practice are decided at once", [] {
  const Index few = 100;
  const Layout image = Layout::row_major(Dims{64, 3, 1080, 1920});
  agree(overlaps_itself(image, few), Answer::No, "row-major");
  agree(overlaps_itself(permuted(image, Dims{3, 0, 2, 1}), few), Answer::No, "permuted");
  agree(overlaps_itself(flipped(image, Dims{1, 3}), few), Answer::No, "flipped");
  agree(overlaps_itself(expanded(image, Dims{2, 64, 3, 1080, 1920}), few), Answer::Yes, "expanded");
  agree(overlaps_itself(unfolded(image, 3, 7, 1), few), Answer::Yes, "windows");
  agree(overlaps_itself(unfolded(image, 3, 7, 7), few), Answer::No, "tiles");
  agree(overlaps_itself(unfolded(unfolded(image, 2, 5, 3), 3, 5, 3), few), Answer::Yes, "patches");

  const Layout even = sliced(image, 3, 0, std::nullopt, 2);
  const Layout odd = sliced(image, 3, 1, std::nullopt, 2);
  agree(overlaps(even, 4, odd, 4, few), Answer::No, "even and odd columns");
  agree(overlaps(even, 4, reversed_axes(odd), 4, few), Answer::No, "even and odd, transposed");
  agree(overlaps(even, 4, flipped(image, Dims{3}), 4, few), Answer::Yes, "even and all");
  agree(overlaps(narrowed(image, 3, 0, 960), 4, narrowed(image, 3, 960, 960), 4, few), Answer::No,
        "left and right half");
  agree(overlaps(narrowed(image, 3, 0, 961), 4, narrowed(image, 3, 960, 960), 4, few), Answer::Yes,
        "halves with a common column");
  agree(overlaps(selected(image, 1, 0), 4, selected(image, 1, 2), 4, few), Answer::No, "channels");
});

const check::Test limits("too hard is said, never guessed; what cannot be stored raises", [] {
  // Coefficients without structure, as in subset-sum puzzles.
  Layout puzzle = Layout::uninitialised(20, 0);
  for (int axis = 0; axis < 20; ++axis) {
    puzzle.set_axis(axis, 2, (Index{1} << 45) + (Index{7919} << (axis * 31 % 40)) + axis * axis);
  }
  agree(overlaps_itself(puzzle, 1000), Answer::TooHard, puzzle.text());

  const Index max = std::numeric_limits<Index>::max();
  const Layout far(Dims{2}, Dims{max}, 0);
  agree(overlaps_itself(far), Answer::No, far.text());
  agree(overlaps(far, 8, Layout(Dims{}, Dims{}, max), 8), Answer::Yes, "the last position");
  agree(overlaps(far, 8, Layout(Dims{}, Dims{}, max), 4), Answer::No, "bytes beyond int64");
  const Layout beyond(Dims{3}, Dims{max}, 0);
  check::raises(ErrorKind::OutOfStorageBounds, [&] { overlaps_itself(beyond); });
  check::raises(ErrorKind::OutOfStorageBounds, [&] { overlaps(far, 1, beyond, 1); });
  check::raises(ErrorKind::InvalidArgument, [&] { overlaps(far, 0, far, 1); });
  check::raises(ErrorKind::InvalidArgument, [&] { ranges_touch(far, 1, far, max); });
});

}  // namespace
}  // namespace strided::testing
