// The product of two matrices, in panels that fit the caches, from any strides and into any strides.
//
// The result is cut into blocks, k into steps. For each step the panels of b are packed once, and
// threads share the rows: each packs its panels of a and runs the tiles. Operands that are small, or
// read only once or twice, are not packed but read where they lie. A result that the tiles cannot write
// (another dtype, complex, no contiguous axis) is added up in a buffer and converted block by block.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "panels.hpp"
#include "run/product_limits.hpp"
#include "run/arena.hpp"

namespace strided::kernels::matmul {

// How many chunks so many multiplications are worth, at most `most`.
Index chunks_for_work(double multiplications, Index most);

class Gemm {
 public:
  // c = a @ b (with `adds` c += a @ b, for c of the accumulate dtype whose rows or columns are contiguous),
  // computed in `compute`. c overlaps neither a nor b, and k is not 0. What is said about scattered
  // operands outlives this; of b it is said transposed, columns as rows.
  Gemm(const Matrix& c, const Matrix& a, const Matrix& b, DType compute, const ProductLimits& limits,
       const ScatteredOperand* of_a = nullptr, const ScatteredOperand* of_b = nullptr, bool adds = false);

  // For matrices of the same shapes and strides that begin at these places. Raises OutOfMemory.
  void run(std::byte* c, const std::byte* a, const std::byte* b);

  // The tiles in words, the loops of the first and of what packs panels, and into how many chunks a whole block is cut.
  std::string text() const;
  std::vector<std::string> inner_loops() const;
  Index chunks() const;

 private:
  struct Range {
    Index begin, length;
  };
  struct Term;
  // A block in chunks: so many down, of so many tiles in all, and so many across, of so many panels in all.
  struct Cut {
    Index down, tiles, across, panels;
  };

  void choose_places();
  void choose_blocks(Index bytes);
  Index most_steps() const;
  void run_block();
  void pack_right(Scratch& scratch);
  void multiply();
  void multiply_chunk(Range rows, Range panels);
  Cut cut_of(Index rows, Index columns, Index steps) const;
  // `left`: packed rows, or the places of rows and steps, or null where rows are read in place.
  void multiply_planes(const Term& term, Range rows, Range panels, std::byte* left);
  void convert_result();

  const Panels& left_panels(int plane) const { return plane == 0 ? left_ : *left_imaginary_; }
  const Panels& right_panels(int plane) const { return plane == 0 ? right_ : *right_imaginary_; }
  Index left_bytes(Index rows) const { return left_.nbytes(rows, steps_.length); }
  Index right_bytes() const { return right_.nbytes(columns_.length, steps_.length); }
  // A panel of b, of a block that has so many columns.
  bool right_in_place(Index panel, Index columns) const { return b_in_place_ && right_.in_place(panel, columns); }
  Index chunks_for(double multiplications) const;
  const ProductLoops::TileSizes& tiles() const { return listed_ == nullptr ? tiles_.tile : *listed_; }

  const DType accumulate_;
  const Index size_;   // of an accumulated element
  const bool pairs_;   // bfloat16, two steps at a time
  const bool transposed_;  // the transposed product is computed: its result or its left operand lies better
  Matrix c_, a_, b_;   // rows of b are columns of the product
  const ProductLoops::Tiles& tiles_;
  const int threads_;
  Panels left_, right_;
  std::optional<Panels> left_imaginary_, right_imaginary_;  // of complex operands
  const int result_planes_;
  const bool buffered_;
  const bool adds_;
  bool a_in_place_, b_in_place_, all_in_place_;
  const ProductLoops::TileSizes* listed_;  // where the left operand is scattered and read where it lies, or null
  Index step_, height_, block_rows_, block_columns_;

  // The block at work.
  Range rows_, columns_, steps_;
  std::byte* right_memory_ = nullptr;
  Matrix target_[2];
};

}  // namespace strided::kernels::matmul
