// A complex matrix times a complex vector, as a real matrix times two real vectors.
//
// Where the numbers of a row are contiguous, the matrix is real with twice the columns:
//   the real parts of the result are its product with  (re, -im, re, -im, ...),
//   the imaginary ones with                            (im,  re, im,  re, ...).
// Where those of a column do, it is real with twice the rows: with its products u and v with the real and
// the imaginary parts of the vector, re = u[2i] - v[2i + 1] and im = u[2i + 1] + v[2i].
// So the matrix is read once, as it lies.
#pragma once

#include <string>
#include <vector>

#include "matvec.hpp"

namespace strided::kernels::matmul {

class ComplexMatvec {
 public:
  // Whether a @ (one vector) can be computed that way.
  static bool takes(const Matrix& a, Index vectors, DType compute);

  // The one row of y is a @ (the one row of x). y overlaps neither a nor x, and k is not 0.
  ComplexMatvec(const Matrix& y, const Matrix& a, const Matrix& x, DType compute, bool threads)
      : y_(y), a_(a), x_(x), compute_(compute), threads_(threads) {}

  // For matrices of the same shapes and strides that begin at these places. Raises OutOfMemory.
  void run(std::byte* y, const std::byte* a, const std::byte* x);

  // How the matrix is read, in words, by which loop, and in how many chunks.
  std::string text() const;
  std::vector<std::string> inner_loops() const;
  Index chunks() const;

 private:
  // Rows [i, i + rows) and steps [p, p + k) as a real matrix.
  Matrix real_matrix(Index i, Index rows, Index p, Index k) const;
  // The first of the real products, without data.
  Matvec real_product() const;
  template <class T>
  void run_as();
  template <class T>
  void add_along(Index p, Index k) const;
  template <class T>
  void add_down(Index i, Index rows) const;

  Matrix y_, a_, x_;
  DType compute_;
  bool threads_;
};

}  // namespace strided::kernels::matmul
