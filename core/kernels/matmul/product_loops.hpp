// The innermost loops of matrix products, one set per instruction set and accumulate dtype.
//
// The accumulate dtype is the one in which a product is added up. Narrow operands are widened on the way into the
// loops: half types and bool become float32, 8-bit integers 16 bits. Integers wrap, so one unsigned
// dtype serves both signs. Complex numbers are multiplied as planes of real and imaginary parts. Places
// may have any alignment; strides are in bytes and have either sign.
#pragma once

#include <cstddef>
#include <cstdint>

#include "dtype/dtype.hpp"
#include "layout/dims.hpp"

namespace strided::kernels::matmul {

// What happens to the numbers that a tile of the result already holds.
enum class Update : std::uint8_t { Set, Add, Subtract };

// c[i][j] = (or +=, -=) the sum over p < k of a[i][p] * b[p][j], for i < rows and j < columns. Rows of
// b and c are contiguous. `a` must have all rows of the tile, of which only `rows` are stored; rows
// of `b` must have whole vectors, unless the tiles are `exact`.
struct TileWork {
  Index k;
  const std::byte* a;
  Index a_row, a_step;
  const std::byte* b;
  Index b_step;
  std::byte* c;
  Index c_row;
  Index rows, columns;
  Update update;
  // Of tiles whose left operand is listed, in place of a_row and a_step: a[i][p] lies row_places[i] + step_places[p]
  // bytes behind `a`, for as many rows as the loop has. Windows of images are read like that.
  const Index* row_places = nullptr;
  const Index* step_places = nullptr;
};
using Tile = void (*)(const TileWork& work);

// Brings `rows` vectors of k elements into a panel: to[p * width + i] = from[i][p]. Up to a
// whole vector (or tile) the panel is filled with zeros.
struct PackWork {
  Index rows, k;
  const std::byte* from;
  Index row, step;
  std::byte* to;
};
using Pack = void (*)(const PackWork& work);

// The same for rows and steps whose places, in bytes, are listed. Nothing is filled up.
struct ScatteredWork {
  Index rows, k;
  const std::byte* from;
  const Index* row_places;
  const Index* step_places;
  std::byte* to;
};
using PackScattered = void (*)(const ScatteredWork& work);

// y[v][i] += the sum over p < k of a[i][p] * x[v][p]. Vectors have the accumulate dtype, each is contiguous.
struct MatvecWork {
  Index rows, k;
  const std::byte* a;
  Index a_row, a_step;
  Index vectors;
  const std::byte* x;
  Index x_row;
  std::byte* y;
  Index y_row;
};
using MatvecLoop = void (*)(const MatvecWork& work);

struct ProductLoops {
  // As many as any level has: vectors, and heights of 1, 2, 4 and 8 rows.
  static constexpr int kWidest = 3, kHighest = 4;
  using TileSizes = Tile[kHighest][kWidest];  // [log2 of the rows][vectors - 1]
  struct Tiles {
    Index rows;     // of the highest tile, a power of two
    Index vector;   // columns of the narrowest tile
    Index vectors;  // that the widest has
    bool exact;     // reads and writes no more columns than it is told
    TileSizes tile;
  };
  Tiles tiles[kDTypeCount];  // by accumulate dtype
  TileSizes listed[2];       // those whose left operand is listed; float32, float64
  struct Packs {
    Pack down;   // neighbouring rows are contiguous
    Pack along;  // the k elements of a row do
    static constexpr const char* kNames[] = {"down", "along"};  // for plans, in order
  };
  // By the dtype of the operand, and which of its planes; null where it has no loops of its own.
  Packs narrow[kDTypeCount][2];  // for panels as wide as a tile has rows
  Packs wide[kDTypeCount][2];    // for panels as wide as the widest tile
  // By accumulate dtype, for operands of it; null where there is none.
  PackScattered narrow_scattered[kDTypeCount], wide_scattered[kDTypeCount];
  MatvecLoop along[kDTypeCount];  // the elements of a row of the matrix are contiguous
  MatvecLoop down[kDTypeCount];   // those of a column do
  // Where the processor multiplies pairs of bfloat16, two steps of k at a time; otherwise null. Panels
  // are of pairs; PackWork still counts steps.
  Tiles pairs;
  Pack pairs_narrow_down, pairs_wide_down;

  bool has_pairs() const { return pairs.tile[0][0] != nullptr; }
  // Null for accumulate dtypes other than float32 and float64.
  const TileSizes* listed_tiles(DType accumulate) const {
    if (accumulate != DType::Float32 && accumulate != DType::Float64) return nullptr;
    return &listed[accumulate == DType::Float64];
  }
};

// The accumulate dtype of products that are computed in `dtype`.
constexpr DType accumulate_dtype(DType dtype) {
  switch (dtype) {
    case DType::Int8: case DType::UInt8: case DType::Int16: case DType::UInt16: return DType::UInt16;
    case DType::Int32: case DType::UInt32: return DType::UInt32;
    case DType::Int64: case DType::UInt64: return DType::UInt64;
    case DType::Float64: case DType::Complex128: return DType::Float64;
    default: return DType::Float32;
  }
}

}  // namespace strided::kernels::matmul
