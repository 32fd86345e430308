// Batches of dot products whose results are contiguous: elements are multiplied and added up, a block of results at a
// time.
//
// einsum("ij,ij->j") is one: the sums run down the columns, so a kernel that takes one product after the other would
// read one element of each cache line.
#pragma once

#include <string>
#include <vector>

#include "kernels/loop_table.hpp"
#include "product_space.hpp"

namespace strided::kernels::matmul {

class SummedProducts {
 public:
  // Whether a block of results at a time is the better way. Products have one row and one column.
  static bool takes(const ProductSpace& space);

  // Storage and dtype of {c, a, b}; c overlaps neither a nor b.
  SummedProducts(const ProductSpace& space, std::byte* const* storage, const DType* dtypes, DType compute);

  // Raises OutOfMemory.
  void run() const;

  const IterationSpace& axes() const { return axes_; }
  std::string text() const;
  std::vector<std::string> inner_loops() const;
  Index chunks() const { return chunks_; }

 private:
  struct Block {
    std::byte* places[3];  // of the first element
    Index length;
  };

  Loop loop_of(Op op) const;
  void run_block(const Block& block, std::byte* memory) const;
  // An operand's elements at one step, in the accumulate dtype; `memory` is used where they must be converted.
  std::byte* converted(int operand, std::byte* from, Index length, std::byte* memory, Index& step) const;

  IterationSpace axes_;  // Map axes, of which the last is the fastest, then Inner axes
  int maps_ = 0;
  std::byte* storage_[3];
  DType dtypes_[3];
  DType accumulate_;
  Index steps_;   // that are added up
  Index block_;   // results of one
  Index blocks_;  // along the fastest axis
  Index count_;   // of blocks in all
  Index chunks_;
};

}  // namespace strided::kernels::matmul
