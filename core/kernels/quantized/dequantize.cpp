#include <algorithm>

#include "kernels/convert/packed.hpp"
#include "kernels/loop_names.hpp"
#include "kernels/loop_table.hpp"
#include "layout/bounds.hpp"
#include "plan/record.hpp"
#include "plan/sizes.hpp"
#include "plan/split.hpp"
#include "plan/walk.hpp"
#include "quantized_product.hpp"
#include "run/machine.hpp"

namespace strided::kernels::quantized {
namespace {

// Numbers that pass through 8 KiB of the stack when the result is no contiguous row: whole blocks of every kind.
constexpr Index kAtOnce = 2048;

Dequantize straight_to(const QuantizedLoops::Kind& loops, DType dtype) {
  switch (dtype) {
    case DType::Float32: return loops.to_float32;
    case DType::BFloat16: return loops.to_bfloat16;
    case DType::Float16: return loops.to_float16;
    default: return nullptr;
  }
}

}  // namespace

void dequantize(const Matrix& to, const BlockMatrix& from, const Index* index) {
  if (to.rows == 0 || to.columns == 0) return;
  const auto& kind = loops().quantized.of(from.kind);
  const BlockFormat& format = format_of(from.kind);
  const Dequantize straight = to.runs_along() ? straight_to(kind, to.dtype) : nullptr;
  const Loop cast = convert::loop_between(DType::Float32, to.dtype);
  // Rows and blocks, read from operand 0, written to operand 1.
  const Index rows[] = {from.row, to.row_step()};
  const Index blocks[] = {format.bytes, scaled(to.column, format.numbers * to.item(), 1)};
  IterationSpace space(2);
  space.add_axis(to.rows, index == nullptr ? Role::Map : Role::Pick, rows);
  space.add_axis(from.blocks_per_row(), Role::Map, blocks);
  space.picked = index;
  std::byte* const storage[] = {const_cast<std::byte*>(from.data), to.data};
  const Index most = std::max<Index>(1, machine().bytes_per_chunk / std::max<Index>(1, to.columns * to.item()));
  const Index chunks = ceil_div(to.rows, most);
  const RecordScope scope([&] {
    PlanRecord record("dequantize", space, {loop_name(straight != nullptr ? straight : kind.to_float32)}, chunks,
                      std::string(format.name) + (straight != nullptr ? ", whole rows" : ", converted from float32"));
    if (straight == nullptr) record.loops.push_back(loop_name(cast));
    return record;
  });
  run_range_in_chunks(to.rows, static_cast<int>(chunks), [&](Index begin, Index end) {
    for_each_position(space, storage, 1, begin, end, [&](std::byte* const* places) {
      if (straight != nullptr) return straight(from.blocks_per_row(), places[0], places[1]);
      for (Index j = 0; j < to.columns; j += kAtOnce) {
        alignas(64) std::byte floats[kAtOnce * 4];
        const Index count = std::min(kAtOnce, to.columns - j);
        kind.to_float32(count / format.numbers, places[0] + j / format.numbers * format.bytes, floats);
        convert::elements(DType::Float32, floats, 4, to.dtype, places[1] + j * to.column * to.item(), to.column_step(),
                          count);
      }
    });
  });
}

}  // namespace strided::kernels::quantized
