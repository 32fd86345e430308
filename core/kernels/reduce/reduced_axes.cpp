#include "reduced_axes.hpp"

#include <algorithm>
#include <limits>

#include "errors.hpp"
#include "layout/bounds.hpp"

namespace strided {
namespace {

// Units have at least this many bytes to read, if they are to be more than memory asks for,
constexpr Index kUnitBytes = Index{256} << 10;
// then there are not many more than this,
constexpr Index kMostUnits = 32;
// and no result is put together from chunks of fewer elements: that should cost nothing.
constexpr Index kLeastPerChunk = 256;

// Outermost: the widest step. A repeated axis (step 0) goes there too, so that the loops within it move
// through memory.
bool is_outside(const ReducedAxis& a, const ReducedAxis& b) {
  constexpr Index kFar = std::numeric_limits<Index>::max();
  return (a.in == 0 ? kFar : a.in) > (b.in == 0 ? kFar : b.in);
}

bool step_together(const ReducedAxis& outer, const ReducedAxis& inner) {
  return outer.swept == inner.swept && outer.in == inner.length * inner.in &&
         outer.position == inner.length * inner.position;
}

void order(AxisList& list) {
  for (int i = 1; i < list.rank; ++i) {
    for (int j = i; j > 0 && is_outside(list.axis[j], list.axis[j - 1]); --j) {
      std::swap(list.axis[j], list.axis[j - 1]);
    }
  }
}

AxisList kept_of(const AxisList& list) {
  AxisList kept;
  for (int i = 0; i < list.rank; ++i) {
    ReducedAxis axis = list.axis[i];
    if (axis.swept) continue;
    if (kept.rank > 0 && kept.axis[kept.rank - 1].out == axis.length * axis.out) {
      axis.length *= kept.axis[--kept.rank].length;
    }
    kept.add(axis);
  }
  return kept;
}

void fuse(AxisList& list) {
  int last = 0;  // the axes 0..last are final, except that `last` may still grow
  for (int i = 1; i < list.rank; ++i) {
    if (step_together(list.axis[last], list.axis[i])) {
      list.axis[i].length *= list.axis[last].length;
      list.axis[last] = list.axis[i];
    } else {
      list.axis[++last] = list.axis[i];
    }
  }
  list.rank = std::min(list.rank, last + 1);
}

}  // namespace

ReducedAxes split_axes(const Operand& out, const Operand& in, bool positions) {
  const Layout& from = *in.layout;
  const Layout& to = *out.layout;
  const Index in_size = itemsize(in.dtype), out_size = itemsize(out.dtype);
  ReducedAxes axes;
  axes.in = in.first();
  axes.out = out.first();
  Index position = 1;
  for (int i = from.rank() - 1; i >= 0; --i) {
    const Index length = from.length(i);
    if (length == 1) continue;
    ReducedAxis axis{length, scaled(from.stride(i), in_size, 1), 0, 0, 0, to.length(i) != length};
    if (axis.swept) {
      axis.position = positions ? position : 0;
      position *= length;
      axes.count *= length;
    } else {
      axis.out = scaled(to.stride(i), out_size, 1);
      axes.results *= length;
    }
    if (axis.in < 0 && length > 0) {  // from the other end
      axes.in += axis.in * (length - 1);
      axes.out += axis.out * (length - 1);
      axes.position += axis.position * (length - 1);
      axis.in = -axis.in;
      axis.out = -axis.out;
      axis.position = -axis.position;
    }
    axes.list.add(axis);
  }
  std::reverse(axes.list.axis, axes.list.axis + axes.list.rank);
  const bool any = axes.count > 0 && axes.results > 0;
  if (any) order(axes.list);
  axes.kept = kept_of(axes.list);
  if (any) fuse(axes.list);
  return axes;
}

void require_elements(const ReducedAxes& axes, const Operand& in) {
  if (axes.count > 0) return;
  throw errors::invalid_argument("dim", "a tensor of shape " + text_of(in.layout->shape()),
                                 "the reduced dimensions must have at least one element");
}

namespace {

// The swept axis to cut: the outermost that is long enough, or else the longest.
int axis_to_cut(const AxisList& list, Index pieces) {
  int best = -1;
  for (int i = 0; i < list.rank; ++i) {
    const ReducedAxis& axis = list.axis[i];
    if (!axis.swept) continue;
    if (axis.length >= pieces) return i;
    if (best < 0 || axis.length > list.axis[best].length) best = i;
  }
  return best;
}

Index pieces_of(Index length, Index piece) { return (length + piece - 1) / piece; }

// Results in a block. What is kept of them should stay in the first-level cache, but there should also be
// enough to read. Where a row of memory has more results, and many elements follow for each, it pays to
// read on along the row.
Index results_at_most(const ReducedAxes& axes, Index itemsize) {
  constexpr Index kFew = 1024, kSome = 4096, kMany = 8192;
  const AxisList& list = axes.list;
  const bool wide = list.rank > 0 && !list.axis[list.rank - 1].swept &&
                    list.axis[list.rank - 1].length > kFew;
  if (wide && axes.count >= 32) return kMany;
  constexpr Index kBlockBytes = 64 << 10;
  return std::clamp(kBlockBytes / itemsize / std::max<Index>(1, axes.count), kFew, kSome);
}

// Blocks of at most most_results results: the fastest kept axes, and a part of the next.
Cut cut_into_blocks(const AxisList& list, Index most_results) {
  Cut cut;
  for (int i = list.rank - 1; i >= 0; --i) {
    const ReducedAxis& axis = list.axis[i];
    if (axis.swept) continue;
    if (cut.blocks > 1) {
      cut.blocks *= axis.length;
      continue;
    }
    cut.block_axis = i;
    cut.block_length = std::clamp<Index>(most_results / cut.block_results, 1, axis.length);
    cut.blocks = pieces_of(axis.length, cut.block_length);
    cut.block_results *= cut.block_length;
  }
  return cut;
}

void cut_blocks_shorter(Cut& cut, Index length, Index pieces) {
  const Index before = pieces_of(length, cut.block_length);
  const Index inside = cut.block_results / cut.block_length;
  cut.block_length = pieces_of(cut.block_length, pieces);
  cut.block_results = inside * cut.block_length;
  cut.blocks = cut.blocks / before * pieces_of(length, cut.block_length);
}

void cut_into_chunks(Cut& cut, int at, Index length, Index pieces) {
  // Whole vectors in every chunk but the last.
  const Index even = length >= 64 * pieces ? 64 : 1;
  cut.chunk_axis = at;
  cut.chunk_length = pieces_of(pieces_of(length, pieces), even) * even;
  cut.chunks = pieces_of(length, cut.chunk_length);
}

}  // namespace

Cut cut_axes(const ReducedAxes& axes, Index itemsize) {
  const AxisList& list = axes.list;
  Cut cut = cut_into_blocks(list, results_at_most(axes, itemsize));
  const double bytes = static_cast<double>(axes.results) * static_cast<double>(axes.count * itemsize);
  const Index wanted = bytes >= kMostUnits * kUnitBytes ? kMostUnits
                                                        : static_cast<Index>(bytes) / kUnitBytes;
  if (cut.blocks >= wanted) return cut;
  const int swept = axis_to_cut(list, wanted);
  // Memory is cut where its order has it: the outer of the two axes first.
  if (cut.block_axis >= 0 && (swept < 0 || cut.block_axis < swept)) {
    cut_blocks_shorter(cut, list.axis[cut.block_axis].length, wanted / cut.blocks);
  }
  if (swept < 0) return cut;
  const Index chunks = std::min({wanted / cut.blocks, axes.count / kLeastPerChunk,
                                 list.axis[swept].length});
  if (chunks > 1) cut_into_chunks(cut, swept, list.axis[swept].length, chunks);
  return cut;
}

Unit unit_of(const ReducedAxes& axes, const Cut& cut, Index number) {
  Unit unit;
  unit.in = axes.in;
  unit.first = 0;
  unit.position = axes.position;
  unit.results = 1;
  unit.count = 1;
  unit.chunk = number % cut.chunks;
  Index block = number / cut.chunks;
  Index results = 1;  // from one index of a kept axis to the next
  AxisList& list = unit.list;
  for (int i = axes.list.rank - 1; i >= 0; --i) {
    ReducedAxis axis = axes.list.axis[i];
    const Index length = axis.length;
    Index first = 0;
    if (i == cut.chunk_axis) {
      first = unit.chunk * cut.chunk_length;
      axis.length = std::min(cut.chunk_length, axis.length - first);
    } else if (i == cut.block_axis && cut.block_length < axis.length) {
      const Index pieces = (axis.length + cut.block_length - 1) / cut.block_length;
      first = block % pieces * cut.block_length;
      block /= pieces;
      axis.length = std::min(cut.block_length, axis.length - first);
    } else if (!axis.swept && i < cut.block_axis) {  // outside the block: one index of it
      first = block % axis.length;
      block /= axis.length;
      axis.length = 1;
    }
    unit.in += first * axis.in;
    unit.position += first * axis.position;
    if (!axis.swept) {
      unit.first += first * results;
      results *= length;
    }
    if (axis.length == 1) continue;
    if (axis.swept) {
      unit.count *= axis.length;
    } else {
      axis.state = unit.results;
      unit.results *= axis.length;
    }
    list.add(axis);
  }
  std::reverse(list.axis, list.axis + list.rank);
  return unit;
}

}  // namespace strided
