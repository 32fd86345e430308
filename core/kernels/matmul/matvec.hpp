// A matrix times one or a few vectors: the matrix is read once, at the speed of memory, from any strides.
#pragma once

#include <string>
#include <vector>

#include "kernels/loop_table.hpp"
#include "plan/matrix.hpp"

namespace strided::kernels::matmul {

class Matvec {
 public:
  // More vectors than this go through panels. Fixed: the kernel decides the bits.
  static constexpr Index kMostVectors = 8;

  // Row v of y is a @ (row v of x), computed in `compute`, which is not complex. y overlaps neither a
  // nor x, and k is not 0. All on the caller unless `threads`.
  Matvec(const Matrix& y, const Matrix& a, const Matrix& x, DType compute, bool threads);

  // For matrices of the same shapes and strides that begin at these places. Raises OutOfMemory.
  void run(std::byte* y, const std::byte* a, const std::byte* x);

  // How the matrix is read, in words, by which loop, and in how many chunks.
  std::string text() const;
  std::vector<std::string> inner_loops() const;
  Index chunks() const;

 private:
  enum class Form { Along, Down, ConvertRows, ConvertColumns };

  void flip_negative_strides();
  bool splits_steps() const;
  bool is_small() const;
  void split_rows() const;
  void split_steps() const;
  Index steps_of_block() const;
  void add(std::byte* sums, Index begin, Index rows, Index p, Index k, std::byte* memory) const;
  void add_rows(const MatvecWork& whole, Index begin, Index p, std::byte* converted) const;
  void add_columns(const MatvecWork& whole, Index begin, Index p, std::byte* converted) const;
  void store(const std::byte* sums, Index begin, Index rows) const;
  Index work_bytes() const;

  Matrix y_, a_, x_;
  Index y_shift_ = 0, a_shift_ = 0, x_shift_ = 0;  // bytes from where the caller's matrices begin
  const DType accumulate_;
  const Index size_;  // of an accumulated element
  const Index chunks_;  // of rows or steps, at most
  bool x_in_place_;
  Form form_;
  MatvecLoop along_, down_;
};

}  // namespace strided::kernels::matmul
