// Brings lanes side by side, a block at a time, and sends the results back.
#include "sort.hpp"

#include <algorithm>
#include <string>

#include "errors.hpp"
#include "lines.hpp"
#include "kernels/loop_table.hpp"
#include "run/parts.hpp"
#include "sort_lanes.hpp"

namespace strided {
namespace {

// A block of short lanes: large enough to be worth its planning, small enough for the first-level cache.
constexpr Index kBlockKeys = 4 << 10;
// A network sorts as many lanes at a time as a vector has room for keys, or fewer.
constexpr Index kLanesTogether = 16;
// A block of long lanes that run across memory: whole cache lines of them, if that is not too much.
constexpr Index kLongBlockBytes = Index{32} << 20;
// Longer lists of bytes are sorted faster by counting.
constexpr Index kLongestOfBytes = 512;
// Sorting an element takes about as long as moving this many bytes.
constexpr Index kTraffic = 32;

}  // namespace

void require_order(DType dtype, const char* operation) {
  if (!is_complex(dtype)) return;
  throw errors::dtype_mismatch(operation, std::string(name_of(dtype)),
                               "complex numbers have no order", "use .abs(), .real or .imag");
}

Sorting::Sorting(const Operand& in, int axis, Wanted wanted)
    : in_(in), axis_(axis), length_(in.layout->length(axis)), keep_(std::min(wanted.keep, length_)),
      values_(wanted.values), places_(wanted.places), descending_(wanted.descending) {
  if (itemsize(in.dtype) == 8) plan_memory<std::uint64_t>();
  else plan_memory<std::uint32_t>();
}

template <class Key>
void Sorting::plan_memory() {
  const auto& sort = loops().sort;
  const bool wide = places_ && itemsize(in_.dtype) > 2;  // keys and places packed together
  Index longest = wide ? sort.wide.longest : sort.of<Key>().longest;
  if (itemsize(in_.dtype) == 1) longest = std::min(longest, kLongestOfBytes);
  const Index lanes = length_ == 0 ? 0 : in_.layout->size() / length_;
  const Index size = itemsize(in_.dtype);
  short_lanes_ = length_ <= longest;
  if (short_lanes_) {
    const Index groups = kBlockKeys / kLanesTogether / std::max<Index>(length_, 1);
    together_ = kLanesTogether * std::max<Index>(1, groups);
  } else {
    const Index fitting = std::max<Index>(kLongBlockBytes / (length_ * size), 1);
    together_ = std::min(lanes_per_line(in_, axis_), fitting);
  }
  together_ = std::clamp<Index>(together_, 1, std::max<Index>(lanes, 1));
  // With fewer blocks than threads, long lanes are shared among the threads one by one.
  const Index blocks = (lanes + together_ - 1) / together_;
  const bool shared = !short_lanes_ && blocks < thread_count();
  const Index slots = std::clamp<Index>(blocks, 1, parts_for(in_.layout->size() * kTraffic));
  slots_ = shared ? 1 : static_cast<int>(slots);
  lane_pieces_ = shared ? parts_for(length_ * kTraffic) : 1;
  slot_bytes_ = SortMemory::bytes<std::byte>(together_ * length_ * size);
  if (values_) slot_bytes_ += SortMemory::bytes<std::byte>(together_ * keep_ * size);
  if (places_) slot_bytes_ += SortMemory::bytes<std::int64_t>(together_ * keep_);
  slot_bytes_ += short_lanes_ ? short_lanes_bytes<Key>(together_, length_, places_)
                              : long_lane_bytes<Key>(in_.dtype, length_, places_, lane_pieces_);
}

void Sorting::run(const Operand* values, const Operand* places, std::byte* memory) const {
  if (in_.layout->size() == 0) return;
  if (itemsize(in_.dtype) == 8) run_with<std::uint64_t>(values, places, memory);
  else run_with<std::uint32_t>(values, places, memory);
}

template <class Key>
void Sorting::run_with(const Operand* values, const Operand* places, std::byte* memory) const {
  const Index size = itemsize(in_.dtype);
  // Results that are not wanted stand in as the input, and are not written.
  const Operand operands[] = {in_, values ? *values : in_, places ? *places : in_};
  const LaneBlocks blocks(operands, axis_, together_);
  const LaneSteps from = blocks.steps(0), to = blocks.steps(1), ranks = blocks.steps(2);
  constexpr Index kPlace = sizeof(std::int64_t);

  blocks.run(slots_, [&](int slot, Index block) {
    std::byte* first[3];
    const Index lanes = blocks.locate(block, first);
    const LaneBlock in_block{in_.dtype, from, lanes, length_};
    const LaneBlock value_block{in_.dtype, to, lanes, keep_};
    const LaneBlock place_block{DType::Int64, ranks, lanes, keep_};
    SortMemory space(memory + static_cast<std::size_t>(slot) * slot_bytes_);
    std::byte* const elements = space.take<std::byte>(together_ * length_ * size);
    std::byte* const sorted = values ? space.take<std::byte>(together_ * keep_ * size) : nullptr;
    std::byte* const found = places ? space.take<std::byte>(together_ * keep_ * kPlace) : nullptr;
    std::byte* const rest = space.take<std::byte>(0);
    LaneRows rows{in_.dtype, descending_, lane_pieces_, lanes, length_, keep_, first[0], from.across,
                  values ? first[1] : nullptr, to.across, places ? first[2] : nullptr, ranks.across};
    if (!in_block.in_rows()) {
      in_block.to_rows(first[0], elements);
      rows.in = elements;
      rows.in_pitch = length_ * size;
    }
    if (values && !value_block.in_rows()) rows.values = sorted, rows.values_pitch = keep_ * size;
    if (places && !place_block.in_rows()) rows.places = found, rows.places_pitch = keep_ * kPlace;

    if (short_lanes_) {
      sort_short_lanes<Key>(rows, rest);
    } else {
      for (Index lane = 0; lane < lanes; ++lane) {
        LaneRows one = rows;
        one.count = 1;
        one.in += lane * rows.in_pitch;
        if (one.values) one.values += lane * rows.values_pitch;
        if (one.places) one.places += lane * rows.places_pitch;
        sort_long_lane<Key>(one, rest);
      }
    }
    if (rows.values == sorted && values) value_block.from_rows(first[1], sorted);
    if (rows.places == found && places) place_block.from_rows(first[2], found);
  });
}

}  // namespace strided
