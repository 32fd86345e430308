#include "tile.hpp"

#include <algorithm>
#include <cstdlib>

namespace strided {
namespace {

constexpr Index kWorthTiling = 1024;    // elements: fewer are computed before tiles are planned
constexpr Index kWorthPacking = 64;     // elements of a row: fewer are computed before they are packed
constexpr Index kShortRow = 64;         // elements: to begin a shorter one takes longer than to compute it
constexpr Index kMostTransposedBytes = 64;  // of one element of all transposed operands: more would make tiles small

// Of short rows that are computed together. 32 KiB of 48 were best: temporaries of a chain need the rest.
Index rows_bytes(const Machine& on) { return on.l1 / 3 * 2; }
// Of all transposed operands together: a quarter of the second cache, what comes next is prefetched into the rest.
Index packed_bytes(const Machine& on) { return std::min(on.l2 / 4, kMostPackedBytes); }

// Chooses the axes that a tile spans, and how much of each. Where axes are short it spans several: a tile of few
// elements would cost more to set up than to compute.
class TileAxes {
 public:
  // Axes from `first` on; `chunk_axis` has at most `longest` indices. A tile holds at most `capacity` elements.
  TileAxes(const IterationSpace& space, int first, const TileChunks& chunks, Index capacity)
      : space_(space), chunks_(chunks), first_(first), inner_(space.rank() - 1), left_(std::max<Index>(1, capacity)) {}

  bool has(int axis) const { return length_[axis] != 0; }
  void take(int axis, Index most) {
    length_[axis] = std::min({most, length(axis), left_});
    left_ /= length_[axis];
  }
  // Says that the axis will be taken.
  void reserve(int axis) { length_[axis] = 1; }
  bool is_reserved(int axis) const { return length_[axis] == 1; }

  // Short rows: the innermost axis and those before it, as far as the capacity goes.
  void take_short_rows() {
    take(inner_, left_);
    for (int axis = inner_ - 1; axis >= first_ && !has(axis) && left_ > 1; --axis) take(axis, left_);
  }

  // The innermost axis and, where it is short, whole axes before it.
  void take_rows(Index longest) {
    take(inner_, longest);
    Index run = length_[inner_];
    for (int axis = inner_ - 1; axis >= first_ && !has(axis) && run < kLongRow; --axis) {
      if (length_[axis + 1] < length(axis + 1) || run * length(axis) > kLongestRow || length(axis) > left_) break;
      take(axis, length(axis));
      run *= length(axis);
    }
  }

  // Next to its fastest axis the next ones of a transposed operand, until it uses whole lines.
  void widen(int k, int fast) {
    for (Index run = length_[fast]; run < kWideRun && left_ > 1;) {
      std::uint64_t taken = 0;
      for (int axis = first_; axis < inner_; ++axis) if (has(axis)) taken |= std::uint64_t{1} << axis;
      const int next = smallest_step_axis(space_, k, first_, inner_, taken);
      if (next < 0) return;
      take(next, (kWideRun + run - 1) / run);
      run *= length_[next];
    }
  }

  // Moves these axes to the end of the space, in the order that they have.
  void apply(Tiles& tiles, IterationSpace& space) const {
    tiles.axes = 0;
    for (int axis = first_; axis <= inner_; ++axis) {
      if (!has(axis)) continue;
      const int at = axis - tiles.axes;
      move_axis(space, at, inner_);
      tiles.chunk_axis = tiles.chunk_axis == at ? inner_ : tiles.chunk_axis - (tiles.chunk_axis > at);
      tiles.lengths[tiles.axes++] = length_[axis];
    }
  }

 private:
  static constexpr Index kLongRow = 256, kLongestRow = 4096;  // elements of the result
  static constexpr Index kWideRun = 64;                       // and of a transposed operand

  Index length(int axis) const {
    return axis == chunks_.axis ? std::min(space_.shape[axis], chunks_.longest) : space_.shape[axis];
  }

  const IterationSpace& space_;
  const TileChunks chunks_;
  const int first_, inner_;
  Index left_;
  Index length_[kMaxRank] = {};  // 0 where a tile does not span the axis
};

// The axis on which operand k takes its smallest step, if it is not the innermost.
int own_fast_axis(const IterationSpace& space, int k, int first, Index itemsize) {
  const int inner = space.rank() - 1;
  const Index inner_step = std::abs(space.strides[k][inner]);
  if (inner_step <= itemsize) return inner;
  const int fast = smallest_step_axis(space, k, first, inner);
  return fast >= 0 && std::abs(space.strides[k][fast]) < inner_step ? fast : inner;
}

// Operands that go through blocks of their own along rows, if these are long enough.
OperandSet strided_operands(const IterationSpace& space, const TiledOperands& operands, Index length,
                            OperandSet others) {
  OperandSet found = 0;
  for (int k = 0; k < operands.count && length >= kWorthPacking; ++k) {
    const Index step = space.inner_stride(k);
    if (!has(others, k) && step != 0 && step != operands.itemsize[k]) found |= only(k);
  }
  return found;
}

// Whether operand k goes through a tile in one step, or through enough of it for a row.
bool has_long_rows(const IterationSpace& space, const Tiles& tiles, int k, Index itemsize) {
  const int first = space.rank() - tiles.axes;
  const Index step = space.inner_stride(k);
  if (step != itemsize && step != 0) return false;
  Index run = 1;
  for (int i = tiles.axes - 1; i >= 0 && run < kShortRow; --i) {
    if (tiles.lengths[i] > 1 && space.strides[k][first + i] != run * step) return false;
    run *= tiles.lengths[i];
  }
  return true;
}

}  // namespace

int smallest_step_axis(const IterationSpace& space, int k, int begin, int end, std::uint64_t skipped) {
  int best = -1;
  for (int axis = begin; axis < end; ++axis) {
    const Index step = std::abs(space.strides[k][axis]);
    if (step == 0 || (skipped >> axis & 1) != 0) continue;
    if (best < 0 || step < std::abs(space.strides[k][best])) best = axis;
  }
  return best;
}

Tiles make_tiles(IterationSpace& space, const TiledOperands& operands, const TileChunks& chunks, const Machine& on) {
  Tiles tiles;
  tiles.chunk_axis = chunks.axis;
  const int inner = space.rank() - 1;
  if (inner < 0) return tiles;
  TileChunks cut = chunks;
  Index count = space.size();
  const Index whole = space.shape[cut.axis];
  if (cut.longest < whole) count = count / whole * cut.longest;
  // An axis of which a chunk has one index is no axis of a chunk.
  const int first = cut.longest == 1 && whole > 1 ? 1 : 0;
  if (first == 1) {
    move_axis(space, cut.axis, 0);
    tiles.chunk_axis = cut.axis = 0;
  }
  if (count < kWorthTiling || first > inner) return tiles;
  const Index row = inner == cut.axis ? std::min(whole, cut.longest) : space.inner_length();
  if (inner == first) return tiles.strided = strided_operands(space, operands, row, 0), tiles;
  const bool is_short = row < kShortRow;
  int fast[kMaxOperands];
  Index transposed_bytes = 0, all_bytes = 0;
  for (int k = 0; k < operands.count; ++k) all_bytes += operands.itemsize[k];
  for (int k = operands.outputs; k < operands.count; ++k) {
    fast[k] = own_fast_axis(space, k, first, operands.itemsize[k]);
    if (fast[k] == inner || transposed_bytes + operands.itemsize[k] > kMostTransposedBytes) continue;
    tiles.transposed |= only(k);
    transposed_bytes += operands.itemsize[k];
  }
  tiles.strided = strided_operands(space, operands, row, tiles.transposed);
  if (tiles.transposed == 0 && !is_short) return tiles;
  TileAxes axes(space, first, cut, is_short ? rows_bytes(on) / all_bytes : packed_bytes(on) / transposed_bytes);
  int directions = 0;
  for (int k = operands.outputs; k < operands.count; ++k) {
    if (!has(tiles.transposed, k) || axes.has(fast[k])) continue;
    axes.reserve(fast[k]);
    ++directions;
  }
  if (is_short) axes.take_short_rows();
  else axes.take_rows(directions == 1 ? 1024 : 64);
  Index longest = is_short ? 1024 : 64;  // the first direction gets long runs, others what then fits
  for (int k = operands.outputs; k < operands.count; ++k) {
    if (!has(tiles.transposed, k) || !axes.is_reserved(fast[k])) continue;
    axes.take(fast[k], longest);
    axes.widen(k, fast[k]);
    longest = 16;
  }
  axes.apply(tiles, space);
  if (tiles.are_rows()) return tiles.transposed = 0, tiles;  // a tile holds only part of a row
  for (int k = 0; k < operands.count && is_short; ++k) {
    if (!has_long_rows(space, tiles, k, operands.itemsize[k])) tiles.transposed |= only(k);
  }
  return tiles;
}

}  // namespace strided
