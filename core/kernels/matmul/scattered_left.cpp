#include "scattered_left.hpp"

#include <string_view>

#include "kernels/dispatch.hpp"

namespace strided {
namespace {

struct Table {
  ListedTiles tiles[2];  // float32, float64
};

Table make_table() {
  Table table{};
  baseline::fill_listed_tiles(table.tiles);
#if defined(STRIDED_HAS_X86_ISAS)
  const std::string_view isa = active_isa();
  if (isa == "avx2") avx2::fill_listed_tiles(table.tiles);
  if (isa == "avx512") avx512::fill_listed_tiles(table.tiles);
#endif
  return table;
}

}  // namespace

const ListedTiles* listed_tiles(DType lane) {
  static const Table table = make_table();
  if (lane != DType::Float32 && lane != DType::Float64) return nullptr;
  return &table.tiles[lane == DType::Float64];
}

}  // namespace strided
