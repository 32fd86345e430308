// Sorting along one axis: packs lines, a block at a time, sorts them, and copies the results out.
#include "sort.hpp"

#include <algorithm>
#include <string>

#include "errors.hpp"
#include "kernels/loop_names.hpp"
#include "kernels/loop_table.hpp"
#include "layout/bounds.hpp"
#include "lines.hpp"
#include "plan/split.hpp"
#include "run/machine.hpp"
#include "sort_keys.hpp"
#include "sort_lines.hpp"

namespace strided::kernels::sort {
namespace {

// As many lines as the widest vector has lanes for keys of 4 bytes: a network sorts so many at a time, or fewer.
constexpr Index kLinesTogether = 16;
// Longer lines of bytes are sorted by counting: 256 counters are cleared and summed up for each line.
constexpr Index kLongestOfBytes = 512;
// Sorting an element takes about as long as moving this many bytes: decides how many threads a line is worth.
constexpr Index kTraffic = 32;

// The elements of a block of short lines, which is large enough to be worth its planning: a key of 4 bytes and an item
// of 8 for each of them fill the first-level cache.
Index short_block() { return machine().l1 / 12; }

}  // namespace

void require_order(DType dtype, const char* operation) {
  if (!is_complex(dtype)) return;
  throw errors::dtype_mismatch(operation, std::string(name_of(dtype)),
                               "complex numbers have no order", "use .abs(), .real or .imag");
}

Sorting::Sorting(const Operand& in, int axis, Request request)
    : in_(in), axis_(axis), length_(in.layout->length(axis)), keep_(std::min(request.keep, length_)),
      values_(request.values), places_(request.places), descending_(request.descending) {
  if (in.layout->size() == 0) return;
  if (length_ > kLongestLine) throw errors::out_of_memory(std::numeric_limits<Index>::max());
  const auto& sort = loops().sort;
  const Index size = itemsize(in_.dtype);
  const bool wide = size == 8 || (places_ && size > 2);  // a key by itself, or with its place
  Index longest = wide ? sort.wide.longest : sort.narrow.longest;
  if (size == 1) longest = std::min(longest, kLongestOfBytes);
  const Index lines = in_.layout->size() / length_;
  short_lines_ = length_ <= longest;
  if (short_lines_) {
    together_ = kLinesTogether * std::max<Index>(short_block() / kLinesTogether / length_, 1);
  } else {
    // Whole cache lines of lines that run across memory, if a block of them fits a cache.
    together_ = std::min(lines_per_cache_line(in_, axis_), std::max<Index>(machine().l3 / (length_ * size), 1));
  }
  together_ = std::clamp<Index>(together_, 1, lines);
  // With fewer blocks than threads, all threads sort one long line at a time.
  const Index blocks = ceil_div(lines, together_);
  const bool shared = !short_lines_ && blocks < thread_count();
  const Index slots = std::clamp<Index>(blocks, 1, threads_for(saturated_product(in_.layout->size(), kTraffic)));
  slots_ = shared ? 1 : static_cast<int>(slots);
  line_chunks_ = shared ? threads_for(length_ * kTraffic) : 1;
  slot_bytes_ = Workspace::bytes<std::byte>(together_ * length_ * size);
  if (values_) slot_bytes_ += Workspace::bytes<std::byte>(together_ * keep_ * size);
  if (places_) slot_bytes_ += Workspace::bytes<std::int64_t>(together_ * keep_);
  slot_bytes_ += short_lines_ ? short_lines_bytes(in_.dtype, together_, length_, places_)
                              : long_line_bytes(in_.dtype, length_, places_, line_chunks_);
}

std::vector<std::string> Sorting::names_of_loops() const {
  const SortLoops& sort = loops().sort;
  const auto dtype = static_cast<int>(in_.dtype);
  const Ties ties = places_ ? Ties::Equal : Ties::Distinct;
  std::vector<std::string> names{loop_name(sort.to_keys[static_cast<int>(ties)][dtype])};
  if (!short_lines_ && are_countable(in_.dtype, length_, places_)) {
    names.push_back(plain_loop("kernels/sort/sort_count.cpp", "write_runs"));
  } else {
    if (!short_lines_) names.push_back(plain_loop("kernels/sort/radix.hpp", "distribute"));
    const bool halves = short_lines_ && itemsize(in_.dtype) <= 2;  // a key and its place in 32 bits
    with_key(in_.dtype, [&]<class Key>(Key) {
      const KeyLoops<Key>& keys = sort.of<Key>();
      if (places_ && short_lines_) names.push_back(halves ? loop_name(sort.half.pack) : loop_name(keys.pack));
      names.push_back(places_ && !halves ? loop_name(sort.wide.sort) : loop_name(keys.sort));
      if (places_) names.push_back(halves ? loop_name(sort.half.unpack) : loop_name(keys.unpack));
    });
  }
  if (values_) names.push_back(loop_name(sort.from_keys[dtype]));
  return names;
}

void Sorting::run(const Operand* values, const Operand* places, std::byte* memory) const {
  if (in_.layout->size() == 0) return;
  const Index size = itemsize(in_.dtype);
  // Results that are not wanted stand in as the input, and are not written.
  const Operand* const operands[] = {&in_, values ? values : &in_, places ? places : &in_};
  const LineBlocks blocks(operands, axis_, together_);
  const LineSteps from = blocks.steps(0), to = blocks.steps(1), ranks = blocks.steps(2);
  constexpr Index kPlace = sizeof(std::int64_t);
  const char* const operation = keep_ < length_ ? "topk" : values_ ? "sort" : "argsort";
  const RecordScope scope(
      [&] { return blocks.record(operation, std::max(slots_, line_chunks_), names_of_loops()); });

  run_dynamically(slots_, blocks.count(), [&](int slot, Index block) {
    std::byte* first[3];
    const Index lines = blocks.locate(block, first);
    const LineBlock in_block{in_.dtype, from, lines, length_};
    const LineBlock value_block{in_.dtype, to, lines, keep_};
    const LineBlock place_block{DType::Int64, ranks, lines, keep_};
    Workspace space(memory + static_cast<std::size_t>(slot) * slot_bytes_);
    std::byte* const elements = space.take<std::byte>(together_ * length_ * size);
    std::byte* const sorted = values ? space.take<std::byte>(together_ * keep_ * size) : nullptr;
    std::byte* const found = places ? space.take<std::byte>(together_ * keep_ * kPlace) : nullptr;
    std::byte* const rest = space.take<std::byte>(0);
    LineRows rows{in_.dtype, descending_, line_chunks_, lines, length_, keep_, first[0], from.across,
                  values ? first[1] : nullptr, to.across, places ? first[2] : nullptr, ranks.across};
    if (!in_block.in_rows()) {
      in_block.to_rows(first[0], elements);
      rows.in = elements;
      rows.in_pitch = length_ * size;
    }
    if (values && !value_block.in_rows()) rows.values = sorted, rows.values_pitch = keep_ * size;
    if (places && !place_block.in_rows()) rows.places = found, rows.places_pitch = keep_ * kPlace;

    if (short_lines_) {
      sort_short_lines(rows, rest);
    } else {
      for (Index line = 0; line < lines; ++line) {
        LineRows one = rows;
        one.count = 1;
        one.in += line * rows.in_pitch;
        if (one.values) one.values += line * rows.values_pitch;
        if (one.places) one.places += line * rows.places_pitch;
        sort_long_line(one, rest);
      }
    }
    if (rows.values == sorted && values) value_block.from_rows(first[1], sorted);
    if (rows.places == found && places) place_block.from_rows(first[2], found);
  });
}

}  // namespace strided::kernels::sort
