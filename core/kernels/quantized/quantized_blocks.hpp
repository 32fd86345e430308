// Formats of quantised blocks: rows of blocks, each of a few dozen small integers q with what makes numbers of
// them. These are the formats of ggml, as GGUF files store them (github.com/ggml-org/ggml).
//
// | kind | numbers | bytes of a block, in order                        | a number           |
// |------|---------|---------------------------------------------------|--------------------|
// | Q4_0 | 32      | half d; 16 of nibbles                             | d (q - 8)          |
// | Q4_1 | 32      | half d, m; 16 of nibbles                          | d q + m            |
// | Q5_0 | 32      | half d; 4 of fifth bits; 16 of nibbles            | d (q - 16)         |
// | Q5_1 | 32      | half d, m; 4 of fifth bits; 16 of nibbles         | d q + m            |
// | Q8_0 | 32      | half d; 32 of int8                                | d q                |
// | Q4_K | 256     | half d, e; 12 of 6-bit s, t; 128 of nibbles       | d s q - e t        |
// | Q5_K | 256     | half d, e; 12 of s, t; 32 of fifth bits; 128      | d s q - e t        |
// | Q6_K | 256     | 128 of nibbles; 64 of upper bits; 16 int8 s; half d | d s (q - 32)     |
//
// In a block of 32 the lower nibbles are the first 16 numbers, the upper ones the rest; in Q4_K and Q5_K
// this holds for 32 bytes and 64 numbers. s and t belong to 32 numbers each, in Q6_K to 16.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

#include "layout/dims.hpp"

namespace strided::kernels::quantized {

enum class BlockKind : std::uint8_t { Q4_0, Q4_1, Q5_0, Q5_1, Q8_0, Q4_K, Q5_K, Q6_K };
inline constexpr int kBlockKindCount = 8;

struct BlockFormat {
  std::string_view name;
  Index numbers;  // in a block
  Index bytes;
};

inline constexpr BlockFormat kBlockFormats[kBlockKindCount] = {
    {"Q4_0", 32, 18}, {"Q4_1", 32, 20}, {"Q5_0", 32, 22},    {"Q5_1", 32, 24},
    {"Q8_0", 32, 34}, {"Q4_K", 256, 144}, {"Q5_K", 256, 176}, {"Q6_K", 256, 210},
};

// Calls visit.operator()<kind>() for every kind.
template <class Visit>
void for_each_kind(Visit&& visit) {
  [&]<std::size_t... kind>(std::index_sequence<kind...>) {
    (visit.template operator()<static_cast<BlockKind>(kind)>(), ...);
  }(std::make_index_sequence<kBlockKindCount>{});
}

constexpr const BlockFormat& format_of(BlockKind kind) { return kBlockFormats[static_cast<int>(kind)]; }

// Rows of whole blocks, anywhere; `row` is the distance between them in bytes, of either sign or zero.
struct BlockMatrix {
  const std::byte* data;
  BlockKind kind;
  Index rows, columns;
  Index row;

  Index blocks_per_row() const { return columns / format_of(kind).numbers; }
  Index bytes_per_row() const { return blocks_per_row() * format_of(kind).bytes; }
  const std::byte* at(Index i) const { return data + i * row; }
};

}  // namespace strided::kernels::quantized
