// The product of two matrices, in panels that fit the caches, from any strides and into any strides.
//
// The result is cut into blocks, k into steps. For each step the panels of b are packed once, and
// threads share the rows: each packs its panels of a and runs the tiles. Operands that are small, or
// read only once or twice, are not packed but read where they lie. A result that the tiles cannot write
// (another dtype, complex, no axis side by side) is added up in a buffer and converted block by block.
#pragma once

#include "panels.hpp"
#include "run/product_room.hpp"
#include "run/arena.hpp"

namespace strided {

class Gemm {
 public:
  // c = a @ b (with `adds` c += a @ b, for c of the lane's dtype whose rows or columns lie side by side),
  // computed in `compute`. c overlaps neither a nor b, and k is not 0. What is said about scattered
  // operands outlives this; of b it is said transposed, columns as rows.
  Gemm(const Matrix& c, const Matrix& a, const Matrix& b, DType compute, const ProductRoom& room,
       const Scattered* of_a = nullptr, const Scattered* of_b = nullptr, bool adds = false);

  // For matrices of the same shapes and strides that begin at these places. Raises OutOfMemory.
  void run(std::byte* c, const std::byte* a, const std::byte* b);

 private:
  struct Range {
    Index begin, length;
  };
  struct Term;

  void choose_blocks(Index room);
  void run_block();
  void pack_right(Scratch& scratch);
  void multiply();
  void multiply_piece(Range rows, Range panels);
  // `left`: packed rows, or the places of rows and steps, or null where rows are read in place.
  void multiply_planes(const Term& term, Range rows, Range panels, std::byte* left);
  void convert_result();

  Index left_bytes(Index rows) const { return left_[0].nbytes(rows, steps_.length); }
  Index right_bytes() const { return right_[0].nbytes(columns_.length, steps_.length); }
  bool right_in_place(Index panel) const {
    return b_in_place_ && right_[0].in_place(panel, columns_.length);
  }
  int pieces_of(double multiplications) const;

  const DType lane_;
  const Index size_;   // of a lane
  const bool pairs_;   // bfloat16, two steps at a time
  const bool turned_;  // the transposed product is computed: its result or its left operand lies better
  Matrix c_, a_, b_;   // rows of b are columns of the product
  const ProductLoops::Tiles& tiles_;
  const int threads_;
  Panels left_[2], right_[2];  // per plane
  const int result_planes_;
  const bool buffered_;
  const bool adds_;
  bool a_in_place_, b_in_place_, all_in_place_;
  const ProductLoops::Listed* listed_;  // where the left operand is scattered and read where it lies, or null
  Index step_, height_, block_rows_, block_columns_;

  // The block at work.
  Range rows_{}, columns_{}, steps_{};
  std::byte* right_memory_ = nullptr;
  Matrix target_[2] = {};
};

}  // namespace strided
