// Dequantisation of a matrix of blocks, and its products with vectors.
#pragma once

#include <string>
#include <vector>

#include "plan/axes.hpp"
#include "plan/matrix.hpp"
#include "quantized_loops.hpp"

namespace strided::kernels::quantized {

// Row i of `to` (of a float dtype, with any strides) becomes row i of `from`, or row index[i].
void dequantize(const Matrix& to, const BlockMatrix& from, const Index* index = nullptr);

// Row places[t] of `out` (row t without `places`) becomes a @ (row t of x), plus `bias`.
struct QuantizedProduct {
  // More vectors than this are worth packing rows, where there are loops for it. Fixed: the loop decides the bits.
  static constexpr Index kFewVectors = 16;

  Matrix out;  // columns: the rows of a
  Matrix x;
  BlockMatrix a;
  const Index* places;  // as many as x has rows; or null
  Matrix bias;          // one row; no data: none
  // Whole numbers are multiplied: activations are rounded to 8 bits. If exact, all is computed in float32,
  // from rows that are dequantised some at a time.
  bool exact;

  // Raises OutOfMemory.
  void run() const;

 private:
  // Operands {out, x, a}: a Row axis of x's rows (a Pick axis with `places`), a Column axis of a's rows, an Inner axis
  // of blocks.
  IterationSpace axes() const;
  bool uses_tiles(Index vectors) const;
  bool is_small(Index vectors) const;
  Index rows_per_chunk(Index vectors) const;  // of a
  std::vector<std::string> inner_loops(Index vectors) const;
  QuantizeActivations quantize_loop() const;
  void run_whole(const IterationSpace& axes, Index first, Index vectors) const;
  void run_rows(const IterationSpace& axes, const ActivationBlock* activations, Index first, Index vectors) const;
  void run_tiles(const IterationSpace& axes, const ActivationBlock* activations, Index first, Index vectors) const;
  void run_panels(const IterationSpace& axes) const;
  void store(const IterationSpace& axes, float* sums, Index sums_row, Index begin, Index rows, Index first,
             Index vectors, float* memory) const;
};

}  // namespace strided::kernels::quantized
