#include "check.hpp"
#include "plan/sizes.hpp"
#include "plan/walk.hpp"
#include "random_space.hpp"

namespace strided::testing {
namespace {

constexpr int kRounds = check::rounds(50'000);

const check::Test single_steps("a single step is what the listed offsets have", [] {
  Random random(41);
  int single = 0;
  for (int round = 0; round < kRounds; ++round) {
    IterationSpace space = random_space(random, 4, 2);
    drop_unit_axes(space);
    if (space.is_empty()) continue;
    const int begin = static_cast<int>(between(random, 0, space.rank()));
    const AxisRange axes{begin, static_cast<int>(between(random, begin, space.rank()))};
    std::vector<Index> offsets(static_cast<std::size_t>(size_of(space, axes)));
    const auto count = static_cast<Index>(offsets.size());
    list_offsets(space, 1 % space.operands, axes.begin, axes.end, 0, count, offsets.data());
    bool even = true;
    for (std::size_t i = 2; i < offsets.size(); ++i) even &= offsets[i] - offsets[i - 1] == offsets[1];
    Index step;
    const bool found = has_single_step(space, 1 % space.operands, axes, step);
    check::equal(int{found}, int{even}, space.text());
    if (found && offsets.size() > 1) check::equal(step, offsets[1], space.text());
    if (found && axes.count() == 0) check::equal(step, 0);
    single += found && axes.count() > 1;
  }
  check::that(single > kRounds / 50, "several axes have a single step often");
});

const check::Test together("axes step together where their fused axis visits the same places", [] {
  Random random(42);
  int fused = 0;
  for (int round = 0; round < kRounds; ++round) {
    IterationSpace space = random_space(random, 2, 3);
    if (space.rank() < 2 || space.is_empty()) continue;
    const std::vector<Places> before = visited(space, 2);
    const bool one = step_together(space, 0, 1);
    IterationSpace made = space;
    made.roles[0] = made.roles[1] = Role::Column;
    fuse_axes(made);
    check::equal(made.rank() == 1, one, space.text());
    if (one) check::that(visited(made, 1) == before, space.text());
    fused += one;
  }
  check::that(fused > kRounds / 50, "axes step together often");
});

const check::Test even_runs("an even run ends where the distance changes", [] {
  Random random(43);
  for (int round = 0; round < kRounds; ++round) {
    std::vector<Index> table(static_cast<std::size_t>(between(random, 1, 8)));
    for (Index& index : table) index = between(random, 0, 3);
    Index step;
    const Index run = even_run(table, step);
    const auto size = static_cast<Index>(table.size());
    check::that(run >= std::min<Index>(2, size) && run <= size, "two indices are always even");
    for (Index i = 1; i < std::min(run + 1, size); ++i) {
      const bool even = table[static_cast<std::size_t>(i)] - table[static_cast<std::size_t>(i - 1)] == step;
      check::equal(int{even}, int{i < run});
    }
    if (size == 1) check::equal(step, 1);
  }
});

const check::Test sizes("sizes in whole steps", [] {
  for (Index n = 0; n < 40; ++n) {
    for (Index step = 1; step < 9; ++step) {
      const Index count = ceil_div(n, step);
      check::that(count * step >= n && (count - 1) * step < n, "the fewest steps that hold n");
      check::equal(round_up(n, step), count * step);
    }
  }
});

}  // namespace
}  // namespace strided::testing
