#include "plan/walk.hpp"

#include "check.hpp"
#include "random_space.hpp"

namespace strided::testing {
namespace {

constexpr int kRounds = check::rounds(100'000);
constexpr Index kOrigin[kMaxOperands] = {};

Places listed(const Index* places, int operands) { return {places, places + operands}; }

const check::Test positions("a walk from any position visits the rest, in order", [] {
  Random random(21);
  for (int round = 0; round < kRounds; ++round) {
    IterationSpace space = random_space(random, 5, 3);
    Index table[5];
    if (space.rank() > 0 && between(random, 0, 3) == 0) {
      for (Index& index : table) index = between(random, 0, 9);
      space.roles[0] = Role::Pick;
      space.picked = table;
    }
    const int axes = static_cast<int>(between(random, 0, space.rank()));
    const std::vector<Places> all = visited(space, axes);
    const Index count = static_cast<Index>(all.size());
    if (count == 0) continue;
    const Index begin = between(random, 0, count - 1), end = between(random, begin, count);
    std::vector<Places> got;
    for_each_position(space, kOrigin, axes, begin, end,
                      [&](const Index* places) { got.push_back(listed(places, space.operands)); });
    check::that(got == std::vector<Places>(all.begin() + begin, all.begin() + end), space.text());
  }
});

const check::Test blocks("every block of inner axes is visited once", [] {
  Random random(22);
  for (int round = 0; round < kRounds; ++round) {
    const IterationSpace space = random_space(random, 5, 3);
    const int inner = static_cast<int>(between(random, 0, 6));
    std::vector<Places> got, expected;
    if (!space.is_empty()) expected = visited(space, std::max(0, space.rank() - inner));
    for_each_block(space, inner, kOrigin, [&](const Index* places) { got.push_back(listed(places, space.operands)); });
    check::that(got == expected, space.text());
  }
});

const check::Test skips("skipping along the innermost axis agrees with stepping", [] {
  Random random(23);
  for (int round = 0; round < check::rounds(20'000); ++round) {
    const IterationSpace space = random_space(random, 4, 2);
    if (space.is_empty()) continue;
    const std::vector<Places> all = visited(space, space.rank());
    Walk<Index> walk(space, kOrigin, space.rank());
    for (std::size_t at = 0;;) {
      check::that(listed(walk.places(), space.operands) == all[at], space.text());
      const Index by = between(random, 1, walk.run());
      at += static_cast<std::size_t>(by);
      const bool more = walk.skip(by);
      check::that(more == (at < all.size()), space.text());
      if (!more) break;
    }
  }
});

const check::Test offsets("offsets of a range of axes agree with a walk of them", [] {
  Random random(24);
  for (int round = 0; round < kRounds; ++round) {
    const IterationSpace space = random_space(random, 5, 2);
    const int begin = static_cast<int>(between(random, 0, space.rank()));
    const int end = static_cast<int>(between(random, begin, space.rank()));
    IterationSpace part(1);
    for (int axis = begin; axis < end; ++axis) {
      const Index step = space.strides[0][axis];
      part.add_axis(space.shape[axis], Role::Map, &step);
    }
    const std::vector<Places> all = visited(part, part.rank());
    const Index count = static_cast<Index>(all.size());
    if (count == 0) continue;
    const Index first = between(random, 0, count - 1), n = between(random, 0, count - first);
    std::vector<Index> got(static_cast<std::size_t>(n));
    list_offsets(space, 0, begin, end, first, n, got.data());
    for (Index i = 0; i < n; ++i) {
      const Index expected = all[static_cast<std::size_t>(first + i)][0];
      check::equal(got[static_cast<std::size_t>(i)], expected, space.text());
      check::equal(offset_of(space, 0, begin, end, first + i), expected, space.text());
    }
  }
});

const check::Test indices("indices of a position agree with a walk to it", [] {
  Random random(25);
  for (int round = 0; round < check::rounds(20'000); ++round) {
    const IterationSpace space = random_space(random, 5, 1);
    if (space.is_empty()) continue;
    const int axes = static_cast<int>(between(random, 0, space.rank()));
    const Index number = between(random, 0, space.size_of_first(axes) - 1);
    const Walk<Index> walk(space, kOrigin, axes, number);
    Index got[kMaxRank];
    indices_of(space, axes, number, got);
    for (int axis = 0; axis < axes; ++axis) check::equal(got[axis], walk.index(axis), space.text());
  }
});

}  // namespace
}  // namespace strided::testing
