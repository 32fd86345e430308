#include "unique_runs.hpp"

#include <algorithm>
#include <memory>
#include <numeric>

#include "dtype/element.hpp"
#include "kernels/loop_names.hpp"
#include "kernels/loop_table.hpp"
#include "layout/bounds.hpp"
#include "plan/record.hpp"
#include "plan/split.hpp"
#include "run/interrupt.hpp"
#include "sort_keys.hpp"

namespace strided::kernels::sort {
namespace {

// Counts of all chunks stand on the stack; no machine has more threads.
constexpr int kMostChunks = 1024;
constexpr Index kRowStep = Index{1} << 16;  // rows between two questions whether to go on
constexpr const char* kFile = "kernels/sort/unique_runs.cpp";

template <class T>
bool differ(const std::byte* a, const std::byte* b) {
  using Key = SortKey<T>;
  const auto x = Key::template of<Ties::Equal>(load<BitsOf<T>>(a));
  const auto y = Key::template of<Ties::Equal>(load<BitsOf<T>>(b));
  if constexpr (is_float_element<T>) {
    constexpr BitsOf<T> kNan = static_cast<BitsOf<T>>(~BitsOf<T>{0});
    return x != y || x == kNan;
  } else {
    return x != y;
  }
}

// Calls f(starts) with a function that says whether a run starts at row i > 0.
template <class F>
void with_starts(const RowList& list, F&& f) {
  visit(list.dtype, [&]<class T>(Type<T>) {
    if constexpr (!requires { typename T::value_type; }) {
      constexpr Index size = sizeof(T);
      const std::byte* const rows = list.rows;
      if (list.width == 1 && list.order == nullptr) {
        f([=](Index i) { return differ<T>(rows + (i - 1) * size, rows + i * size); });
        return;
      }
      const Index width = list.width;
      const std::int64_t* const order = list.order;
      f([=](Index i) {
        const std::byte* const a = rows + (order ? order[i - 1] : i - 1) * width * size;
        const std::byte* const b = rows + (order ? order[i] : i) * width * size;
        for (Index k = 0; k < width; ++k) {
          if (differ<T>(a + k * size, b + k * size)) return true;
        }
        return false;
      });
    }
  });
}

int chunks_of(const RowList& list) {
  return std::min(threads_for(saturated_product(list.count * list.width, itemsize(list.dtype) * 2)), kMostChunks);
}

// One row after the other.
PlanRecord record_of(const char* operation, const RowList& list, int chunks, const char* loop) {
  const Layout rows = Layout::row_major_unchecked(Dims{list.count, list.width}, 0);
  const SpaceOperand operands[] = {{&rows, itemsize(list.dtype)}};
  IterationSpace space = space_of(operands);
  space.roles[1] = Role::Row;
  return {operation, space, {plain_loop(kFile, loop)}, chunks};
}

// How many runs start in each chunk.
template <class Starts>
void count_starts(const RowList& list, int chunks, Starts starts, Index* counts) {
  run_range_in_chunks(list.count, chunks, [&](int chunk, Index begin, Index end) {
    Index all = begin == 0 && end > 0 ? 1 : 0;
    run_in_steps(std::max<Index>(begin, 1), end, kRowStep, [&](Index first, Index last) {
      const Starts is_start = starts;
      Index found = 0;
      for (Index i = first; i < last; ++i) found += is_start(i);
      all += found;
    });
    counts[chunk] = all;
  });
}

}  // namespace

void order_rows(const RowList& list, std::int64_t* order) {
  const auto to_keys = loops().sort.to_keys[static_cast<int>(Ties::Equal)][static_cast<int>(list.dtype)];
  const Index elements = list.count * list.width;
  const RecordScope scope([&] {
    PlanRecord record = record_of("sort rows", list, 1, "order_rows");
    record.loops.insert(record.loops.begin(), loop_name(to_keys));
    return record;
  });
  run_in_steps(0, list.count, kRowStep, [&](Index begin, Index end) { std::iota(order + begin, order + end, begin); });
  with_key(list.dtype, [&]<class Key>(Key) {
    const std::unique_ptr<Key[]> keys(new Key[static_cast<std::size_t>(elements)]);
    const Index size = itemsize(list.dtype);
    run_in_steps(0, elements, kRowStep, [&](Index begin, Index end) {
      to_keys(end - begin, list.rows + begin * size, keys.get() + begin, false);
    });
    InterruptCheck check;
    std::stable_sort(order, order + list.count, [&](std::int64_t a, std::int64_t b) {
      check.after(64);  // two rows, somewhere in memory
      const Key* const x = keys.get() + a * list.width;
      const Key* const y = keys.get() + b * list.width;
      return std::lexicographical_compare(x, x + list.width, y, y + list.width);
    });
  });
}

Index count_runs(const RowList& list) {
  Index counts[kMostChunks] = {};
  const int chunks = chunks_of(list);
  const RecordScope scope([&] { return record_of("count runs", list, chunks, "count_starts"); });
  with_starts(list, [&](auto starts) { count_starts(list, chunks, starts, counts); });
  return std::accumulate(counts, counts + chunks, Index{0});
}

void write_run_starts(const RowList& list, Index runs, std::int64_t* starts) {
  Index counts[kMostChunks] = {};
  const int chunks = chunks_of(list);
  const RecordScope scope([&] { return record_of("find runs", list, chunks, "write_run_starts"); });
  with_starts(list, [&](auto is_start) {
    count_starts(list, chunks, is_start, counts);
    std::exclusive_scan(counts, counts + chunks, counts, Index{0});
    run_range_in_chunks(list.count, chunks, [&](int chunk, Index begin, Index end) {
      // Each chunk writes as many as were counted in it, whatever the rows say by now.
      std::int64_t* next_start = starts + std::min(counts[chunk], runs);
      std::int64_t* const end_of_starts = starts + (chunk + 1 < chunks ? std::min(counts[chunk + 1], runs) : runs);
      run_in_steps(begin, end, kRowStep, [&](Index first, Index last) {
        const auto starts_here = is_start;
        std::int64_t* next = next_start;
        for (Index i = first; i < last && next < end_of_starts; ++i) {
          *next = i;
          next += i == 0 || starts_here(i);
        }
        next_start = next;
      });
    });
  });
  starts[runs] = list.count;
}

void write_run_numbers(const std::int64_t* starts, Index runs, const std::int64_t* order,
                       std::int64_t* inverse) {
  const Index n = runs == 0 ? 0 : starts[runs];
  const int chunks = threads_for(n * 24);
  const RecordScope scope([&] {
    return record_of("number runs", {DType::Int64, nullptr, n, 1, order}, chunks, "write_run_numbers");
  });
  const auto write = [&](Index run, Index begin, Index end) {
    if (order == nullptr) std::fill(inverse + begin, inverse + end, run);
    else for (Index i = begin; i < end; ++i) inverse[order[i]] = run;
  };
  run_range_in_chunks(runs, chunks, [&](Index first, Index last) {
    InterruptCheck check;
    for (Index run = first; run < last; ++run) {
      run_in_steps(starts[run], starts[run + 1], kRowStep, [&](Index begin, Index end) { write(run, begin, end); });
      check.after((starts[run + 1] - starts[run]) * Index{sizeof(Index)});
    }
  });
}

}  // namespace strided::kernels::sort
