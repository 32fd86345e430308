#include "search.hpp"

#include <algorithm>
#include <bit>

#include "dtype/element.hpp"
#include "layout/bounds.hpp"
#include "plan/line_tiles.hpp"
#include "plan/record.hpp"
#include "plan/split.hpp"
#include "plan/walk.hpp"

namespace strided::kernels::index {
namespace {

struct List {
  const std::byte* first;
  Index step;
  Index length;
};

// The predicates that hold for the elements before a value.
struct Less {
  template <class T>
  static bool before(T element, T value) { return element < value; }
};
struct NotGreater {
  template <class T>
  static bool before(T element, T value) { return element <= value; }
};
// For a NaN: numbers come before it.
struct IsNumber {
  template <class T>
  static bool before(T element, T) { return element == element; }
};

// Several searches are interleaved: each waits for memory, but not for the others. Every search takes the
// same steps: the elements before a value are among the `count` from `low` on.
// 16 are about what a core can have on the way from memory at a time.
constexpr Index kTogether = 16;

template <class T, class Is, Index kCount, bool kPacked>
[[gnu::always_inline]] inline void search(const List& list, const T* values, Index* found) {
  Index low[kCount] = {};
  Index count = list.length;
  const std::byte* const first = list.first;
  const Index step = kPacked ? Index{sizeof(T)} : list.step;  // a number that the compiler knows
  while (count > 1) {
    const Index half = count / 2;
    for (Index k = 0; k < kCount; ++k) {
      const T middle = load<T>(first + (low[k] + half - 1) * step);
      low[k] += Is::before(middle, values[k]) ? half : 0;
    }
    count -= half;
  }
  for (Index k = 0; k < kCount; ++k) {
    const bool last = count == 1 && Is::before(load<T>(first + low[k] * step), values[k]);
    found[k] = low[k] + last;
  }
}

template <class T, class Is, bool kPacked>
void search_row(const List& list, const std::byte* values, Index value_step, Index n, std::byte* out,
                Index out_step, bool right) {
  for (Index i = 0; i < n; i += kTogether) {
    const Index together = std::min(kTogether, n - i);
    T wanted[kTogether];
    Index found[kTogether];
    for (Index k = 0; k < kTogether; ++k) {
      wanted[k] = load<T>(values + (i + std::min(k, together - 1)) * value_step);
    }
    if (together == kTogether) {
      search<T, Is, kTogether, kPacked>(list, wanted, found);
    } else {
      for (Index k = 0; k < together; ++k) search<T, Is, 1, kPacked>(list, wanted + k, found + k);
    }
    for (Index k = 0; k < together; ++k) {
      if (wanted[k] != wanted[k]) {
        if (right) found[k] = list.length;
        else search<T, IsNumber, 1, kPacked>(list, wanted + k, found + k);
      }
      store<std::int64_t>(out + (i + k) * out_step, found[k]);
    }
  }
}

template <class T>
void search_with(const List& list, const std::byte* values, Index value_step, Index n, std::byte* out,
                 Index out_step, bool right) {
  const bool packed = list.step == sizeof(T);
  const auto before = packed ? &search_row<T, Less, true> : &search_row<T, Less, false>;
  const auto behind = packed ? &search_row<T, NotGreater, true> : &search_row<T, NotGreater, false>;
  (right ? behind : before)(list, values, value_step, n, out, out_step, right);
}

using Search = void (*)(const List&, const std::byte*, Index, Index, std::byte*, Index, bool);

Search search_for(DType dtype) {
  return visit(dtype, []<class T>(Type<T>) -> Search {
    constexpr bool searched = std::is_integral_v<T> || std::is_floating_point_v<T>;
    if constexpr (searched) return &search_with<T>;
    else return nullptr;
  });
}

// Steps of one search, as bytes of memory traffic.
Index work_per_value(Index length) {
  return 16 + 8 * static_cast<Index>(std::bit_width(static_cast<std::uint64_t>(length)));
}

// Values and results, and where the list of each value starts. One list serves all values, in any order, or all those
// of a line.
IterationSpace plan_search(const Operand& out, const Operand& lists, const Operand& values) {
  const int last = values.layout->rank() - 1;
  const bool own = lists.layout->rank() > 1;
  Layout starts = Layout::uninitialised(values.layout->rank(), lists.layout->offset());
  for (int axis = 0; axis <= last; ++axis) {
    starts.set_axis(axis, values.layout->length(axis), own && axis < last ? lists.layout->stride(axis) : 0);
  }
  const SpaceOperand operands[] = {out, values, {&starts, itemsize(values.dtype)}};
  return own ? ordered_lines_of(operands, last, Role::Row) : ordered_space_of(operands);
}

}  // namespace

void search_sorted(const Operand& out, const Operand& lists, const Operand& values, bool right) {
  if (values.layout->size() == 0) return;
  const Search search = search_for(values.dtype);
  const int along = lists.layout->rank() - 1;
  const Index length = lists.layout->length(along);
  const Index step = scaled(lists.layout->stride(along), itemsize(values.dtype), length);
  const IterationSpace space = plan_search(out, lists, values);
  const Index work = saturated_product(values.layout->size(), work_per_value(length));
  const int chunks = interruptible_chunks_for(static_cast<std::size_t>(work));
  const RecordScope scope([&] {
    return PlanRecord("searchsorted", space, {plain_loop("kernels/index/search.cpp", "search_row")}, chunks);
  });
  std::byte* const storage[] = {out.storage, values.storage, lists.storage};
  run_in_chunks(space, chunks, [&](const IterationSpace& chunk) {
    for_each_row(chunk, storage, [&](std::byte* const* row) {
      search({row[2], step, length}, row[1], chunk.inner_stride(1), chunk.inner_length(), row[0], chunk.inner_stride(0),
             right);
    });
  });
}

}  // namespace strided::kernels::index
