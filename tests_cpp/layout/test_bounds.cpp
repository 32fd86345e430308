#include "layout/bounds.hpp"

#include <algorithm>
#include <limits>

#include "check.hpp"
#include "random_layout.hpp"

namespace strided::testing {
namespace {

constexpr Index kMax = std::numeric_limits<Index>::max();
constexpr Index kMin = std::numeric_limits<Index>::min();

const check::Test walked("bounds are the extremes of a walk", [] {
  Random random(2);
  for (int round = 0; round < check::rounds(2000); ++round) {
    const Layout layout = random_layout(random, 4, 4, 9);
    const std::vector<Index> positions = positions_of(layout);
    const Bounds bounds = bounds_of(layout);
    check::equal(bounds.empty(), positions.empty(), layout.text());
    if (positions.empty()) continue;
    check::equal(bounds.lowest, *std::ranges::min_element(positions), layout.text());
    check::equal(bounds.highest, *std::ranges::max_element(positions), layout.text());
  }
});

const check::Test fits("check_fits refuses what leaves the storage on either side", [] {
  check_fits(Layout(Dims{3}, Dims{-1}, 2), 3);
  check_fits(Layout(Dims{0, kMax}, Dims{kMax, kMax}, -5), 0);
  check_fits(Layout(Dims{1}, Dims{kMax}, 0), 1);
  const auto refuses = [](const Layout& layout, Index storage_size) {
    check::raises(ErrorKind::OutOfStorageBounds, [&] { check_fits(layout, storage_size); });
  };
  refuses(Layout(Dims{3}, Dims{-1}, 1), 3);
  refuses(Layout(Dims{3}, Dims{1}, 1), 3);
  refuses(Layout(Dims{}, Dims{}, 0), 0);
  refuses(Layout(Dims{3}, Dims{kMax}, 0), kMax);
  refuses(Layout(Dims{2, 2}, Dims{kMax, 1}, 0), kMax);
  refuses(Layout(Dims{3}, Dims{kMin}, 0), kMax);
});

const check::Test overflow("arithmetic notices overflow", [] {
  Index result;
  check::that(multiply(kMax, -1, result), "-max fits");
  check::that(!multiply(kMin, -1, result), "-min does not");
  check::that(!add(kMax, 1, result), "max + 1 does not");
  check::equal(static_cast<Index>(magnitude(kMin) - 1), kMax);
  check::equal(shifted(5, 3, -2), -1);
  check::raises(ErrorKind::InvalidArgument, [] { shifted(5, 2, kMax); });
  check::equal(scaled(kMax, 2, 1), kMax, "no step, no overflow");
  check::raises(ErrorKind::InvalidArgument, [] { scaled(kMax, 2, 2); });
  check::raises(ErrorKind::OutOfStorageBounds, [] { bounds_of(Layout(Dims{3}, Dims{kMin}, 0)); });
});

}  // namespace
}  // namespace strided::testing
