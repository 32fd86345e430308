#include "chain.hpp"

#include "kernels/copy/copy.hpp"
#include "kernels/loop_names.hpp"
#include "plan/record.hpp"
#include "plan/split.hpp"
#include "plan/tile.hpp"
#include "row_runner.hpp"
#include "run/pool.hpp"
#include "tile_runner.hpp"

namespace strided::kernels::elementwise {
namespace {

int chunks_of(const Chain& chain, const IterationSpace& space) {
  Index bytes = 0;
  for (int k = 0; k < chain.operands; ++k) bytes += chain.itemsize[k];
  return space.rank() == 0 ? 1 : interruptible_chunks_for(static_cast<std::size_t>(space.size() * bytes));
}

// Of an operand that is copied tile by tile, or block by block.
std::string packing_loop(const Chain& chain, int k) {
  return loop_name(loops().copy.rows[copy::bit_size(chain.itemsize[k])][0]);
}

PlanRecord record_of(const Chain& chain, const IterationSpace& space, const Tiles& tiles, const RowPlan& rows,
                     const TileShape* full, int chunks) {
  PlanRecord record(std::string(chain.operation), space);
  const auto add = [&](const std::string& text) { record.tiles += (record.tiles.empty() ? "" : "; ") + text; };
  int copy = 0;
  for (int k = 0; k < chain.operands; ++k) {
    const std::string operand = "operand " + std::to_string(k);
    if (has(tiles.strided, k)) {
      add(operand + " packed in blocks");
      record.add_loop(packing_loop(chain, k));
    }
    if (!has(tiles.transposed, k)) continue;
    const CopyPlan& packing = full->copies[static_cast<std::size_t>(copy++)];
    add(operand + " transposed in tiles of " + text_of({tiles.lengths, static_cast<std::size_t>(tiles.axes)}) + " (" +
        packing.text() + ")");
    record.add_loop(copy::name_of_loop(packing));
  }
  add_loops(record, chain.steps, rows.streams);
  if (rows.block > 0) add("blocks of " + std::to_string(rows.block));
  record.chunks = chunks;
  record.streams = rows.streams;
  return record;
}

// Calls run(row runner, chunk) for every chunk of the space that is not empty.
template <class Run>
void run_chunks(const Chain& chain, const IterationSpace& space, const Tiles& tiles, const RowPlan& rows, int chunks,
                Run&& run) {
  run_chunks_along(space, tiles.chunk_axis, chunks, [&](const IterationSpace& chunk, int) {
    if (chunk.is_empty()) return;
    RowRunner runner(chain, rows, tiles.transposed != 0);
    run(runner, chunk);
    if (rows.streams) loops().copy.finish_streams();
  });
}

void run_in_rows(const Chain& chain, const IterationSpace& space, const Tiles& tiles, Index longest, int chunks,
                 std::byte* const* storage) {
  Index steps[kMaxOperands];
  for (int k = 0; k < chain.outputs; ++k) steps[k] = space.inner_stride(k);
  const bool is_cut = tiles.chunk_axis == space.rank() - 1;
  const RowPlan rows(chain, tiles, is_cut ? std::min(longest, space.inner_length()) : space.inner_length(), steps);
  const RecordScope scope([&] { return record_of(chain, space, tiles, rows, nullptr, chunks); });
  run_chunks(chain, space, tiles, rows, chunks, [&](RowRunner& runner, const IterationSpace& chunk) {
    runner.run_rows(chunk, storage);
  });
}

// Not inlined: what it holds would make the frame of small calls large.
[[gnu::noinline]] void run_in_tiles(const Chain& chain, const IterationSpace& space, const Tiles& tiles, int chunks,
                                    std::byte* const* storage) {
  const TileShape full(chain, tiles, space, tiles.lengths);
  Index steps[kMaxOperands];
  for (int k = 0; k < chain.outputs; ++k) steps[k] = full.rows.inner_stride(k);
  const RowPlan rows(chain, tiles, full.rows.inner_length(), steps);
  const RecordScope scope([&] { return record_of(chain, space, tiles, rows, &full, chunks); });
  run_chunks(chain, space, tiles, rows, chunks, [&](RowRunner& runner, const IterationSpace& chunk) {
    TileRunner(runner, chain, tiles, full, chunk, storage).run();
  });
}

}  // namespace

void add_loops(PlanRecord& record, std::span<const Step> steps, bool streams) {
  for (const Step& step : steps) {
    const bool streamed = streams && step.slot[0] == 0 && step.streamed != nullptr;
    record.add_loop(step.loop == nullptr ? loop_name(step.quick) : loop_name(streamed ? step.streamed : step.loop));
  }
}

void run_chain(const Chain& chain, IterationSpace space, std::byte* const* storage) {
  const int chunks = chunks_of(chain, space);
  TileChunks cut;
  if (chunks > 1) {
    cut.axis = split_axis(space, chunks);
    cut.longest = longest_chunk(space, cut.axis, chunks);
  }
  const Tiles tiles = make_tiles(space, {chain.operands, chain.outputs, chain.itemsize}, cut);
  if (tiles.are_rows()) run_in_rows(chain, space, tiles, cut.longest, chunks, storage);
  else run_in_tiles(chain, space, tiles, chunks, storage);
}

}  // namespace strided::kernels::elementwise
