// The variance, in one sweep over memory and without the difference of large sums: every step keeps the
// mean and the sum of squared distances from it.
#include <complex>
#include <limits>

#include "reduce.hpp"
#include "reduce_walks.hpp"

namespace strided {
namespace {

using Complex = std::complex<double>;

inline double dot(double a, double b) { return a * b; }
inline double dot(Complex a, Complex b) { return a.real() * b.real() + a.imag() * b.imag(); }

template <class T>
struct Add {
  using Element = T;
  using Part = T;
  static constexpr Index kLanes = 64 / sizeof(Part);
  Part none() const { return Part(0); }
  Part take(Part part, T x) const { return part + x; }
  Part join(Part a, Part b) const { return a + b; }
};

template <class T>
struct AddSquares {
  using Element = T;
  using Part = double;
  static constexpr Index kLanes = 64 / sizeof(Part);
  T mean;
  Part none() const { return 0; }
  Part take(Part part, T x) const { return part + dot(x - mean, x - mean); }
  Part join(Part a, Part b) const { return a + b; }
};

// Blocks, each in two passes while it is in the cache, are joined by the pairwise rule of T. Chan,
// G. Golub and R. LeVeque, "Updating formulae and a pairwise algorithm for computing sample variances".
template <class T>
double squares_along_runs(BlockReader& reader, const Plan& swept, std::byte* in) {
  double count = 0;
  T mean = 0;
  double squares = 0;
  const Index length = swept.inner_length();
  const Index stride = swept.inner_stride(0);
  for_each_row(swept, &in, [&](std::byte* const* row) {
    for (Index first = 0; first < length; first += kBlock) {
      const Index n = std::min(kBlock, length - first);
      const std::byte* block = reader.read(row[0] + first * stride, stride, n);
      const double more = static_cast<double>(n);
      const T block_mean = take_run(Add<T>(), block, n) / more;
      const T gap = block_mean - mean;
      squares += take_run(AddSquares<T>{block_mean}, block, n);
      squares += dot(gap, gap) * (count * more / (count + more));
      mean += gap * (more / (count + more));
      count += more;
    }
  });
  return squares;
}

// One more element, the count-th, for each of n results. B. Welford, "Note on a method for calculating
// corrected sums of squares and products".
template <class T>
void take_row(const std::byte* __restrict row, double count, Index n, T* __restrict mean,
              double* __restrict squares) {
  const double share = 1 / count;
  for (Index c = 0; c < n; ++c) {
    const T x = element<T>(row, c);
    const T gap = x - mean[c];
    mean[c] += gap * share;
    squares[c] += dot(gap, x - mean[c]);
  }
}

// n <= kBlock results side by side, `stride` bytes apart in the input.
template <class T>
void squares_side_by_side(BlockReader& reader, const Plan& swept, std::byte* in, Index stride,
                          Index n, double* squares) {
  T mean[kBlock];
  std::fill_n(mean, n, T(0));
  std::fill_n(squares, n, 0.0);
  double count = 0;
  for_each_row(swept, &in, [&](std::byte* const* first) {
    for (Index i = 0; i < swept.inner_length(); ++i) {
      const std::byte* row = reader.read(first[0] + i * swept.inner_stride(0), stride, n);
      take_row(row, ++count, n, mean, squares);
    }
  });
}

template <class T>
void variance_in(DType compute, const Operand& out, const Operand& in, double correction) {
  const ReducedAxes axes = split_axes(out, in);
  const double divisor = std::max(0.0, static_cast<double>(axes.count) - correction);
  BlockReader reader(in.dtype, compute);
  const Index stride = axes.kept.inner_stride(0);
  for_each_block(axes, kBlock, out, in, [&](Index n, std::byte* from, std::byte* to) {
    double squares[kBlock];
    if (axes.along_runs) {
      for (Index c = 0; c < n; ++c) {
        squares[c] = squares_along_runs<T>(reader, axes.swept, from + c * stride);
      }
    } else {
      squares_side_by_side<T>(reader, axes.swept, from, stride, n, squares);
    }
    for (Index c = 0; c < n; ++c) squares[c] /= divisor;
    write_results(n, to, axes, out, squares, DType::Float64);
  });
}

}  // namespace

void variance(const Operand& out, const Operand& in, double correction) {
  if (out.layout->size() == 0) return;
  if (is_complex(in.dtype)) variance_in<Complex>(DType::Complex128, out, in, correction);
  else variance_in<double>(DType::Float64, out, in, correction);
}

}  // namespace strided
