#include "plan/fold.hpp"

#include <map>
#include <set>

#include "check.hpp"
#include "random_space.hpp"

namespace strided::testing {
namespace {

constexpr int kRounds = check::rounds(100'000);

// A layout to reduce, and where the results go: other strides, length 1 where an axis is folded.
struct RandomFold {
  Layout in, out;
};

RandomFold random_fold(Random& random) {
  RandomFold fold;
  const int rank = static_cast<int>(between(random, 0, 5));
  Dims shape, strides, out_shape, out_strides;
  Index results = 1;
  for (int axis = 0; axis < rank; ++axis) {
    const Index length = between(random, 0, 59) == 0 ? 0 : between(random, 1, 6);
    const bool folded = between(random, 0, 1) == 0;
    shape.push_back(length);
    strides.push_back(between(random, 0, 3) == 0 ? 0 : between(random, -30, 30));
    // Often a step that continues the next axis, so that there is something to fuse.
    if (axis > 0 && between(random, 0, 1) == 0) strides[axis - 1] = length * strides[axis];
    out_shape.push_back(folded ? 1 : length);
    out_strides.push_back(results);
    results *= folded ? 1 : length;
  }
  if (between(random, 0, 1) == 0) {  // row-major
    results = 1;
    for (int axis = rank - 1; axis >= 0; --axis) {
      out_strides[axis] = results;
      results *= out_shape[axis];
    }
  }
  fold.in = Layout(shape, strides, 0);
  fold.out = Layout(out_shape, out_strides, 3);
  return fold;
}

FoldSpace space_of(const RandomFold& layouts, bool positions, Repeats repeats = Repeats::Visited) {
  const Operand in{nullptr, &layouts.in, DType::Float32}, out{nullptr, &layouts.out, DType::Float64};
  return fold_space_of(out, in, repeats, positions);
}

// Whether `in` repeats results along an axis that is kept.
bool repeats_results(const RandomFold& layouts, int axis) {
  return layouts.in.stride(axis) == 0 && layouts.in.length(axis) > 1 && layouts.out.length(axis) > 1;
}

// For every element: where its result goes, its own place, its position among the folded axes. Those that are repeated
// along an axis that is kept are listed once; along a folded axis, where repeats are counted.
std::multiset<Places> elements_of(const RandomFold& layouts, bool positions, Repeats repeats) {
  std::multiset<Places> all;
  if (layouts.in.size() == 0) return all;
  const int rank = layouts.in.rank();
  std::vector<Index> index(static_cast<std::size_t>(rank), 0);
  while (true) {
    Index in = layouts.in.offset(), out = layouts.out.offset(), position = 0;
    bool listed = true;
    for (int axis = 0; axis < rank; ++axis) {
      const Index i = index[static_cast<std::size_t>(axis)];
      const bool folded = layouts.out.length(axis) != layouts.in.length(axis);
      in += i * layouts.in.stride(axis);
      if (repeats == Repeats::Counted && folded && layouts.in.stride(axis) == 0 && i > 0) listed = false;
      if (repeats_results(layouts, axis) && i > 0) listed = false;
      if (folded) position = position * layouts.in.length(axis) + i;
      else out += i * layouts.out.stride(axis);
    }
    if (listed) all.insert({8 * out, 4 * in, positions ? position : 0});
    int axis = rank - 1;
    while (axis >= 0 && ++index[static_cast<std::size_t>(axis)] == layouts.in.length(axis)) {
      index[static_cast<std::size_t>(axis--)] = 0;
    }
    if (axis < 0) return all;
  }
}

FoldLimits random_limits(Random& random) {
  FoldLimits limits;
  limits.task_bytes = between(random, 1, 64);
  limits.most_tasks = between(random, 1, 40);
  limits.least_per_chunk = between(random, 1, 8);
  limits.least_results = between(random, 1, 9);
  limits.most_results = limits.least_results + between(random, 0, 30);
  limits.block_bytes = between(random, 1, 300);
  limits.most_wide_results = between(random, 1, 30);
  limits.wide_count = between(random, 1, 5);
  return limits;
}

const check::Test covered("tasks take every element once, into the place of its result", [] {
  Random random(41);
  int blocks = 0, chunks = 0, both = 0, whole = 0, counted = 0, several = 0;
  for (int round = 0; round < kRounds; ++round) {
    const RandomFold layouts = random_fold(random);
    if (layouts.out.size() == 0) continue;
    const bool positions = between(random, 0, 1) == 0;
    const Repeats repeats = between(random, 0, 1) == 0 ? Repeats::Visited : Repeats::Counted;
    const FoldSpace fold = space_of(layouts, positions, repeats);
    const FoldLimits limits = random_limits(random);
    const FoldCut cut = cut_fold(fold, 4, limits);
    const FoldTasks tasks(fold, cut);
    const std::string about = layouts.in.text() + " to " + layouts.out.text() + ": " + cut.text();
    const std::vector<Places> places = visited(fold.places, fold.places.rank());
    check::equal(static_cast<Index>(places.size()), fold.results, about);
    Index copies = 1;
    for (int axis = 0; axis < layouts.in.rank(); ++axis) {
      const bool repeated = repeats_results(layouts, axis);
      if (repeated) copies *= layouts.in.length(axis);
      check::equal((fold.repeated & only_axis(axis)) != 0, repeated, about);
    }
    check::equal(fold.results * copies, layouts.out.size(), about);
    check::equal(fold.results * copies * fold.count * fold.repeats, layouts.in.size(), about);
    several += copies > 1;
    counted += fold.repeats > 1;

    std::multiset<Places> got;
    std::map<Index, Index> times_folded;  // of each result: in how many tasks
    Index count = 0;                // elements per result, in the chunks of the first block
    for (Index number = 0; number < cut.tasks(); ++number) {
      IterationSpace room;
      const FoldTask task = cut.tasks() == 1 ? whole_task(fold) : tasks.task(number, room);
      check::that(task.results >= 1 && task.results <= cut.block_results, about);
      check::equal(task.chunk, number % cut.chunks, about);
      if (number < cut.chunks) count += task.count;
      for (Index i = 0; i < task.results; ++i) ++times_folded[task.first + i];
      if (fold.count == 0) continue;
      check::equal(task.space->size(), task.results * task.count, about);
      for (const Places& at : visited(*task.space, task.space->rank())) {
        const Index result = at[FoldSpace::kResult];
        check::that(result >= 0 && result < task.results, about);
        const Index out = places[static_cast<std::size_t>(task.first + result)][0];
        got.insert({out, at[FoldSpace::kIn], positions ? at[FoldSpace::kPosition] : 0});
      }
    }
    check::that(got == elements_of(layouts, positions, repeats), about);
    check::equal(count, fold.count, about);
    check::equal(static_cast<Index>(times_folded.size()), fold.results, about);
    for (const auto& [result, times] : times_folded) {
      check::that(result >= 0 && result < fold.results && times == cut.chunks, about);
    }
    const bool in_blocks = cut.blocks.blocks > 1, in_chunks = cut.chunks > 1;
    blocks += in_blocks && !in_chunks;
    chunks += in_chunks && !in_blocks;
    both += in_blocks && in_chunks;
    whole += !in_blocks && !in_chunks;
  }
  check::that(std::min({blocks, chunks, both, whole, counted, several}) > kRounds / 100, "every kind of cut is met, often");
});

const check::Test within_limits("blocks and chunks keep to their limits", [] {
  Random random(42);
  for (int round = 0; round < kRounds; ++round) {
    const RandomFold layouts = random_fold(random);
    if (layouts.out.size() == 0) continue;
    const FoldSpace fold = space_of(layouts, false);
    const FoldLimits limits = random_limits(random);
    const FoldCut cut = cut_fold(fold, 4, limits);
    const std::string about = fold.axes.text() + ": " + cut.text();
    check::that(cut.block_results <= std::max(limits.most_results, limits.most_wide_results), about);
    if (cut.chunks == 1) continue;
    check::that(cut.chunks * limits.least_per_chunk <= fold.count, about);
    check::that(fold.axes.roles[cut.chunk_axis] == Role::Fold, about);
    check::that(cut.tasks() <= limits.most_tasks, about);
  }
});

const check::Test order("memory is visited in its own order, forwards", [] {
  Random random(43);
  for (int round = 0; round < kRounds; ++round) {
    const RandomFold layouts = random_fold(random);
    if (layouts.in.size() == 0) continue;
    const IterationSpace axes = space_of(layouts, between(random, 0, 1) == 0).axes;
    for (int axis = 0; axis < axes.rank(); ++axis) {
      const Index step = axes.strides[FoldSpace::kIn][axis];
      check::that(axes.shape[axis] > 1 && step >= 0, axes.text());
      if (axis == 0) continue;
      const Index outer = axes.strides[FoldSpace::kIn][axis - 1];
      const auto width = [](Index bytes) { return bytes == 0 ? 64 : bytes; };
      check::that(width(outer) >= width(step), axes.text());
    }
  }
});

const check::Test nothing("nothing to fold: results without elements, and as many axes as there may be", [] {
  Dims shape, out_shape, strides;
  for (int axis = 0; axis < kMaxRank; ++axis) {
    shape.push_back(axis == 0 ? 0 : axis < 4 ? 3 : 2);
    out_shape.push_back(axis < 4 && axis > 0 ? 3 : 1);
    strides.push_back(axis < 4 ? Index{1} << 62 : 1);
  }
  Layout in = Layout::uninitialised(kMaxRank, 0);
  for (int axis = 0; axis < kMaxRank; ++axis) in.set_axis(axis, shape[axis], strides[axis]);
  const RandomFold layouts{in, Layout::row_major(out_shape)};
  const FoldSpace fold = space_of(layouts, true);
  check::equal(fold.count, Index{0});
  check::equal(fold.results, Index{27});
  FoldLimits limits;
  limits.least_results = limits.most_results = 10;
  const FoldCut cut = cut_fold(fold, 4, limits);
  const FoldTasks tasks(fold, cut);
  Index results = 0;
  for (Index number = 0; number < cut.tasks(); ++number) {
    IterationSpace room;
    const FoldTask task = cut.tasks() == 1 ? whole_task(fold) : tasks.task(number, room);
    check::equal(task.first, results);
    check::equal(task.count, Index{0});
    results += task.results;
  }
  check::equal(results, Index{27});
});

// The cut decides the bits of sums, so it is part of what a version promises.
const check::Test fixed("a large sum is cut the same way everywhere", [] {
  const Layout in = Layout::row_major(Dims{4096, 4096}), rows = Layout::row_major(Dims{4096, 1}),
               columns = Layout::row_major(Dims{1, 4096}), one = Layout::row_major(Dims{1, 1});
  check::equal(cut_fold(space_of({in, one}, false), 4).text(), "32 chunks of 524288 along axis 0");
  check::equal(cut_fold(space_of({in, rows}, false), 4).text(), "32 blocks of 128 results");
  check::equal(cut_fold(space_of({in, columns}, false), 4).text(),
               "16 chunks of 256 along axis 0");
  const Layout small = Layout::row_major(Dims{64, 64});
  check::equal(cut_fold(space_of({small, Layout::row_major(Dims{64, 1})}, false), 4).text(), "");
});

// ---- blocks ----

const check::Test ranges("blocks cover a shape, in order, and are as large as they may be", [] {
  Random random(44);
  for (int round = 0; round < kRounds; ++round) {
    const IterationSpace space = random_space(random, 4, 1);
    const int cuttable = static_cast<int>(between(random, 0, space.rank()));
    const Index most = between(random, 1, 60);
    const BlockCut cut = cut_into_blocks(space.shape, cuttable, most);
    if (space.is_empty() || space.rank() == 0) {
      check::equal(cut.blocks, Index{1}, space.text());
      continue;
    }
    check::that(cut.axis <= std::max(0, cuttable - 1), space.text());
    const IterationSpace starts = block_starts(space, cut);
    const std::vector<Places> first = visited(starts, starts.rank());
    check::equal(static_cast<Index>(first.size()), cut.blocks, space.text());
    std::vector<Places> got;
    for (std::size_t block = 0; block < first.size(); ++block) {
      IterationSpace part = space;
      part.start[0] = first[block][0];
      for (int axis = 0; axis < cut.axis; ++axis) part.shape[axis] = 1;
      const Index begin = static_cast<Index>(block) % cut.ranges * cut.length;
      part.shape[cut.axis] = std::min(cut.length, space.shape[cut.axis] - begin);
      check::that(part.shape[cut.axis] >= 1, space.text());
      check::that(cuttable < space.rank() || part.size() <= most, space.text());
      for (const Places& places : visited(part, part.rank())) got.push_back(places);
    }
    check::that(got == visited(space, space.rank()), space.text());
    // One index more would be too many.
    const Index inside = space.size() / space.size_of_first(cut.axis + 1);
    check::that(cut.length == space.shape[cut.axis] || (cut.length + 1) * inside > most, space.text());
  }
});

}  // namespace
}  // namespace strided::testing
