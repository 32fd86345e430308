#include <algorithm>
#include <atomic>

#include "kernels/convert/packed.hpp"
#include "kernels/loop_names.hpp"
#include "kernels/loop_table.hpp"
#include "kernels/matmul/matmul.hpp"
#include "layout/bounds.hpp"
#include "plan/record.hpp"
#include "plan/sizes.hpp"
#include "plan/split.hpp"
#include "quantized_product.hpp"
#include "run/arena.hpp"
#include "run/interrupt.hpp"

namespace strided::kernels::quantized {
namespace {

constexpr Index kMostVectors = 512;      // that are held as whole numbers at a time: 6 MB where each has 8192
constexpr Index kChunkBytes = 48 << 10;  // of blocks, read in some microseconds: a thread that is held up is helped
constexpr Index kSmallBytes = 96 << 10;  // below this a second thread is not worth waking
constexpr Index kGrain = 4;              // rows that the loops multiply at once
constexpr Index kMostRows = 1024;        // of a chunk of short rows: their sums are held
constexpr Index kTileRows = 64;          // of a chunk of tiles: four tiles of 16
// Rows that are dequantised together, 6 MiB of float32 at most. Fixed: their number decides which kernel multiplies
// them, so the bits.
constexpr Index kPanelNumbers = 3 << 19, kPanelRows = 768;

constexpr Index superblocks_of(Index columns) { return ceil_div(columns, ActivationBlock::kNumbers); }

// n elements as contiguous float32.
void to_floats(const Matrix& from, Index i, Index j, Index n, float* to) {
  convert::elements(from.dtype, from.at(i, j), from.column_step(), DType::Float32, reinterpret_cast<std::byte*>(to),
                    sizeof(float), n);
}

// Calls run(0) .. run(chunks - 1). Each thread has a range of them, so that what one chunk prefetches is
// what the same thread reads next; when it is through it helps the others.
template <class Run>
void run_neighbours(Index chunks, Run&& run) {
  constexpr int kMostSlots = 64;  // of a cache line each, on the stack; more threads than this get no work
  struct alignas(64) Range {
    std::atomic<Index> next;
    Index end;
  };
  Range ranges[kMostSlots];
  const auto slots = static_cast<int>(std::min<Index>({chunks, thread_count(), kMostSlots}));
  for (int i = 0; i < slots; ++i) {
    ranges[i].next.store(chunk_begin(chunks, slots, i), std::memory_order_relaxed);
    ranges[i].end = chunk_begin(chunks, slots, i + 1);
  }
  run_chunks(slots, [&](int slot) {
    for (int i = 0; i < slots; ++i) {
      Range& range = ranges[(slot + i) % slots];
      for (Index chunk; (chunk = range.next.fetch_add(1, std::memory_order_relaxed)) < range.end;) run(chunk);
    }
  });
}

// A row of x as whole numbers. With `overlapping`, a last superblock that is not whole becomes one that ends where
// the row does, with zeros for what the superblock before has.
void quantize_row(const Matrix& x, Index v, QuantizeActivations quantize, const std::uint8_t* order,
                  bool overlapping, ActivationBlock* to) {
  constexpr Index kSuperblock = ActivationBlock::kNumbers;
  const Index rest = x.columns % kSuperblock, whole = x.columns - rest;
  const bool in_place = x.dtype == DType::Float32 && x.runs_along();
  if (in_place) quantize(whole, reinterpret_cast<const float*>(x.at(v, 0)), order, to);
  float floats[kSuperblock];
  for (Index j = 0; j < whole && !in_place; j += kSuperblock) {
    to_floats(x, v, j, kSuperblock, floats);
    quantize(kSuperblock, floats, order, to + j / kSuperblock);
  }
  if (rest == 0) return;
  const Index before = overlapping && whole > 0 ? kSuperblock - rest : 0;
  std::fill_n(floats, before, 0.0f);
  to_floats(x, v, whole, rest, floats + before);
  quantize(before + rest, floats, order, to + whole / kSuperblock);
}

}  // namespace

IterationSpace QuantizedProduct::axes() const {
  const BlockFormat& format = format_of(a.kind);
  IterationSpace axes(3);
  const Index rows[] = {out.row_step(), x.row_step(), 0};
  const Index columns[] = {out.column_step(), 0, a.row};
  const Index blocks[] = {0, scaled(x.column, format.numbers * x.item(), 1), format.bytes};
  axes.add_axis(x.rows, places == nullptr ? Role::Row : Role::Pick, rows);
  axes.add_axis(a.rows, Role::Column, columns);
  axes.add_axis(a.blocks_per_row(), Role::Inner, blocks);
  axes.picked = places;
  return axes;
}

bool QuantizedProduct::uses_tiles(Index vectors) const {
  return vectors > kFewVectors && loops().quantized.of(a.kind).tile != nullptr;
}

// Not worth a second thread.
bool QuantizedProduct::is_small(Index vectors) const {
  return !uses_tiles(vectors) && std::max<Index>(1, a.bytes_per_row()) * a.rows * vectors < kSmallBytes;
}

Index QuantizedProduct::rows_per_chunk(Index vectors) const {
  if (exact) {
    const Index most = kPanelNumbers / std::max<Index>(a.columns, 1);
    return std::min(a.rows, std::clamp<Index>(most, kGrain, kPanelRows));
  }
  if (uses_tiles(vectors)) return kTileRows;
  return std::min(kMostRows, round_up(ceil_div(kChunkBytes, std::max<Index>(1, a.bytes_per_row())), kGrain));
}

void QuantizedProduct::run() const {
  if (x.rows == 0 || a.rows == 0) return;
  const IterationSpace axes = this->axes();
  const Index vectors = std::min(kMostVectors, x.rows);
  const RecordScope scope([&] {
    PlanRecord record("quantized product", axes);
    const char* const how = exact                 ? ", dequantised to float32, "
                            : uses_tiles(vectors) ? ", tiles of bytes, "
                                                  : ", dot products of bytes, ";
    record.tiles = std::string(format_of(a.kind).name) + how + std::to_string(rows_per_chunk(vectors)) +
                   " rows of the matrix and " + std::to_string(vectors) + " vectors at a time";
    record.loops = inner_loops(vectors);
    record.chunks = exact || is_small(vectors) ? 1 : ceil_div(a.rows, rows_per_chunk(vectors));
    return record;
  });
  if (exact) return run_panels(axes);
  for (Index first = 0; first < x.rows; first += kMostVectors) {
    run_whole(axes, first, std::min(kMostVectors, x.rows - first));
  }
}

std::vector<std::string> QuantizedProduct::inner_loops(Index vectors) const {
  const QuantizedLoops::Kind& kind = loops().quantized.of(a.kind);
  const Loop round = convert::loop_between(DType::Float32, out.dtype);
  if (exact) {
    return {loop_name(kind.to_float32), plain_loop("kernels/matmul/product_plan.cpp", "run"), loop_name(round)};
  }
  const std::string quantize = loop_name(quantize_loop());
  if (!uses_tiles(vectors)) return {quantize, loop_name(kind.product), loop_name(round)};
  return {quantize, loop_name(kind.prepare), loop_name(kind.tile), loop_name(round)};
}

// Numbers of a block share a scale, so those of the activations do.
QuantizeActivations QuantizedProduct::quantize_loop() const {
  const QuantizedLoops& table = loops().quantized;
  return format_of(a.kind).numbers == 256 ? table.by_256 : table.by_32;
}

// Vectors [first, first + vectors), as whole numbers.
void QuantizedProduct::run_whole(const IterationSpace& axes, Index first, Index vectors) const {
  const QuantizedLoops::Kind& kind = loops().quantized.of(a.kind);
  const bool tiles = uses_tiles(vectors);
  const Index superblocks = superblocks_of(a.columns);
  Scratch scratch;
  auto* const activations = scratch.take<ActivationBlock>(superblocks * vectors);
  const QuantizeActivations quantize = quantize_loop();
  run_chunks(static_cast<int>(vectors), [&](int v) {
    quantize_row(x, first + v, quantize, tiles ? kInOrder : kind.order, !tiles, activations + v * superblocks);
    if (tiles) kind.prepare(superblocks, activations + v * superblocks);
  });
  if (tiles) run_tiles(axes, activations, first, vectors);
  else run_rows(axes, activations, first, vectors);
}

// Every chunk has rows of its own.
void QuantizedProduct::run_rows(const IterationSpace& axes, const ActivationBlock* activations, Index first,
                                Index vectors) const {
  const QuantizedRows product = loops().quantized.of(a.kind).product;
  const Index height = rows_per_chunk(vectors);
  const auto run_chunk = [&](Index chunk) {
    check_interrupt();
    const Index begin = chunk * height, rows = std::min(height, a.rows - begin);
    Scratch scratch;
    auto* const sums = scratch.take<float>(height * (vectors + 1));
    product({rows, a.blocks_per_row(), a.at(begin), a.row, vectors, activations, superblocks_of(a.columns), sums,
             height});
    store(axes, sums, height, begin, rows, first, vectors, sums + height * vectors);
  };
  const Index chunks = ceil_div(a.rows, height);
  if (is_small(vectors)) {
    for (Index chunk = 0; chunk < chunks; ++chunk) run_chunk(chunk);
  } else {
    run_neighbours(chunks, run_chunk);
  }
}

void QuantizedProduct::run_tiles(const IterationSpace& axes, const ActivationBlock* activations, Index first,
                                 Index vectors) const {
  const QuantizedTile tile = loops().quantized.of(a.kind).tile;
  const Index superblocks = superblocks_of(a.columns), panel = superblocks * QuantizedTileWork::kSuperblockBytes;
  const Index bytes = panel + (vectors + 1) * kTileRows * 4;
  run_chunks(static_cast<int>(ceil_div(a.rows, kTileRows)), [&](int chunk) {
    Scratch scratch;
    auto* const memory = scratch.take<std::byte>(bytes);
    auto* const sums = reinterpret_cast<float*>(memory + panel);
    const Index begin = chunk * kTileRows, rows = std::min(kTileRows, a.rows - begin);
    for (Index i = 0; i < rows; i += QuantizedTileWork::kRows) {
      const Index height = std::min(QuantizedTileWork::kRows, rows - i);
      tile({height, a.blocks_per_row(), a.at(begin + i), a.row, vectors, activations, superblocks, memory, sums + i,
            kTileRows});
    }
    store(axes, sums, kTileRows, begin, rows, first, vectors, sums + vectors * kTileRows);
  });
}

// Some rows at a time become numbers, for the ordinary product.
void QuantizedProduct::run_panels(const IterationSpace& axes) const {
  const Index k = a.columns, vectors = std::min(x.rows, kMostVectors), height = rows_per_chunk(vectors);
  Scratch scratch;
  auto* const numbers = scratch.take<std::byte>(height * k * 4);
  auto* const sums = scratch.take<float>(vectors * height);
  for (Index begin = 0; begin < a.rows; begin += height) {
    const Index rows = std::min(height, a.rows - begin);
    dequantize({numbers, DType::Float32, rows, k, k, 1}, {a.at(begin), a.kind, rows, k, a.row});
    for (Index first = 0; first < x.rows; first += vectors) {
      const Index count = std::min(vectors, x.rows - first);
      const Index out_shape[] = {count, rows}, x_shape[] = {count, k}, a_shape[] = {k, rows};
      const Index out_strides[] = {rows, 1}, x_strides[] = {x.row, x.column}, a_strides[] = {1, k};
      const Layout to(out_shape, out_strides, 0), from(x_shape, x_strides, 0), by(a_shape, a_strides, 0);
      matmul::matmul({reinterpret_cast<std::byte*>(sums), &to, DType::Float32}, {x.at(first, 0), &from, x.dtype},
             {numbers, &by, DType::Float32}, DType::Float32);
      alignas(64) float memory[kPanelRows];
      store(axes, sums, rows, begin, rows, first, count, memory);
    }
  }
}

// Rows [begin, begin + rows) of the result for vectors [first, first + vectors): the bias is added, then
// they are rounded to the dtype of the result. `memory` holds `rows` floats.
void QuantizedProduct::store(const IterationSpace& axes, float* sums, Index sums_row, Index begin, Index rows,
                             Index first, Index vectors, float* memory) const {
  if (bias.data != nullptr) to_floats(bias, 0, begin, rows, memory);
  for (Index v = 0; v < vectors; ++v) {
    float* const own = sums + v * sums_row;
    if (bias.data != nullptr) for (Index i = 0; i < rows; ++i) own[i] += memory[i];
    const Index row = axes.picked == nullptr ? first + v : axes.picked[first + v];
    convert::elements(DType::Float32, reinterpret_cast<std::byte*>(own), 4, out.dtype, out.at(row, begin),
                      axes.strides[0][1], rows);
  }
}

}  // namespace strided::kernels::quantized
