#include "plan/line_tiles.hpp"

#include "check.hpp"
#include "plan/split.hpp"
#include "random_space.hpp"

namespace strided::testing {
namespace {

constexpr Index kItem = 4;

// Two layouts of one shape.
struct Pair {
  Layout layouts[2];
  SpaceOperand operands[2];

  Pair(Random& random, int rank) {
    for (Layout& layout : layouts) layout = Layout::uninitialised(rank, between(random, 0, 20));
    for (int axis = 0; axis < rank; ++axis) {
      const Index length = between(random, 1, 5);
      for (Layout& layout : layouts) layout.set_axis(axis, length, between(random, -9, 9));
    }
    for (int k = 0; k < 2; ++k) operands[k] = {&layouts[k], kItem};
  }
};

const check::Test any_axis("lines along any axis are those of the layouts", [] {
  Random random(41);
  for (int round = 0; round < check::rounds(50'000); ++round) {
    const int rank = static_cast<int>(between(random, 1, 4)), axis = static_cast<int>(between(random, 0, rank - 1));
    const Pair pair(random, rank);
    const IterationSpace space = lines_of(pair.operands, axis, Role::Row);
    check::that(space.roles[space.rank() - 1] == Role::Row, "the line is innermost");
    check::equal(space.inner_length(), pair.layouts[0].length(axis));
    if (space.inner_length() == 1) {
      check::equal(space.inner_stride(0), kItem, "one element counts as packed");
    } else {
      check::equal(space.inner_stride(1), pair.layouts[1].stride(axis) * kItem);
    }
    IterationSpace whole = space_of(pair.operands);
    move_axis(whole, axis, rank - 1);
    check::that(visited(space, space.rank()) == visited(whole, rank), space.text());
  }
});

const check::Test ordered("ordered lines are the same lines, in any order", [] {
  Random random(16);
  for (int round = 0; round < check::rounds(20'000); ++round) {
    const Layout layout = random_layout(random, 5, 4, 30);
    if (layout.rank() == 0) continue;
    const SpaceOperand operands[] = {{&layout, kItem}};
    const int axis = static_cast<int>(between(random, 0, layout.rank() - 1));
    const IterationSpace space = ordered_lines_of(operands, axis, Role::Row);
    check::equal(space.inner_length(), layout.length(axis), layout.text());
    check::equal(space.inner_stride(0), layout.length(axis) == 1 ? kItem : kItem * layout.stride(axis), layout.text());
    check::that(space.roles[space.rank() - 1] == Role::Row, space.text());
    std::vector<Places> wanted;
    for (Index position : positions_of(layout)) wanted.push_back({kItem * position});
    check::that(sorted(visited(space, space.rank())) == sorted(wanted), layout.text());
  }
});

const check::Test shorter("results of lines may be shorter than the lines", [] {
  const Layout in = Layout::row_major(Dims{3, 1, 8}), out = Layout::row_major(Dims{3, 1, 2});
  const SpaceOperand operands[] = {{&in, 4}, {&out, 8}};
  check::equal(ordered_lines_of(operands, 2, Role::Row).text(), "(3, 8) map, row bytes to step: (32, 4) (16, 8)");
  check::equal(ordered_lines_of(operands, 1, Role::Row).text(),
               "(3, 8, 1) map, map, row bytes to step: (32, 4, 4) (16, 8, 8)");
});

const check::Test far("strides that count no bytes belong to lines of one element", [] {
  Layout layout = Layout::uninitialised(2, 0);
  layout.set_axis(0, 4, 8);
  layout.set_axis(1, 1, Index{1} << 62);
  const SpaceOperand operands[] = {{&layout, kItem}};
  const IterationSpace space = lines_of(operands, 1, Role::Row);
  check::equal(space.inner_stride(0), kItem);
  check::equal(closer_axis(space, 2), 0, "its neighbours are closer than what is not there");
});

const check::Test picked("a table of indices goes with the first operand's axis 0", [] {
  Random random(42);
  const Index table[] = {3, 0, 7, 7, 2};
  for (int round = 0; round < check::rounds(10'000); ++round) {
    const int rank = static_cast<int>(between(random, 2, 4));
    const Pair pair(random, rank);
    IterationSpace space = lines_of(pair.operands, rank - 1, Role::Row, table), whole = space_of(pair.operands);
    fuse_axes(space);
    whole.picked = table;
    check::that(space.roles[0] == Role::Pick, "also where it has one index");
    check::that(visited(space, space.rank()) == visited(whole, rank), space.text());
  }
});

const check::Test closest("the axis whose neighbours lie closest is found", [] {
  IterationSpace space(2);
  const Index far_off[] = {4096, 4096}, near[] = {8, -8}, repeated[] = {0, 0}, line[] = {64, 4};
  space.add_axis(20, Role::Map, far_off);
  space.add_axis(20, Role::Map, near);
  space.add_axis(20, Role::Map, repeated);
  space.add_axis(20, Role::Row, line);
  check::equal(closer_axis(space, 16), 1);
  check::equal(closer_axis(space, 16, only(1)), -1, "the second operand's lines are packed");
  check::equal(closer_axis(space, 21), -1, "too short");
  set_side_axis(space, 1);
  check::equal(space.strides[1][2], Index{-8});
  check::that(space.roles[2] == Role::Column && space.roles[3] == Role::Row, space.text());
  fuse_axes(space);
  check::equal(space.strides[1][space.rank() - 2], Index{-8}, "it is not fused with others");
});

const check::Test tile_cover("tiles of lines cover a space, from any of them on", [] {
  Random random(43);
  for (int round = 0; round < check::rounds(100'000); ++round) {
    IterationSpace space = random_space(random, 4, 3);
    if (space.rank() == 0 || space.is_empty()) continue;
    const int axes = space.rank() - 1;
    const LineTiles tiles(space, between(random, 1, 6));
    Index storage[kMaxOperands] = {};
    std::vector<Places> got;
    const Index middle = between(random, 0, tiles.count());
    const auto take = [&](const Index* first, Index count) {
      check::that(0 < count && count <= tiles.width(), "a tile has lines");
      for (Index line = 0; line < count; ++line) {
        Places places;
        for (int k = 0; k < space.operands; ++k) {
          places.push_back(first[k] + (axes == 0 ? 0 : line * space.strides[k][axes - 1]));
        }
        got.push_back(places);
      }
    };
    tiles.for_each(storage, 0, middle, take);
    tiles.for_each(storage, middle, tiles.count(), take);
    check::that(got == visited(space, axes), space.text());
  }
});

const check::Test widths("tiles are narrow only where chunks would have nothing to do", [] {
  check::equal(tile_width(10'000, 256, 1, 1), Index{256});
  check::equal(tile_width(512, 256, 1, 8), Index{64});
  check::equal(tile_width(512, 256, 100, 8), Index{256});
  check::equal(tile_width(512, 256, 1, 4), Index{128});
});

const check::Test sizes("parts are counted and rounded up", [] {
  check::equal(ceil_div(0, 8), Index{0});
  check::equal(ceil_div(17, 8), Index{3});
  check::equal(ceil_div(16, 8), Index{2});
  check::equal(round_up(17, 8), Index{24});
  check::equal(round_up(16, 8), Index{16});
});

const check::Test ranges("ranges in chunks and in blocks cover all positions in order", [] {
  Random random(44);
  for (int round = 0; round < check::rounds(2'000); ++round) {
    const Index n = between(random, 1, 300);
    const int chunks = static_cast<int>(between(random, 1, static_cast<int>(std::min<Index>(n, 20))));
    std::atomic<Index> in_chunks{0};
    run_range_in_chunks(n, chunks, [&](Index begin, Index end) {
      check::that(begin < end, "no chunk is empty");
      for (Index i = begin; i < end; ++i) in_chunks += (i + 1) * (i + 1);
    });
    const Index blocks = between(random, 1, 16);
    std::vector<Index> ends(static_cast<std::size_t>(blocks), -1), begins = ends;
    run_in_blocks(n, blocks, between(random, 0, 1) == 0, [&](Index block, Index begin, Index end) {
      begins[static_cast<std::size_t>(block)] = begin;
      ends[static_cast<std::size_t>(block)] = end;
    });
    Index in_blocks = 0, next = 0;
    for (std::size_t block = 0; block < ends.size(); ++block) {
      check::equal(begins[block], next);
      for (Index i = begins[block]; i < ends[block]; ++i) in_blocks += (i + 1) * (i + 1);
      next = ends[block];
    }
    check::equal(next, n);
    check::equal(in_blocks, n * (n + 1) * (2 * n + 1) / 6);
    check::equal(in_chunks.load(), in_blocks);
  }
});

const check::Test queued("a queue gives every number once", [] {
  ChunkQueue queue(1000);
  std::atomic<Index> sum{0}, taken{0};
  run_chunks(4, [&](int) {
    for (Index number; queue.take(number);) sum += number, ++taken;
  });
  check::equal(taken.load(), Index{1000});
  check::equal(sum.load(), Index{499'500});
});

}  // namespace
}  // namespace strided::testing
