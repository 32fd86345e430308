#include "plan/axes.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>

#include "check.hpp"
#include "layout/contiguity.hpp"
#include "random_space.hpp"

namespace strided::testing {
namespace {

constexpr int kRounds = check::rounds(100'000);

// How often each role visits each tuple of places.
std::map<Places, int> counted(const IterationSpace& space) {
  std::map<Places, int> counts;
  for (const Places& places : visited(space, space.rank())) ++counts[places];
  return counts;
}

const check::Test steps("dropping, ordering, flipping and fusing visit the same elements", [] {
  Random random(11);
  int fused = 0, flipped = 0, ordered = 0;
  for (int round = 0; round < kRounds; ++round) {
    const IterationSpace space = random_space(random, 5, 4);
    if (space.is_empty()) continue;
    IterationSpace made = space;
    drop_unit_axes(made);
    const std::string dropped = made.text();
    order_axes(made);
    ordered += made.text() != dropped;
    const std::string before = made.text();
    flip_negative_steps(made);
    flipped += made.text() != before;
    const int rank = made.rank();
    fuse_axes(made);
    fused += made.rank() < rank;
    check::that(counted(made) == counted(space), space.text() + " became " + made.text());
  }
  check::that(std::min({fused, flipped, ordered}) > kRounds / 100, "every step does something, often");
});

const check::Test order("an operand that decides alone has its widest steps outside, and forwards", [] {
  Random random(12);
  for (int round = 0; round < kRounds; ++round) {
    IterationSpace space = random_space(random, 6, 3);
    if (space.is_empty()) continue;
    const int decides = static_cast<int>(between(random, 0, space.operands - 1));
    order_axes(space, only(decides), Repeated::PerLine);
    flip_negative_steps(space, only(decides));
    for (int axis = 0; axis < space.rank(); ++axis) {
      const Index step = space.strides[decides][axis];
      check::that(step >= 0, "forwards: " + space.text());
      if (axis == 0) continue;
      const Index outer = space.strides[decides][axis - 1];
      const auto width = [](Index bytes) { return bytes == 0 ? 64 : bytes; };
      check::that(width(outer) >= width(step), "ordered: " + space.text());
    }
  }
});

const check::Test fuse("neighbours fuse exactly where role and steps allow", [] {
  Random random(13);
  for (int round = 0; round < kRounds; ++round) {
    IterationSpace space = random_space(random, 6, 3);
    if (space.is_empty()) continue;
    const std::vector<Places> before = visited(space, space.rank());
    fuse_axes(space);
    check::that(visited(space, space.rank()) == before, "the order of elements stays: " + space.text());
    for (int axis = 1; axis < space.rank(); ++axis) {
      bool together = space.roles[axis - 1] == space.roles[axis];
      for (int k = 0; k < space.operands; ++k) {
        together &= space.strides[k][axis - 1] == space.shape[axis] * space.strides[k][axis];
      }
      check::that(!together, "nothing is left to fuse: " + space.text());
    }
  }
});

const check::Test set("only the operands of a set have to step together", [] {
  IterationSpace space(2);
  const Index outer[] = {12, 99}, inner[] = {4, 1};
  space.add_axis(2, Role::Map, outer);
  space.add_axis(3, Role::Map, inner);
  IterationSpace all = space;
  fuse_axes(all);
  check::equal(Span(all.shape), Dims{2, 3});
  fuse_axes(space, only(0));
  check::equal(Span(space.shape), Dims{6});
});

const check::Test roles("scans and picks neither move nor fuse", [] {
  for (const Role role : {Role::Scan, Role::Pick, Role::Row}) {
    IterationSpace space(1);
    const Index first[] = {3}, second[] = {-12}, last[] = {1};
    space.add_axis(2, Role::Map, first);
    space.add_axis(2, Role::Map, second);
    space.add_axis(3, role, last);
    order_axes(space);
    check::equal(space.steps(0), Dims{-12, 3, 1}, name_of(role));
    flip_negative_steps(space);
    check::equal(space.steps(0), Dims{12, 3, 1}, name_of(role));
    fuse_axes(space);
    check::equal(space.rank(), 3, name_of(role));
  }
  IterationSpace pick(1);
  const Index step[] = {8};
  pick.add_axis(1, Role::Pick, step);
  drop_unit_axes(pick);
  check::equal(pick.rank(), 1, "a table is not dropped");
});

const check::Test innermost("an axis becomes the innermost with its role", [] {
  Random random(14);
  for (int round = 0; round < check::rounds(2000); ++round) {
    IterationSpace space = random_space(random, 5, 3);
    if (space.rank() == 0 || space.is_empty()) continue;
    const auto before = counted(space);
    const int axis = static_cast<int>(between(random, 0, space.rank() - 1));
    const Index length = space.shape[axis];
    set_role_innermost(space, axis, Role::Scan);
    check::that(space.inner_length() == length && space.roles[space.rank() - 1] == Role::Scan, space.text());
    check::that(counted(space) == before, space.text());
  }
});

const check::Test layouts("a space of layouts visits what they reach", [] {
  Random random(15);
  for (int round = 0; round < check::rounds(20'000); ++round) {
    const Layout layout = random_layout(random, 5, 4, 30);
    const SpaceOperand operands[] = {{&layout, 4}};
    std::vector<Places> expected;
    for (Index position : positions_of(layout)) expected.push_back({4 * position});
    const IterationSpace in_order = space_of(operands), ordered = ordered_space_of(operands);
    check::that(visited(in_order, in_order.rank()) == expected, layout.text());
    check::that(sorted(visited(ordered, ordered.rank())) == sorted(expected), layout.text());
  }
});

const check::Test single("one step leads through a layout exactly where its positions are evenly apart", [] {
  Random random(16);
  int found = 0;
  for (int round = 0; round < check::rounds(100'000); ++round) {
    Layout layout = random_layout(random, 4, 4, 6);
    if (layout.size() == 0) continue;
    // Often axes that continue each other.
    for (int axis = layout.rank() - 2; axis >= 0 && between(random, 0, 1) == 0; --axis) {
      layout.set_axis(axis, layout.length(axis), layout.length(axis + 1) * layout.stride(axis + 1));
    }
    const std::vector<Index> at = positions_of(layout);
    const Index apart = at.size() > 1 ? at[1] - at[0] : 0;
    bool even = true;
    for (std::size_t i = 1; i < at.size(); ++i) even &= at[i] - at[i - 1] == apart;
    Index step = 0;
    const bool is_single = single_step(layout, step);
    check::that(is_single == even && (!even || step == apart), layout.text());
    found += is_single && layout.rank() > 1;
  }
  check::that(found > check::rounds(1000), "there are such layouts of several axes");
});

const check::Test text("a space prints its roles where they say something", [] {
  IterationSpace space(1);
  const Index outer[] = {4096}, inner[] = {4};
  space.add_axis(64, Role::Map, outer);
  space.add_axis(1024, Role::Map, inner);
  check::equal(space.text(), "(64, 1024) bytes to step: (4096, 4)");
  space.roles[1] = Role::Fold;
  check::equal(space.text(), "(64, 1024) map, fold bytes to step: (4096, 4)");
});

}  // namespace
}  // namespace strided::testing
