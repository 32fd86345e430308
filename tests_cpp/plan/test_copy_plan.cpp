#include "plan/copy_plan.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <vector>

#include "check.hpp"
#include "kernels/copy/copy.hpp"
#include "random_space.hpp"

namespace strided::testing {
namespace {

constexpr int kRounds = check::rounds(100'000);

Machine random_machine(Random& random) {
  constexpr const char* kMachines[] = {"", "l1=1024", "l1=1,line=1", "l1=300,line=16", "line=4096"};
  return adjusted(machine(), kMachines[between(random, 0, 4)]);
}

// A layout over `elements` elements: axes in memory in any order, some with gaps; an input may repeat or go backwards.
Layout random_strides(Random& random, Span shape, bool is_input, Index& elements) {
  const int rank = static_cast<int>(shape.size());
  std::vector<int> order(static_cast<std::size_t>(rank));
  std::iota(order.begin(), order.end(), 0);
  if (between(random, 0, 2) > 0) std::ranges::shuffle(order, random);
  Layout layout = Layout::uninitialised(rank, 0);
  Index step = between(random, 0, 5) == 0 ? 2 : 1, first = 0;
  for (int i = rank - 1; i >= 0; --i) {
    const int axis = order[static_cast<std::size_t>(i)];
    const Index length = shape[static_cast<std::size_t>(axis)];
    Index own = step;
    if (is_input && between(random, 0, 9) == 0) own = 0;
    else step *= length + (between(random, 0, 5) == 0);
    if (between(random, 0, 9) == 0) first += own * (length - 1), own = -own;
    layout.set_axis(axis, length, own);
  }
  layout.set_offset(first);
  elements = std::max<Index>(1, step);
  return layout;
}

const check::Test copies("planes, tiles and runs copy every element once, on any machine", [] {
  Random random(51);
  int ways[3] = {}, streamed = 0, grown = 0;
  for (int round = 0; round < kRounds; ++round) {
    Dims shape;
    for (Index count = 1, rank = between(random, 0, 5); rank > 0; --rank) {
      const Index length = std::min(between(random, 1, between(random, 0, 3) == 0 ? 70 : 7), 2000 / count + 1);
      shape.push_back(length);
      count *= length;
    }
    const Index item = Index{1} << between(random, 0, 4);
    Index outs, ins;
    const Layout out = random_strides(random, shape, false, outs), in = random_strides(random, shape, true, ins);
    std::vector<std::uint8_t> from(static_cast<std::size_t>(ins * item));
    std::vector<std::uint8_t> to(static_cast<std::size_t>(outs * item), 0xEE);
    for (std::uint8_t& byte : from) byte = static_cast<std::uint8_t>(between(random, 0, 255));
    std::vector<std::uint8_t> wanted = to;
    const std::vector<Index> ats = positions_of(out), froms = positions_of(in);
    for (std::size_t i = 0; i < ats.size(); ++i) {
      std::memcpy(&wanted[static_cast<std::size_t>(ats[i] * item)], &from[static_cast<std::size_t>(froms[i] * item)],
                  static_cast<std::size_t>(item));
    }
    const SpaceOperand operands[] = {{&out, item}, {&in, item}};
    const auto kind = static_cast<CopyKind>(between(random, 0, 2));
    CopyPlan plan([&] { return ordered_space_of(operands); }, item, kind, random_machine(random));
    plan.chunks = static_cast<int>(between(random, 1, 5));
    std::byte* const storage[] = {reinterpret_cast<std::byte*>(to.data()), reinterpret_cast<std::byte*>(from.data())};
    kernels::copy::run_copy(plan, storage);
    check::that(to == wanted, out.text() + " from " + in.text() + ": " + plan.text());
    ++ways[static_cast<int>(plan.way)];
    streamed += plan.streams();
    if (plan.way != CopyWay::Tiles) continue;
    grown += plan.rows_begin + 1 < plan.space.rank() || plan.columns_begin + 1 < plan.rows_begin;
    check::equal(plan.outer * plan.columns * plan.rows, plan.space.size(), plan.text());
    check::that(plan.tile_rows <= kMostTileRows && plan.tile_columns <= kMostTileColumns, plan.text());
  }
  check::that(std::min({ways[0], ways[1], ways[2], streamed, 3 * grown}) > kRounds / 100, "all ways, often");
});

const check::Test sizes("tiles follow the first cache", [] {
  IterationSpace space(2);
  const Index rows[] = {16384, 4}, columns[] = {4, 16384};
  space.add_axis(4096, Role::Map, rows);
  space.add_axis(4096, Role::Map, columns);
  const auto tile_on = [&](const char* text) {
    const CopyPlan plan([&] { return space; }, 4, CopyKind::Fetched, adjusted({}, text));
    return Dims{plan.tile_rows, plan.tile_columns};
  };
  check::equal(Span(tile_on("l1=32768")), Dims{1024, 512});
  check::equal(Span(tile_on("l1=49152")), Dims{1024, 512});
  check::equal(Span(tile_on("l1=1024")), Dims{32, 16});
  check::equal(Span(tile_on("l1=1")), Dims{1, 1});
});

}  // namespace
}  // namespace strided::testing
