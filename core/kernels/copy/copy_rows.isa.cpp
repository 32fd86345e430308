// Copies in which both sides run along the same axis: packed, reversed, every few, repeated, any step.
#include <algorithm>

#include "kernels/fill_loops.hpp"
#include "narrow_rows.hpp"
#include "simd/vector.hpp"

namespace strided::kernels::copy::STRIDED_ISA {
namespace {

// ---- one row that is packed in the output ----

// Where the instruction set has no shuffle across 64 bytes for small elements, 16 bytes at a time.
template <int kItem>
inline constexpr int kShuffled = kVectorBytes == 64 && kItem >= 2 ? 64 : kVectorBytes == 32 && kItem >= 4 ? 32 : 16;

template <int kCount>
struct Reverse {
  static constexpr int at(int i) { return kCount - 1 - i; }
};
// Elements of 16 bytes are pairs of words: the pairs change places.
template <int kCount>
struct ReversePairs {
  static constexpr int at(int i) { return kCount - 2 - i / 2 * 2 + i % 2; }
};
// Every kStep-th element from kStep vectors, of which each begins where the one before ends, but none ends
// behind the last element that is wanted: what is there may not exist. Turn j brings what vector j has to what
// the vectors before it had; elements of 16 bytes are pairs of words.
template <int kStep, int kCount, int kWords>
struct Every {
  static constexpr int kLast = ((kCount / kWords - 1) * kStep + 1) * kWords - kCount;
  static constexpr int begin(int j) { return std::min(j * kCount, kLast); }
  static constexpr int wanted(int i) { return i / kWords * kStep * kWords + i % kWords; }

  template <int j>
  struct Turn {
    static constexpr int at(int i) {
      const int from = wanted(i) / kCount;
      if (from == j) return kCount + wanted(i) - begin(j);
      return j > 1 ? i : from == 0 ? wanted(i) : 0;  // 0: comes in a later turn
    }
  };
};
template <int kItem>
void copy_reversed(Index n, std::byte* out, const std::byte* in) {
  constexpr int kWord = kItem == 16 ? 8 : kItem;
  constexpr Index kEach = kShuffled<kItem> / kItem;
  using V = BitVector<kShuffled<kItem>, kWord>;
  using Pick = std::conditional_t<kItem == 16, ReversePairs<kShuffled<kItem> / kWord>,
                                  Reverse<kShuffled<kItem> / kWord>>;
  Index i = 0;
  for (; i + kEach <= n; i += kEach) {
    const V v = load_vector<V>(in - (i + kEach - 1) * kItem);
    store_vector(out + i * kItem, pick<Pick>(v, v));
  }
  for (; i < n; ++i) std::memcpy(out + i * kItem, in - i * kItem, kItem);
}

template <int kItem, int kStep>
void copy_every(Index n, std::byte* out, const std::byte* in) {
  constexpr int kWord = kItem == 16 ? 8 : kItem;
  constexpr int kCount = kShuffled<kItem> / kWord;
  constexpr Index kEach = kShuffled<kItem> / kItem;
  using V = BitVector<kShuffled<kItem>, kWord>;
  using Pick = Every<kStep, kCount, kItem / kWord>;
  Index i = 0;
  for (; i + kEach <= n; i += kEach) {
    const std::byte* const at = in + kStep * i * kItem;
    const auto vector = [&](int j) { return load_vector<V>(at + Pick::begin(j) * kWord); };
    V v = pick<typename Pick::template Turn<1>>(vector(0), vector(1));
    if constexpr (kStep > 2) v = pick<typename Pick::template Turn<2>>(v, vector(2));
    if constexpr (kStep > 3) v = pick<typename Pick::template Turn<3>>(v, vector(3));
    store_vector(out + i * kItem, v);
  }
  for (; i < n; ++i) std::memcpy(out + i * kItem, in + kStep * i * kItem, kItem);
}

template <int kItem>
void copy_repeated(Index n, std::byte* out, const std::byte* in) {
  Line line;
  for (int i = 0; i < kLine; i += kItem) std::memcpy(line.bytes + i, in, kItem);
  const Index nbytes = n * kItem;
  Index at = 0;
  for (; at + kLine <= nbytes; at += kLine) std::memcpy(out + at, line.bytes, kLine);
  if (at < nbytes) copy_short(out + at, line.bytes, nbytes - at);
}

template <int kItem>
void copy_stepped(Index n, std::byte* out, Index out_step, const std::byte* in, Index in_step) {
  for (Index i = 0; i < n; ++i) std::memcpy(out + i * out_step, in + i * in_step, kItem);
}

template <int kItem>
void copy_row(Index n, std::byte* out, Index out_step, const std::byte* in, Index in_step) {
  if (out_step != kItem) return copy_stepped<kItem>(n, out, out_step, in, in_step);
  if (in_step == kItem) std::memcpy(out, in, static_cast<std::size_t>(n * kItem));
  else if (in_step == 0) copy_repeated<kItem>(n, out, in);
  else if (in_step == -kItem) copy_reversed<kItem>(n, out, in);
  else if (in_step == 2 * kItem) copy_every<kItem, 2>(n, out, in);
  else if (in_step == 3 * kItem) copy_every<kItem, 3>(n, out, in);
  else if (in_step == 4 * kItem) copy_every<kItem, 4>(n, out, in);
  else copy_stepped<kItem>(n, out, kItem, in, in_step);
}

// ---- blocks of rows ----

// Calls run(out, in) for each row of all blocks.
template <class Run>
[[gnu::always_inline]] inline void for_each_row(const RowBlock& b, Run&& run) {
  for (Index repeat = 0; repeat < b.repeats; ++repeat) {
    std::byte* out = b.out + repeat * b.out_repeat;
    const std::byte* in = b.in + repeat * b.in_repeat;
    for (Index r = 0; r < b.rows; ++r, out += b.out_row, in += b.in_row) run(out, in);
  }
}

// A packed row of at least a vector: whole vectors, then one that ends where the row ends.
[[gnu::always_inline]] inline void copy_vectors(std::byte* out, const std::byte* in, Index nbytes) {
  using V = BitVector<kVectorBytes, 8>;
  for (Index at = 0; at + kVectorBytes < nbytes; at += kVectorBytes) {
    store_vector(out + at, load_vector<V>(in + at));
  }
  store_vector(out + nbytes - kVectorBytes, load_vector<V>(in + nbytes - kVectorBytes));
}

// So much of a row is moved between prefetches, four lines, or in a turn of several rows.
constexpr Index kPartBytes = 256;

// Asks for the elements of a row that come kStreamAhead bytes after those from `begin` to `end`, which may be
// more than the row has.
class RowAhead {
 public:
  explicit RowAhead(Index step)
      : step_(step), a_line_(std::max<Index>(1, kLine / std::abs(step))),
        ahead_(std::max<Index>(64, kStreamAhead / std::abs(step))) {}
  void ask(const std::byte* row, Index begin, Index end) const {
    for (Index i = begin; i < end; i += a_line_) __builtin_prefetch(row + (i + ahead_) * step_);
  }

 private:
  Index step_, a_line_, ahead_;
};

template <int kItem>
void copy_far_row(Index n, std::byte* out, const std::byte* in, Index in_step) {
  constexpr Index kPart = kPartBytes / kItem;
  const RowAhead ahead(in_step);
  for (Index begin = 0; begin < n; begin += kPart) {
    const Index end = std::min(n, begin + kPart);
    ahead.ask(in, begin, end);
    copy_row<kItem>(end - begin, out + begin * kItem, kItem, in + begin * in_step, in_step);
  }
}

// Blocks of rows of a few elements: the longer of the axes across them is the one that is walked inside.
template <int kItem>
void copy_narrow_blocks(RowBlock b) {
  if (b.rows < b.repeats) {
    std::swap(b.rows, b.repeats);
    std::swap(b.out_row, b.out_repeat);
    std::swap(b.in_row, b.in_repeat);
  }
  constexpr Index kRows = 1024;  // with 64 KiB of lines that stay in a cache until the other axis has been walked
  const Index rows = b.rows;
  const RowBlock all = b;
  const Index together = b.repeats == 1 ? rows : kRows;
  for (Index first = 0; first < rows; first += together) {
    b.rows = std::min(together, rows - first);
    for (Index repeat = 0; repeat < b.repeats; ++repeat) {
      b.out = all.out + first * b.out_row + repeat * b.out_repeat;
      b.in = all.in + first * b.in_row + repeat * b.in_repeat;
      copy_narrow_rows(b, kItem, &copy_stepped<kItem>);
    }
  }
}

template <int kItem>
void copy_rows(const RowBlock& b) {
  constexpr Index kCallPays = 1024;  // bytes: from here on memcpy repays its call
  const Index nbytes = b.n * kItem;
  if (is_narrow(b, kItem) && std::max(b.rows, b.repeats) >= kManyRows) return copy_narrow_blocks<kItem>(b);
  const bool packed = b.out_step == kItem && b.in_step == kItem;
  if (b.from_memory && b.out_step == kItem && b.in_step != 0) {
    for_each_row(b, [&](std::byte* out, const std::byte* in) { copy_far_row<kItem>(b.n, out, in, b.in_step); });
  } else if (packed && nbytes == kLine) {
    for_each_row(b, [](std::byte* out, const std::byte* in) { copy_vectors(out, in, kLine); });
  } else if (packed && nbytes >= kVectorBytes && nbytes <= kCallPays) {
    for_each_row(b, [=](std::byte* out, const std::byte* in) { copy_vectors(out, in, nbytes); });
  } else if (packed && nbytes < kVectorBytes) {
    for_each_row(b, [=](std::byte* out, const std::byte* in) { copy_short(out, in, nbytes); });
  } else {
    for_each_row(b, [&](std::byte* out, const std::byte* in) {
      copy_row<kItem>(b.n, out, b.out_step, in, b.in_step);
    });
  }
}

// ---- non-temporal stores ----

template <int kItem>
void stream_repeated(Index n, std::byte* out, const std::byte* in) {
  // The line repeats every 64 bytes from the start of the row, not from where memory has its lines.
  constexpr Index kHead = 256;  // bytes: four lines, so that one of any item size begins where memory's does
  alignas(64) std::byte block[kHead];
  copy_repeated<kItem>(kHead / kItem, block, in);
  const Index nbytes = n * kItem;
  const Index head = std::min<Index>(nbytes, static_cast<Index>(-reinterpret_cast<std::uintptr_t>(out) % kLine));
  if (head > 0) copy_short(out, block, head);
  const std::byte* const from = block + head % kItem;
  Index at = head;
  for (; at + kLine <= nbytes; at += kLine) stream_line(out + at, from);
  if (at < nbytes) copy_short(out + at, from, nbytes - at);
}

// n elements at any step, packed in the first cache first.
template <int kItem>
void stream_part(Index n, std::byte* out, const std::byte* in, Index in_step) {
  if (in_step == kItem) return stream_bytes(out, in, n * kItem);
  alignas(64) std::byte block[kPartBytes];
  copy_row<kItem>(n, block, kItem, in, in_step);
  stream_bytes(out, block, n * kItem);
}

// Rows that lie one behind the other, or nearly: memory is read from end to end, what lies between them too. The
// processor by itself sees no way through gaps, and each new beginning costs it more than they do.
template <int kItem>
void stream_rows_through(const RowBlock& b) {
  constexpr Index kPart = kPartBytes / kItem;
  const RowAhead ahead(b.in_step);
  for (Index r = 0; r < b.rows; ++r) {
    std::byte* const out = b.out + r * b.out_row;
    const std::byte* const in = b.in + r * b.in_row;
    const Index into_line = static_cast<Index>(reinterpret_cast<std::uintptr_t>(out) % kLine) / kItem;
    for (Index begin = 0, end; begin < b.n; begin = end) {
      end = std::min(b.n, begin == 0 ? kPart - into_line : begin + kPart);
      ahead.ask(in, begin, end);
      stream_part<kItem>(end - begin, out + begin * kItem, in + begin * b.in_step, b.in_step);
    }
    if (b.rows > 1) ahead.ask(in, b.n, std::abs(b.in_row / b.in_step));  // the gap
  }
}

// Several rows at once, a part of each in turn. Where a row does not go on where the last one ended the
// memory is slow to begin: the others fill that time. Parts end where lines of the output do.
template <int kItem>
void stream_rows_in_turns(const RowBlock& b) {
  // Eight rows are as many streams as the widest transposed tile of 64-bit elements writes.
  constexpr Index kAtOnce = 8, kPart = kPartBytes / kItem;
  for (Index first = 0; first < b.rows; first += kAtOnce) {
    const Index count = std::min(kAtOnce, b.rows - first);
    for (Index part = 0; part < b.n + kPart; part += kPart) {
      for (Index r = first; r < first + count; ++r) {
        std::byte* const out = b.out + r * b.out_row;
        const Index into_line = static_cast<Index>(reinterpret_cast<std::uintptr_t>(out) % kLine) / kItem;
        const Index begin = std::max<Index>(0, part - into_line), end = std::min(b.n, part - into_line + kPart);
        if (begin >= end) continue;
        stream_part<kItem>(end - begin, out + begin * kItem, b.in + r * b.in_row + begin * b.in_step, b.in_step);
      }
    }
  }
}

// The rows in the order in which the input has them, so that it is read from one end to the other.
template <int kItem>
void stream_rows_in_order(RowBlock b) {
  if ((b.in_row < 0) != (b.in_step < 0)) {
    b.out += (b.rows - 1) * b.out_row;
    b.in += (b.rows - 1) * b.in_row;
    b.out_row = -b.out_row;
    b.in_row = -b.in_row;
  }
  // Where beginning anew costs more than to read on. Measured on Zen 4.
  constexpr Index kMostPitch = 4096, kMostGap = 2;
  const Index pitch = std::abs(b.in_row), row = b.n * std::abs(b.in_step), gap = pitch - row;
  const bool near = gap >= 0 && gap <= kMostGap * row && pitch <= kMostPitch;
  if (b.rows == 1 || gap == 0 || near) stream_rows_through<kItem>(b);
  else stream_rows_in_turns<kItem>(b);
}

// Rows of a few elements that lie one behind the other in the output, a few lines of them at a time. False, and
// nothing is done, where they do not.
template <int kItem>
bool streams_narrow_rows(const RowBlock& b) {
  const Index nbytes = b.n * kItem;
  if ((b.out_step != kItem && b.n > 1) || b.out_row != nbytes || b.repeats > 1) return false;
  return with_windows(b, kItem, [&](const auto& windows) {
    LineWriter<kPartBytes> writer;
    writer.begin(b.out);
    const Index together = kPartBytes / nbytes;
    const Index ahead = b.in_row == 0 ? 0 : kStreamAhead / std::abs(b.in_row) * b.in_row;
    for (Index first = 0; first < b.rows; first += together) {
      const Index count = std::min(together, b.rows - first);
      for (Index r = 0; r < count && ahead != 0; r += std::max<Index>(1, kLine / std::abs(b.in_row))) {
        __builtin_prefetch(b.in + (first + r) * b.in_row + ahead);
      }
      windows.copy(first, count, writer.next(), kPartBytes + kLine - count * nbytes, &copy_stepped<kItem>);
      writer.wrote(count * nbytes);
    }
    writer.finish();
  });
}

template <int kItem>
void stream_rows(const RowBlock& b) {
  if (is_narrow(b, kItem) && b.rows >= kManyRows && streams_narrow_rows<kItem>(b)) return;
  // Short rows with gaps between them would leave lines half written.
  constexpr Index kWorthwhile = 4 * kLine;
  if (b.out_step != kItem || b.n * kItem < kWorthwhile) return copy_rows<kItem>(b);
  if (b.in_step == 0) {
    for_each_row(b, [&](std::byte* out, const std::byte* in) { stream_repeated<kItem>(b.n, out, in); });
  } else if (b.in_step == kItem && b.rows == 1) {
    for_each_row(b, [&](std::byte* out, const std::byte* in) { stream_bytes<kStreamAhead>(out, in, b.n * kItem); });
  } else {
    RowBlock one = b;
    for (Index repeat = 0; repeat < b.repeats; ++repeat, one.out += b.out_repeat, one.in += b.in_repeat) {
      stream_rows_in_order<kItem>(one);
    }
  }
  finish_streams();
}

// finish_streams itself is always inlined.
void finish_all() { finish_streams(); }

}  // namespace

void fill_copy_rows_loops(LoopFiller& fill) {
  const CopyLoops& loops = fill.table.copy;
  for_each_item([&]<int kItem>() {
    constexpr int size = bit_size(kItem);
    fill.enter(loops.rows[size][0], STRIDED_LOOP(copy_rows<kItem>));
    fill.enter(loops.rows[size][1], STRIDED_LOOP(stream_rows<kItem>));
  });
  fill.enter(loops.stream, STRIDED_LOOP(stream_bytes<kStreamAhead>));
  fill.enter(loops.finish_streams, STRIDED_LOOP(finish_all));
}

}  // namespace strided::kernels::copy::STRIDED_ISA
