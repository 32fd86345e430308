#include "plan/split.hpp"

#include <mutex>

#include "check.hpp"
#include "plan/record.hpp"
#include "plan/walk.hpp"
#include "random_space.hpp"

namespace strided::testing {
namespace {

const check::Test chunks("chunks cover a space without a gap or an overlap", [] {
  Random random(31);
  for (int round = 0; round < check::rounds(100'000); ++round) {
    IterationSpace space = random_space(random, 4, 3);
    if (space.rank() == 0 || space.is_empty()) continue;
    const Index count = between(random, 1, 9);
    const int axis = split_axis(space, count);
    std::vector<Places> got;
    Index longest = 0;
    for (Index chunk = 0; chunk < count; ++chunk) {
      const IterationSpace narrow_space = chunk_of(space, axis, chunk, count);
      longest = std::max(longest, narrow_space.shape[axis]);
      for (const Places& places : visited(narrow_space, narrow_space.rank())) got.push_back(places);
    }
    check::that(sorted(got) == sorted(visited(space, space.rank())), space.text());
    check::equal(longest_chunk(space, axis, count), longest, space.text());
  }
});

const check::Test long_axes("long inner axes are cut at multiples of cache lines", [] {
  IterationSpace space(1);
  const Index step[] = {4};
  space.add_axis(100'003, Role::Map, step);
  Index end = 0;
  for (Index chunk = 0; chunk < 7; ++chunk) {
    const IterationSpace narrow_space = chunk_of(space, 0, chunk, 7);
    check::equal(narrow_space.start[0], end);
    check::that(narrow_space.start[0] % 64 == 0, "on a line");
    end += 4 * narrow_space.shape[0];
    check::that(narrow_space.shape[0] <= longest_chunk(space, 0, 7), "no longer than the longest");
  }
  check::equal(longest_chunk(space, 0, 7), Index{14 * 1024});
  check::equal(end, Index{400'012});
});

const check::Test huge("chunks of an axis longer than any memory are counted without overflow", [] {
  IterationSpace space;
  space.operands = 1;
  space.start[0] = 0;
  const Index step[] = {0};
  space.add_axis(Index{1} << 62, Role::Map, step);
  space.add_axis(1, Role::Map, step);  // so the first axis is cut anywhere
  constexpr Index kChunks = Index{1} << 20;
  for (int axis = 0; axis < 2; ++axis) {
    Index length = 0;
    for (Index chunk = 0; chunk < kChunks; ++chunk) length += chunk_of(space, axis, chunk, kChunks).shape[axis];
    check::equal(length, space.shape[axis]);
    swap_axes(space, 0, 1);  // and the last one at multiples of 1024
  }
});

const check::Test axis("the axis that is cut keeps chunks apart", [] {
  IterationSpace space;  // a result by rows, an operand by columns
  space.operands = 2;
  space.start[0] = space.start[1] = 0;
  const Index rows[] = {4096, 4}, columns[] = {4, 4096};
  space.add_axis(1024, Role::Map, rows);
  space.add_axis(1024, Role::Map, columns);
  const Index plane[] = {1 << 22, 1 << 22};
  space.add_axis(2, Role::Map, plane);
  check::equal(split_axis(space, 2), 2);
  check::equal(split_axis(space, 8), 0, "no other is long enough");
  check::equal(split_axis(space, 5000), 0, "the longest");
});

const check::Test cuttable("only axes that may be cut are cut", [] {
  Random random(34);
  for (int round = 0; round < check::rounds(20'000); ++round) {
    const IterationSpace space = random_space(random, 5, 3);
    const auto allowed = static_cast<AxisSet>(between(random, 0, 31));
    const Index count = between(random, 1, 6);
    const int chosen = split_axis(space, count, allowed);
    Index longest = -1;
    for (int i = 0; i < space.rank(); ++i) {
      if ((allowed & only_axis(i)) != 0) longest = std::max(longest, space.shape[i]);
    }
    if (longest < 0) {
      check::equal(chosen, -1, space.text());
      continue;
    }
    check::that((allowed & only_axis(chosen)) != 0, space.text());
    check::that(space.shape[chosen] >= std::min(count, longest), "long enough, or the longest: " + space.text());
  }
});

const check::Test along("chunks of an axis come in its order, each with its number", [] {
  Random random(35);
  set_thread_count(3);
  for (int round = 0; round < check::rounds(300); ++round) {
    const IterationSpace space = random_space(random, 4, 2);
    if (space.rank() == 0 || space.is_empty()) continue;
    const int count = static_cast<int>(between(random, 1, 6));
    std::vector<std::vector<Places>> got(static_cast<std::size_t>(count));
    run_chunks_along(space, 0, count, [&](const IterationSpace& chunk, int number) {
      got[static_cast<std::size_t>(number)] = visited(chunk, chunk.rank());
    });
    std::vector<Places> all;
    for (const auto& places : got) all.insert(all.end(), places.begin(), places.end());
    check::that(all == visited(space, space.rank()), space.text());
  }
});

const check::Test dynamic("every number is handed out once, and no worker does two things at a time", [] {
  set_thread_count(3);
  for (const Index count : {0, 1, 2, 7, 1000}) {
    std::vector<std::atomic<int>> done(static_cast<std::size_t>(count)), busy(3);
    std::atomic<bool> twice{false};
    run_dynamically(3, count, [&](int worker, Index number) {
      if (busy[static_cast<std::size_t>(worker)].exchange(1) != 0) twice = true;
      ++done[static_cast<std::size_t>(number)];
      busy[static_cast<std::size_t>(worker)] = 0;
    });
    check::that(!twice, "a worker was called while at work");
    for (const auto& times : done) check::equal(times.load(), 1);
  }
});

const check::Test even("even chunks differ by at most one", [] {
  Random random(32);
  for (int round = 0; round < check::rounds(10'000); ++round) {
    const Index n = between(random, 0, 1000), count = between(random, 1, 40);
    check::equal(chunk_begin(n, count, 0), Index{0});
    check::equal(chunk_begin(n, count, count), n);
    for (Index chunk = 0; chunk < count; ++chunk) {
      const Index length = chunk_begin(n, count, chunk + 1) - chunk_begin(n, count, chunk);
      check::that(length == n / count || length == n / count + 1, std::to_string(n));
    }
  }
});

const check::Test narrow("part of a table of picks", [] {
  const Index table[] = {7, 3, 5, 0};
  IterationSpace space(2);
  const Index steps[] = {10, 1};
  space.add_axis(4, Role::Pick, steps);
  space.picked = table;
  const std::vector<Places> expected = {{30, 1}, {50, 2}};
  check::that(visited(narrowed(space, 0, 1, 2), 1) == expected, "indices 1 and 2");
});

const check::Test threads("all chunks of a space run", [] {
  Random random(33);
  set_thread_count(3);
  for (int round = 0; round < check::rounds(300); ++round) {
    const IterationSpace space = random_space(random, 4, 2);
    if (space.is_empty()) continue;
    std::mutex lock;
    std::vector<Places> got;
    run_in_chunks(space, static_cast<int>(between(random, 1, 9)), [&](const IterationSpace& chunk) {
      const std::lock_guard guard(lock);
      for (const Places& places : visited(chunk, chunk.rank())) got.push_back(places);
    });
    check::that(sorted(got) == sorted(visited(space, space.rank())), space.text());
  }
});

const check::Test records("plans inside a plan are not recorded", [] {
  IterationSpace space(1);
  const Index step[] = {4};
  space.add_axis(3, Role::Fold, step);
  const auto plan = [&](const char* name) { return [&, name] { return PlanRecord(name, space); }; };
  PlanRecorder recorder;
  {
    const RecordScope outer(plan("outer"));
    const RecordScope inner(plan("inner"));
  }
  { const RecordScope next(plan("next")); }
  check::equal(static_cast<int>(recorder.records().size()), 2);
  check::equal(recorder.records()[0].operation, "outer");
  check::equal(recorder.records()[1].operation, "next");
  check::equal(recorder.records()[1].roles[0], "fold");
  {
    PlanRecorder own;
    const RecordScope scope(plan("own"));
    check::equal(static_cast<int>(own.records().size()), 1);
  }
  check::equal(static_cast<int>(recorder.records().size()), 2);
});

}  // namespace
}  // namespace strided::testing
