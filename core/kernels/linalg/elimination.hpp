// Stacks of small square matrices: systems of equations and determinants, one matrix at a time in cache.
//
// Gaussian elimination with partial pivoting (Golub and Van Loan, Matrix Computations, chapter 3): the
// steps of LAPACK's getrf and getrs, without the cost of a call for each matrix.
#pragma once

#include "plan/operand.hpp"

namespace strided::kernels::linalg {

// Up to this side a matrix is eliminated here sooner than LAPACK is called. Fixed: who eliminates decides the bits.
inline constexpr Index kSmallSide = 16;

// The last two axes are matrices of at most kSmallSide rows, the axes before them the stack, of one shape in
// all operands; dtypes are equal, of floats or complex numbers; out is row-major and overlaps neither.
// Writes what gives b when multiplied by a from the left; without b, the inverses. False when a matrix
// is singular; out is then written in part.
bool solve_small(const Operand& out, const Operand& a, const Operand* b);

// Writes determinants, or their signs and the logarithms of their absolute values; each operand written to
// is row-major, and has the shape of the stack.
void small_determinants(const Operand& out, const Operand& a);
void small_log_determinants(const Operand& sign, const Operand& logarithm, const Operand& a);

}  // namespace strided::kernels::linalg
