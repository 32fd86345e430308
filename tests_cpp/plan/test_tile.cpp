#include "plan/tile.hpp"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <vector>

#include "check.hpp"
#include "plan/split.hpp"
#include "random_space.hpp"

namespace strided::testing {
namespace {

constexpr int kRounds = check::rounds(100'000);
constexpr Index kOrigin[kMaxOperands] = {};

// This machine, and others that nobody would build.
Machine random_machine(Random& random) {
  constexpr const char* kMachines[] = {"", "l1=1024,l2=4096", "l1=1,l2=1,line=1", "l1=200,l2=100000", "l2=1"};
  return adjusted(machine(), kMachines[between(random, 0, 4)]);
}

struct Case {
  IterationSpace space;
  Index itemsize[kMaxOperands];
  TiledOperands operands;
};

// Operands of some thousand elements, each with its axes in memory in an order of its own, some axes with step 0. The
// first one, an output, has a different place for every element: its number, times its size.
Case random_case(Random& random) {
  Case made;
  IterationSpace& space = made.space;
  space.operands = static_cast<int>(between(random, 2, 5));
  const bool is_short = between(random, 0, 1) == 0;
  const Index enough = between(random, 700, 1500);
  for (Index count = 1; count < enough;) {
    Index length = between(random, 2, between(random, 0, 2) == 0 ? 150 : 12);
    if (is_short) length = std::min<Index>(length, 9);
    space.shape.push_back(length);
    count *= length;
  }
  const int rank = space.rank();
  for (int k = 0; k < space.operands; ++k) {
    made.itemsize[k] = Index{1} << between(random, 0, 4);
    space.start[k] = 0;
    std::vector<int> order(static_cast<std::size_t>(rank));
    std::iota(order.begin(), order.end(), 0);
    if (k > 0 && between(random, 0, 3) > 0) std::ranges::shuffle(order, random);
    Index step = made.itemsize[k];
    for (int i = rank - 1; i >= 0; --i) {
      const int axis = order[static_cast<std::size_t>(i)];
      const bool repeats = k > 0 && between(random, 0, 7) == 0;
      space.strides[k][axis] = repeats ? 0 : between(random, 0, 9) == 0 && k > 0 ? -step : step;
      if (!repeats) step *= space.shape[axis];
    }
  }
  made.operands = {space.operands, static_cast<int>(between(random, 1, space.operands - 1)), nullptr};
  return made;
}

// Counts how often each element of operand 0 is visited, tile by tile, chunk by chunk.
class Visits {
 public:
  Visits(Index count, Index itemsize) : seen_(static_cast<std::size_t>(count)), itemsize_(itemsize) {}

  void visit(const IterationSpace& chunk, const Tiles& tiles) {
    if (chunk.is_empty()) return;
    if (tiles.are_rows()) return visit_rows(chunk, kOrigin);
    TileWalk<Index> walk(chunk, tiles, kOrigin);
    do {
      IterationSpace tile(1);
      for (int i = 0; i < tiles.axes; ++i) {
        const Index step = chunk.strides[0][chunk.rank() - tiles.axes + i];
        check::that(walk.lengths()[i] >= 1 && walk.lengths()[i] <= tiles.lengths[i], "a tile of a full one's size");
        tile.add_axis(walk.lengths()[i], Role::Map, &step);
      }
      visit_rows(tile, walk.places());
    } while (walk.next());
  }

  bool once() const { return std::ranges::all_of(seen_, [](int count) { return count == 1; }); }

 private:
  void visit_rows(const IterationSpace& space, const Index* origin) {
    Walk<Index> walk(space, origin, space.rank());
    do {
      const Index at = walk.places()[0];
      const bool exists = at >= 0 && at % itemsize_ == 0 && at / itemsize_ < static_cast<Index>(seen_.size());
      check::that(exists, "inside");
      ++seen_[static_cast<std::size_t>(at / itemsize_)];
    } while (walk.next());
  }

  std::vector<int> seen_;
  Index itemsize_;
};

const check::Test cover("tiles of chunks cover every element once, on any machine", [] {
  Random random(41);
  int tiled = 0, transposed = 0, cut = 0, moved = 0;
  for (int round = 0; round < kRounds; ++round) {
    Case made = random_case(random);
    made.operands.itemsize = made.itemsize;
    const IterationSpace before = made.space;
    IterationSpace& space = made.space;
    const int chunks = between(random, 0, 2) == 0 ? 1 : static_cast<int>(between(random, 2, 40));
    TileChunks by;
    if (chunks > 1) by.axis = split_axis(space, chunks), by.longest = longest_chunk(space, by.axis, chunks);
    const Machine on = random_machine(random);
    const Tiles tiles = make_tiles(space, made.operands, by, on);
    check::equal(space.size(), before.size());
    if (chunks > 1) check::equal(space.shape[tiles.chunk_axis], before.shape[by.axis], before.text());
    if (chunks == 1) check::equal(space.inner_stride(0), before.inner_stride(0), "the innermost axis stays");
    Visits visits(space.size(), made.itemsize[0]);
    for (Index chunk = 0; chunk < chunks; ++chunk) {
      if (chunks == 1) visits.visit(space, tiles);
      else visits.visit(chunk_of(space, tiles.chunk_axis, chunk, chunks), tiles);
    }
    check::that(visits.once(), before.text() + " in " + std::to_string(chunks) + " chunks became " + space.text());
    tiled += !tiles.are_rows();
    transposed += tiles.transposed != 0;
    cut += chunks > 1;
    moved += !std::equal(space.shape.begin(), space.shape.end(), before.shape.begin());
    check::that((tiles.transposed & tiles.strided) == 0, "in tiles or in blocks");
    if (tiles.are_rows()) continue;
    Index elements = 1, bytes = 0;
    for (int i = 0; i < tiles.axes; ++i) elements *= tiles.lengths[i];
    for (int k = 0; k < space.operands; ++k) if (has(tiles.transposed, k)) bytes += made.itemsize[k];
    check::that(elements * bytes <= kMostPackedBytes, "tiles fit their memory");
    check::that(elements == 1 || elements * bytes <= std::max(on.l1, on.l2), "and a cache");
  }
  check::that(std::min({tiled, transposed, cut, moved}) > kRounds / 100, "all cases are met, often");
});

const check::Test squares("an operand that runs along the other axis is transposed", [] {
  IterationSpace space(2);
  const Index rows[] = {8192, 8}, columns[] = {8, 8192};
  space.add_axis(1024, Role::Map, rows);
  space.add_axis(1024, Role::Map, columns);
  const Index itemsize[] = {8, 8};
  const Machine zen = adjusted({}, "l1=49152,l2=1048576");
  const Tiles tiles = make_tiles(space, {2, 1, itemsize}, {}, zen);
  check::equal(tiles.transposed, only(1));
  check::equal(tiles.axes, 2);
  check::equal(tiles.lengths[0], Index{32});
  check::equal(tiles.lengths[1], Index{1024});
  const Tiles small = make_tiles(space, {2, 1, itemsize}, {}, adjusted(zen, "l2=16384"));
  check::equal(small.lengths[0] * small.lengths[1], Index{512});
});

const check::Test rows("few elements and packed rows need no tiles", [] {
  const Index itemsize[] = {4, 4};
  IterationSpace space(2);
  const Index outer[] = {4000, 400}, inner[] = {4, 4};
  space.add_axis(100, Role::Map, outer);
  space.add_axis(100, Role::Map, inner);
  check::that(make_tiles(space, {2, 1, itemsize}).are_rows(), "rows");
  space.strides[1][1] = 12;
  const Tiles apart = make_tiles(space, {2, 1, itemsize});
  check::that(apart.are_rows() && apart.strided == only(1), "packed row by row");
  IterationSpace scalar(2);
  check::that(make_tiles(scalar, {2, 1, itemsize}).are_rows(), "no axes");
});

}  // namespace
}  // namespace strided::testing
