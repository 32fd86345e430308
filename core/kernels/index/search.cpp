#include "search.hpp"

#include <algorithm>
#include <bit>

#include "dtype/element.hpp"
#include "kernels/sort/lines.hpp"
#include "plan/walk.hpp"
#include "run/parts.hpp"

namespace strided {
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

// Several searches go on side by side: each waits for memory, but not for the others. Every search takes the
// same steps: the elements before a value are among the `count` from `low` on.
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

// One list for all values, which may be visited in any order.
void search_one_list(const Operand& out, const Operand& lists, const Operand& values, bool right) {
  const Search search = search_for(values.dtype);
  const Index size = itemsize(values.dtype);
  const List list{lists.first(), lists.step(0), lists.layout->length(0)};
  const SpaceOperand operands[] = {{out.layout, Index{sizeof(std::int64_t)}}, {values.layout, size}};
  const IterationSpace plan = ordered_space_of(operands);
  const Index n = plan.inner_length();
  const int pieces = interruptible_pieces_for(static_cast<std::size_t>(n * work_per_value(list.length)));
  std::byte* const storage[] = {out.storage, values.storage};
  for_each_row(plan, storage, [&](std::byte* const* row) {
    in_parts(pieces, n, [&](int, Index begin, Index end) {
      search(list, row[1] + begin * plan.inner_stride(1), plan.inner_stride(1), end - begin,
             row[0] + begin * plan.inner_stride(0), plan.inner_stride(0), right);
    });
  });
}

void search_own_lists(const Operand& out, const Operand& lists, const Operand& values, bool right) {
  const Search search = search_for(values.dtype);
  const int last = values.layout->rank() - 1;
  const Operand operands[] = {values, lists, out};
  const LaneBlocks blocks(operands, last, 1);
  const Index length = lists.layout->length(last);
  const Index n = values.layout->length(last);
  const int pieces = parts_for(values.layout->size() * work_per_value(length));
  blocks.run(static_cast<int>(std::min<Index>(pieces, blocks.count())), [&](int, Index block) {
    std::byte* first[3];
    blocks.locate(block, first);
    const List list{first[1], blocks.steps(1).along, length};
    search(list, first[0], blocks.steps(0).along, n, first[2], blocks.steps(2).along, right);
  });
}

}  // namespace

void search_sorted(const Operand& out, const Operand& lists, const Operand& values, bool right) {
  if (values.layout->size() == 0) return;
  if (lists.layout->rank() == 1) search_one_list(out, lists, values, right);
  else search_own_lists(out, lists, values, right);
}

}  // namespace strided
