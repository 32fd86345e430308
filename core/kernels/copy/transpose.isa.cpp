// Transposing copies: squares of elements are loaded as rows, transposed inside the registers, and stored
// as columns. A tile is as many rows and columns as a cache line has elements, so every line is read and
// written whole, once, whatever the strides: powers of two included.
#include <algorithm>
#include <cstdlib>

#include "kernels/fill_loops.hpp"
#include "run/arena.hpp"
#include "simd/transpose_square.hpp"
#include "simd/vector.hpp"

namespace strided::kernels::copy::STRIDED_ISA {
namespace {

// ---- tiles of one cache line by one cache line ----

using Words = BitVector<kVectorBytes, 8>;

// row(i) points at 64 bytes to read, column(j) at 64 bytes to write.
template <int kItem, class Row, class Column>
[[gnu::always_inline]] inline void transpose_tile(Row&& row, Column&& column) {
  using S = Square<kItem>;
  constexpr int kSquares = kLine / kVectorBytes;
  for (int up = 0; up < kSquares; ++up) {
    for (int along = 0; along < kSquares; ++along) {
      S::transpose([&](int i) { return load_vector<Words>(row(up * S::kSide + i) + along * kVectorBytes); },
              [&](int j, Words v) { store_vector(column(along * S::kSide + j) + up * kVectorBytes, v); });
    }
  }
}

template <int kItem>
inline constexpr int kTile = kLine / kItem;

// n elements between a place with any step and a line.
template <int kItem>
void gather_line(Index n, std::byte* line, const std::byte* in, Index step) {
  if (step == kItem) return copy_short(line, in, n * kItem);
  for (Index i = 0; i < n; ++i) std::memcpy(line + i * kItem, in + i * step, kItem);
}
template <int kItem>
void scatter_line(Index n, std::byte* out, Index step, const std::byte* line) {
  if (step == kItem) return copy_short(out, line, n * kItem);
  for (Index i = 0; i < n; ++i) std::memcpy(out + i * step, line + i * kItem, kItem);
}

// A tile of a narrow block, or of strided elements: through lines on both sides.
template <int kItem>
[[gnu::noinline]] void copy_edge(const CrossBlock& b, Index r0, Index rows, Index c0, Index columns) {
  // What missing rows and columns hold does not matter, but it must be something.
  Line in[kTile<kItem>] = {};
  Line out[kTile<kItem>];
  for (Index i = 0; i < rows; ++i) {
    gather_line<kItem>(columns, in[i].bytes, b.in + b.row_in[r0 + i] + c0 * b.column_step, b.column_step);
  }
  transpose_tile<kItem>([&](int i) { return in[i].bytes; }, [&](int j) { return out[j].bytes; });
  for (Index j = 0; j < columns; ++j) {
    scatter_line<kItem>(rows, b.out + b.column_out[c0 + j] + r0 * b.row_step, b.row_step, out[j].bytes);
  }
}

// Part of a block: rows [r0, r1) and columns [c0, c1).
struct Region {
  Index r0, r1, c0, c1;
  bool empty() const { return r0 >= r1 || c0 >= c1; }
};

// By squares of one vector by one. The last ones are moved back to end with the block: some elements are
// copied twice.
template <int kItem, int kWide>
void copy_squares(const CrossBlock& b, const Region& region) {
  using S = Square<kItem, kWide>;
  for (Index repeat = 0; repeat < b.repeats; ++repeat) {
    for (Index r = region.r0; r < region.r1; r += S::kSide) {
      const Index row = std::min(r, b.rows - S::kSide);
      const Index* const row_in = b.row_in + row;
      std::byte* const out = b.out + repeat * b.out_repeat + row * kItem;
      for (Index c = region.c0; c < region.c1; c += S::kSide) {
        const Index column = std::min(c, b.columns - S::kSide);
        const std::byte* const in = b.in + repeat * b.in_repeat + column * kItem;
        const Index* const column_out = b.column_out + column;
        S::transpose([&](int i) { return load_vector<typename S::Words>(in + row_in[i]); },
                [&](int j, typename S::Words v) { store_vector(out + column_out[j], v); });
      }
    }
  }
}

// By squares as wide as the region.
template <int kItem>
void copy_region(const CrossBlock& b, const Region& region) {
  if (region.empty()) return;
  const bool packed = b.row_step == kItem && b.column_step == kItem;
  const Index narrow = std::min(region.r1 - region.r0, region.c1 - region.c0) * kItem;
  if (packed && std::min(b.rows, b.columns) * kItem >= 16) {
    if constexpr (kVectorBytes >= 64) {
      if (narrow >= 64) return copy_squares<kItem, 64>(b, region);
    }
    if constexpr (kVectorBytes >= 32) {
      if (narrow >= 32) return copy_squares<kItem, 32>(b, region);
    }
    return copy_squares<kItem, 16>(b, region);
  }
  constexpr Index kSide = kTile<kItem>;
  CrossBlock one = b;
  for (Index repeat = 0; repeat < b.repeats; ++repeat, one.in += b.in_repeat, one.out += b.out_repeat) {
    for (Index r = region.r0; r < region.r1; r += kSide) {
      for (Index c = region.c0; c < region.c1; c += kSide) {
        copy_edge<kItem>(one, r, std::min(kSide, region.r1 - r), c, std::min(kSide, region.c1 - c));
      }
    }
  }
}

// All but the first `rows` x `columns` (both may be 0), which are whole tiles.
template <int kItem>
void copy_rest(const CrossBlock& b, Index rows, Index columns) {
  copy_region<kItem>(b, {0, rows, columns, b.columns});
  copy_region<kItem>(b, {rows, b.rows, 0, b.columns});
}

// ---- whole tiles, in an order that suits memory ----
//
// Memory likes to be written several neighbouring lines at a time, so two tiles of rows are transposed
// together (a tile of bytes is large enough by itself); and to be asked in time, so what comes next is
// prefetched: the next rows, or, where rows lie so far apart that they push each other out of the
// cache, the next columns. Measured on Zen 4, 256 MB: 35-50 % of a streaming copy without, 50-85 % with.

template <int kItem>
inline constexpr Index kGroup = kItem == 1 ? 1 : 2;  // tiles of rows
template <int kItem>
inline constexpr Index kLinesAhead = kItem == 1 ? 2 : 4;  // of columns, where the next rows collide; as above

// In a cache, addresses a page apart compete for the same few places.
template <int kItem>
bool rows_collide(const CrossBlock& b) {
  constexpr Index kPage = 4096, kPlaces = 8;  // ways of first-level caches: 8 to 12
  const Index step = b.rows < 2 ? 0 : std::abs(b.row_in[1] - b.row_in[0]);
  const Index power_of_two = std::min(step & -step, kPage);  // that divides the step
  return kTile<kItem> * power_of_two > kPage * kPlaces;
}

// Where the lines of a tile should be fetched from ahead of time.
struct Ahead {
  const Index* rows;  // of a later tile
  Index bytes;        // further along the same rows
};

template <int kItem>
[[gnu::always_inline]] inline void fetch_ahead(const std::byte* in, const Ahead& ahead) {
  for (int i = 0; i < kTile<kItem>; ++i) __builtin_prefetch(in + ahead.rows[i] + ahead.bytes, 0, 2);
}

// Calls tile(r0, c0, ahead) for all tiles of `rows` x `columns`, in an order that suits memory.
template <int kItem, class Tile>
[[gnu::always_inline]] inline void for_each_tile(const CrossBlock& b, Index rows, Index columns, Tile&& tile) {
  constexpr Index kSide = kTile<kItem>;
  const bool collide = rows_collide<kItem>(b) && columns * kItem >= 1024;
  for (Index r0 = 0; r0 < rows; r0 += kGroup<kItem> * kSide) {
    const Index end = std::min(rows, r0 + kGroup<kItem> * kSide);
    for (Index c0 = 0; c0 < columns; c0 += kSide) {
      for (Index r = r0; r < end; r += kSide) {
        // At the last rows there is nothing ahead but what has been read already, which costs little.
        const Index next = std::min(r + kGroup<kItem> * kSide, rows - kSide);
        tile(r, c0, collide ? Ahead{b.row_in + r, kLinesAhead<kItem> * kLine} : Ahead{b.row_in + next, 0});
      }
    }
  }
}

// How many rows and columns are whole tiles: none, if not some of both.
struct Whole {
  Index rows, columns;
};
template <int kItem>
Whole whole_tiles(const CrossBlock& b) {
  constexpr Index kSide = kTile<kItem>;
  const bool packed = b.row_step == kItem && b.column_step == kItem;
  if (!packed || b.rows < kSide || b.columns < kSide) return {0, 0};
  return {b.rows / kSide * kSide, b.columns / kSide * kSide};
}

// Calls run(block) for each of many blocks.
template <class Run>
void for_each_repeat(const CrossBlock& b, Run&& run) {
  CrossBlock one = b;
  one.repeats = 1;
  for (Index repeat = 0; repeat < b.repeats; ++repeat, one.in += b.in_repeat, one.out += b.out_repeat) run(one);
}

template <int kItem>
void copy_whole(const CrossBlock& b, Index rows, Index columns) {
  for_each_tile<kItem>(b, rows, columns, [&](Index r0, Index c0, const Ahead& ahead) {
    const std::byte* const in = b.in + c0 * kItem;
    const Index* const row_in = b.row_in + r0;
    std::byte* const out = b.out + r0 * kItem;
    const Index* const column_out = b.column_out + c0;
    if (b.from_memory) fetch_ahead<kItem>(in, ahead);
    transpose_tile<kItem>([&](int i) { return in + row_in[i]; }, [&](int j) { return out + column_out[j]; });
  });
}

template <int kItem>
void copy_cross(const CrossBlock& b) {
  const auto [rows, columns] = whole_tiles<kItem>(b);
  if (rows > 0) for_each_repeat(b, [=](const CrossBlock& one) { copy_whole<kItem>(one, rows, columns); });
  copy_rest<kItem>(b, rows, columns);
}

template <int kItem>
void stream_aligned(const CrossBlock& b, Index rows, Index columns) {
  for_each_tile<kItem>(b, rows, columns, [&](Index r0, Index c0, const Ahead& ahead) {
    const std::byte* const in = b.in + c0 * kItem;
    const Index* const row_in = b.row_in + r0;
    std::byte* const out = b.out + r0 * kItem;
    const Index* const column_out = b.column_out + c0;
    fetch_ahead<kItem>(in, ahead);
    if constexpr (kVectorBytes == kLine) {
      Square<kItem>::transpose([&](int i) { return load_vector<Words>(in + row_in[i]); },
                          [&](int j, Words v) { stream_vector(out + column_out[j], v); });
    } else {
      Line lines[kTile<kItem>];
      transpose_tile<kItem>([&](int i) { return in + row_in[i]; }, [&](int j) { return lines[j].bytes; });
      for (Index j = 0; j < kTile<kItem>; ++j) stream_line(out + column_out[j], lines[j].bytes);
    }
  });
}

// ---- non-temporal stores ----

inline Index line_offset(const std::byte* at) {
  return static_cast<Index>(reinterpret_cast<std::uintptr_t>(at) % kLine);
}

// Columns whose lines are written whole although they begin anywhere: what has come of a line waits here
// until the rest has.
struct PartialLines {
  static constexpr Index kColumns = 512;  // 64 KiB of the second-level cache
  struct Pair { alignas(64) std::byte bytes[2 * kLine]; };
  Pair columns[kColumns];
};

// The lines that `columns` columns from c0 on have filled with the tile at r0.
template <int kItem>
[[gnu::always_inline]] inline void write_partial(const CrossBlock& b, PartialLines& partial, Index r0, Index c0) {
  for (Index c = c0; c < c0 + kTile<kItem>; ++c) {
    std::byte* const at = b.out + b.column_out[c] + r0 * kItem;
    std::byte* const held = partial.columns[c].bytes;
    const Index past = line_offset(at);
    if (r0 == 0) copy_short(at, held + past, kLine - past);
    else stream_line(at - past, held);
    std::memcpy(held, held + kLine, kLine);
  }
}

template <int kItem>
void stream_partial(const CrossBlock& b, Index rows, Index columns) {
  ScratchArray<PartialLines, 1> scratch;
  PartialLines& partial = *scratch;
  // Lines are read back one tile later: right after they were written the processor would stall.
  Index last_r0 = -1, last_c0 = 0;
  for_each_tile<kItem>(b, rows, columns, [&](Index r0, Index c0, const Ahead& ahead) {
    const std::byte* const in = b.in + c0 * kItem;
    const Index* const row_in = b.row_in + r0;
    std::byte* const out = b.out + r0 * kItem;
    fetch_ahead<kItem>(in, ahead);
    if (last_r0 >= 0) write_partial<kItem>(b, partial, last_r0, last_c0);
    std::byte* to[kTile<kItem>];
    for (Index j = 0; j < kTile<kItem>; ++j) {
      to[j] = partial.columns[c0 + j].bytes + line_offset(out + b.column_out[c0 + j]);
    }
    transpose_tile<kItem>([&](int i) { return in + row_in[i]; }, [&](int j) { return to[j]; });
    last_r0 = r0;
    last_c0 = c0;
  });
  write_partial<kItem>(b, partial, last_r0, last_c0);
  for (Index c = 0; c < columns; ++c) {
    std::byte* const at = b.out + b.column_out[c] + rows * kItem;
    const Index past = line_offset(at);
    if (past > 0) copy_short(at - past, partial.columns[c].bytes, past);
  }
}

#if defined(__AVX512BW__)

// The last `past` bytes of `before`, then the first ones of `here`: words first, then what is left within words.
[[gnu::always_inline]] inline Words joined_bytes(Words before, Words here, Index past) {
  using V = BitVector<kVectorBytes, 4>;
  V place;
  for (Index i = 0; i < 16; ++i) place[i] = static_cast<std::uint32_t>(i);
  place += static_cast<std::uint32_t>((kLine - past) / 4);
  const auto a = reinterpret_cast<__m512i>(before), b = reinterpret_cast<__m512i>(here);
  const auto low = reinterpret_cast<V>(_mm512_permutex2var_epi32(a, reinterpret_cast<__m512i>(place), b));
  const auto high = reinterpret_cast<V>(_mm512_permutex2var_epi32(a, reinterpret_cast<__m512i>(place + 1), b));
  const auto down = static_cast<std::uint32_t>((kLine - past) % 4 * 8);
  return reinterpret_cast<Words>(low >> down | high << 1 << (31 - down));
}

// The same with elements.
template <int kItem>
[[gnu::always_inline]] inline Words joined(Words before, Words here, Index past) {
  if constexpr (kItem == 1) return joined_bytes(before, here, past);
  using V = BitVector<kVectorBytes, kItem>;
  using Element = typename UnsignedOf<kItem>::type;
  constexpr Index kSide = kTile<kItem>;
  V place;
  for (Index i = 0; i < kSide; ++i) place[i] = static_cast<Element>(i);
  place += static_cast<Element>(kSide - past);
  const auto a = reinterpret_cast<__m512i>(before), b = reinterpret_cast<__m512i>(here);
  const auto at = reinterpret_cast<__m512i>(place);
  __m512i line;
  if constexpr (kItem == 2) line = _mm512_permutex2var_epi16(a, at, b);
  else if constexpr (kItem == 4) line = _mm512_permutex2var_epi32(a, at, b);
  else line = _mm512_permutex2var_epi64(a, at, b);
  return reinterpret_cast<Words>(line);
}

// The same with what has come before in registers: each column remembers its last vector.
template <int kItem>
void stream_joined(const CrossBlock& b, Index rows, Index columns) {
  constexpr Index kColumns = PartialLines::kColumns;
  ScratchArray<Line, kColumns> before;
  for_each_tile<kItem>(b, rows, columns, [&](Index r0, Index c0, const Ahead& ahead) {
    const std::byte* const in = b.in + c0 * kItem;
    const Index* const row_in = b.row_in + r0;
    std::byte* const out = b.out + r0 * kItem;
    const Index* const column_out = b.column_out + c0;
    fetch_ahead<kItem>(in, ahead);
    Square<kItem>::transpose([&](int i) { return load_vector<Words>(in + row_in[i]); }, [&](int j, Words v) {
      std::byte* const at = out + column_out[j];
      std::byte* const held = before[c0 + j].bytes;
      const Index past = line_offset(at);
      if (r0 > 0) stream_vector(at - past, joined<kItem>(load_vector<Words>(held), v, past / kItem));
      store_vector(held, v);
      if (r0 == 0) copy_short(at, held, kLine - past);
    });
  });
  for (Index c = 0; c < columns; ++c) {
    std::byte* const at = b.out + b.column_out[c] + rows * kItem;
    const Index past = line_offset(at);
    if (past > 0) copy_short(at - past, before[c].bytes + kLine - past, past);
  }
}

#endif

template <int kItem>
void stream_unaligned(const CrossBlock& b, Index rows, Index columns) {
#if defined(__AVX512BW__)
  // Columns that begin inside an element, as borrowed memory may, cannot be joined by elements.
  const bool whole = reinterpret_cast<std::uintptr_t>(b.out) % kItem == 0;
  if constexpr (kItem <= 8) {
    if (whole) return stream_joined<kItem>(b, rows, columns);
  }
#endif
  stream_partial<kItem>(b, rows, columns);
}

template <int kItem>
void stream_whole(const CrossBlock& whole, Index rows, Index columns) {
  bool aligned = true;
  for (Index c = 0; c < columns; ++c) aligned &= is_aligned(whole.out + whole.column_out[c], kLine);
  if (aligned) return stream_aligned<kItem>(whole, rows, columns);
  for (Index c0 = 0; c0 < columns; c0 += PartialLines::kColumns) {
    CrossBlock b = whole;
    b.in += c0 * kItem;
    b.column_out += c0;
    stream_unaligned<kItem>(b, rows, std::min(PartialLines::kColumns, columns - c0));
  }
}

template <int kItem>
void stream_cross(const CrossBlock& b) {
  const auto [rows, columns] = whole_tiles<kItem>(b);
  if (rows > 0) for_each_repeat(b, [=](const CrossBlock& one) { stream_whole<kItem>(one, rows, columns); });
  copy_rest<kItem>(b, rows, columns);
  finish_streams();
}

}  // namespace

void fill_transpose_loops(LoopFiller& fill) {
  const CopyLoops& loops = fill.table.copy;
  for_each_item([&]<int kItem>() {
    constexpr int size = bit_size(kItem);
    fill.enter(loops.cross[size][0], STRIDED_LOOP(copy_cross<kItem>));
    fill.enter(loops.cross[size][1], STRIDED_LOOP(stream_cross<kItem>));
  });
}

}  // namespace strided::kernels::copy::STRIDED_ISA
