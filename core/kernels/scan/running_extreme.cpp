#include "running_extreme.hpp"

#include <algorithm>
#include <memory>

#include "kernels/loop_names.hpp"
#include "kernels/loop_table.hpp"
#include "kernels/sort/lines.hpp"
#include "kernels/sort/sort_keys.hpp"
#include "kernels/sort/sort_lines.hpp"
#include "plan/split.hpp"

namespace strided {
namespace {

using kernels::sort::LineBlock;
using kernels::sort::Workspace;

// Keys rise along with what wins: NaN has the largest key in either case.
template <class Key>
void find_places(const Key* keys, Index n, std::int64_t* places) {
  Key best = keys[0];
  std::int64_t place = 0;
  for (Index i = 0; i < n; ++i) {
    const bool wins = keys[i] >= best;
    best = wins ? keys[i] : best;
    place = wins ? i : place;
    places[i] = place;
  }
}

template <class Key>
void run(std::span<const Operand> operands, int axis, bool largest) {
  const DType dtype = operands[0].dtype;
  const Index size = itemsize(dtype);
  const Index length = operands[0].layout->length(axis);
  const Index together = kernels::sort::lines_per_cache_line(operands[0], axis);
  const kernels::sort::LineBlocks blocks(operands, axis, together);
  const int slots = static_cast<int>(
      std::min<Index>(threads_for(operands[0].layout->size() * 16), blocks.count()));
  const auto to_keys = loops().sort.to_keys[static_cast<int>(kernels::sort::Ties::Equal)][static_cast<int>(dtype)];
  // Upside down a NaN has the smallest key, 0, and one less is the largest there is.
  const Key shift = !largest && is_floating(dtype) ? 1 : 0;
  const Key mask = static_cast<Key>(~Key{0}) >> (8 * (static_cast<Index>(sizeof(Key)) - size));

  const Index elements = together * length;
  const std::size_t slot_bytes = 2 * Workspace::bytes<std::byte>(elements * size) +
                                 Workspace::bytes<std::int64_t>(elements) + Workspace::bytes<Key>(length);
  const std::unique_ptr<std::byte[]> memory(new std::byte[static_cast<std::size_t>(slots) * slot_bytes]);
  const RecordScope scope([&] { return blocks.record(largest ? "cummax" : "cummin", slots, {loop_name(to_keys)}); });
  run_dynamically(slots, blocks.count(), [&](int slot, Index number) {
    std::byte* first[3];
    const Index count = blocks.locate(number, first);
    Workspace space(memory.get() + static_cast<std::size_t>(slot) * slot_bytes);
    std::byte* const rows = space.take<std::byte>(elements * size);
    std::byte* const values = space.take<std::byte>(elements * size);
    auto* const places = space.take<std::int64_t>(elements);
    Key* const keys = space.take<Key>(length);
    LineBlock{dtype, blocks.steps(0), count, length}.to_rows(first[0], rows);
    for (Index line = 0; line < count; ++line) {
      to_keys(length, rows + line * length * size, keys, !largest);
      for (Index i = 0; i < length; ++i) keys[i] = static_cast<Key>(keys[i] - shift) & mask;
      find_places(keys, length, places + line * length);
      kernels::sort::pick_by_place(dtype, length, rows + line * length * size, places + line * length,
                    values + line * length * size);
    }
    LineBlock{dtype, blocks.steps(1), count, length}.from_rows(first[1], values);
    LineBlock{DType::Int64, blocks.steps(2), count, length}.from_rows(
        first[2], reinterpret_cast<std::byte*>(places));
  });
}

}  // namespace

void running_extreme(const Operand& values, const Operand& places, const Operand& in, int axis, bool largest) {
  if (in.layout->size() == 0) return;
  const Operand operands[] = {in, values, places};
  if (itemsize(in.dtype) == 8) run<std::uint64_t>(operands, axis, largest);
  else run<std::uint32_t>(operands, axis, largest);
}

}  // namespace strided
