#include <algorithm>

#include "kernels/loop_table.hpp"
#include "quantized_product.hpp"
#include "run/pool.hpp"

namespace strided {
namespace {

constexpr Index kAtOnce = 2048;  // that pass through memory on the stack when the result is no plain row
constexpr Index kPieceBytes = 128 << 10;

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
  const Loop cast = loops().cast[static_cast<int>(DType::Float32)][static_cast<int>(to.dtype)];
  const Index share = std::max<Index>(1, kPieceBytes / std::max<Index>(1, to.columns * to.item()));
  const auto run = [&](int piece) {
    for (Index i = piece * share; i < std::min(to.rows, (piece + 1) * share); ++i) {
      const std::byte* const blocks = from.at(index == nullptr ? i : index[i]);
      if (straight != nullptr) {
        straight(from.blocks_per_row(), blocks, to.at(i, 0));
        continue;
      }
      for (Index j = 0; j < to.columns; j += kAtOnce) {
        alignas(64) std::byte floats[kAtOnce * 4];
        const Index count = std::min(kAtOnce, to.columns - j);
        kind.to_float32(count / format.numbers, blocks + j / format.numbers * format.bytes, floats);
        std::byte* const places[] = {to.at(i, j), floats};
        const Index steps[] = {to.column_step(), 4};
        cast(count, places, steps);
      }
    }
  };
  run_pieces(static_cast<int>((to.rows + share - 1) / share), run);
}

}  // namespace strided
