#include "complex_matvec.hpp"

#include <algorithm>
#include <complex>

#include "dtype/element.hpp"
#include "kernels/convert/packed.hpp"
#include "kernels/loop_table.hpp"
#include "plan/record.hpp"
#include "run/arena.hpp"
#include "run/interrupt.hpp"

namespace strided::kernels::matmul {
namespace {

// Steps, or rows, of which there are real vectors in memory: 256 KiB of float32. Fixed: it decides the bits.
constexpr Index kSteps = 1 << 14;

// Stores a number of another dtype; `adds` it to what is there.
template <class T>
void put(const Matrix& y, Index i, std::complex<T> value, bool adds) {
  visit(y.dtype, [&]<class Out>(Type<Out>) {
    if constexpr (requires { typename Out::value_type; }) {
      using Real = typename Out::value_type;
      Out number{static_cast<Real>(value.real()), static_cast<Real>(value.imag())};
      if (adds) number += load<Out>(y.at(0, i));
      store(y.at(0, i), number);
    }
  });
}

}  // namespace

bool ComplexMatvec::takes(const Matrix& a, Index vectors, DType compute) {
  return vectors == 1 && a.dtype == compute && (a.runs_along() || a.row == 1);
}

void ComplexMatvec::run(std::byte* y, const std::byte* a, const std::byte* x) {
  y_.data = y;
  a_.data = const_cast<std::byte*>(a);
  x_.data = const_cast<std::byte*>(x);
  if (compute_ == DType::Complex64) run_as<float>();
  else run_as<double>();
}

Matrix ComplexMatvec::real_matrix(Index i, Index rows, Index p, Index k) const {
  const DType part = real_dtype(compute_);
  if (a_.runs_along()) return {a_.at(i, p), part, rows, 2 * k, 2 * a_.row, 1};
  return {a_.at(i, p), part, 2 * rows, k, 1, 2 * a_.column};
}

std::string ComplexMatvec::text() const {
  return std::string("a complex vector by a matrix read once, as a real one with twice the ") +
         (a_.runs_along() ? "columns" : "rows");
}

Index ComplexMatvec::chunks() const { return real_product().chunks(); }

std::vector<std::string> ComplexMatvec::inner_loops() const {
  std::vector<std::string> names = real_product().inner_loops();
  names.push_back(plain_loop("kernels/matmul/complex_matvec.cpp", a_.runs_along() ? "add_along" : "add_down"));
  return names;
}

Matvec ComplexMatvec::real_product() const {
  const bool along = a_.runs_along();
  const Matrix a = real_matrix(0, std::min(a_.rows, kSteps), 0, along ? std::min(a_.columns, kSteps) : a_.columns);
  const Matrix y{nullptr, a.dtype, 2, a.rows, a.rows, 1}, x{nullptr, a.dtype, 2, a.columns, a.columns, 1};
  return Matvec(y, a, x, a.dtype, threads_);
}

template <class T>
void ComplexMatvec::run_as() {
  if (a_.runs_along()) {
    for (Index p = 0; p < a_.columns; p += kSteps) add_along<T>(p, std::min(kSteps, a_.columns - p));
  } else {
    for (Index i = 0; i < a_.rows; i += kSteps) add_down<T>(i, std::min(kSteps, a_.rows - i));
  }
}

template <class T>
void ComplexMatvec::add_along(Index p, Index k) const {
  Scratch scratch;
  T* const swapped = scratch.take<T>(4 * k + 2 * std::min(a_.rows, kSteps));
  T* const straight = swapped + 2 * k;
  T* const sums = straight + 2 * k;
  // (im, re): the vector itself, with its parts swapped.
  convert::elements(x_.dtype, x_.at(0, p), x_.column_step(), compute_, reinterpret_cast<std::byte*>(swapped),
                    2 * static_cast<Index>(sizeof(T)), k);
  for (Index i = 0; i < 2 * k; i += 2) {
    straight[i] = swapped[i];
    straight[i + 1] = -swapped[i + 1];
    std::swap(swapped[i], swapped[i + 1]);
  }
  const DType part = real_dtype(compute_);
  // The straight vector gives the first row, the swapped one the second.
  const Matrix x{reinterpret_cast<std::byte*>(straight), part, 2, 2 * k, -2 * k, 1};
  for (Index i = 0; i < a_.rows; i += kSteps) {
    if (i + p > 0) check_interrupt();
    const Index rows = std::min(kSteps, a_.rows - i);
    const Matrix a = real_matrix(i, rows, p, k);
    const Matrix y{reinterpret_cast<std::byte*>(sums), part, 2, rows, rows, 1};
    Matvec(y, a, x, part, threads_).run(y.data, a.data, x.data);
    for (Index j = 0; j < rows; ++j) put<T>(y_, i + j, {sums[j], sums[rows + j]}, p > 0);
  }
}

template <class T>
void ComplexMatvec::add_down(Index i, Index rows) const {
  if (i > 0) check_interrupt();
  Scratch scratch;
  T* const sums = scratch.take<T>(4 * rows);
  const DType part = real_dtype(compute_);
  const Matrix a = real_matrix(i, rows, 0, a_.columns);
  const Matrix y{reinterpret_cast<std::byte*>(sums), part, 2, 2 * rows, 2 * rows, 1};
  const Matrix parts = x_.plane(0);
  // A real vector has no imaginary parts: its products are zero.
  const bool real = x_.planes() == 1;
  if (real) std::fill_n(sums + 2 * rows, 2 * rows, T{0});
  const Matrix x{x_.data, parts.dtype, real ? 1 : 2, a_.columns, 1, parts.column};
  const Matrix target{y.data, part, real ? 1 : 2, 2 * rows, 2 * rows, 1};
  Matvec(target, a, x, part, threads_).run(target.data, a.data, x.data);
  const T *const u = sums, *const v = sums + 2 * rows;
  for (Index j = 0; j < rows; ++j) {
    put<T>(y_, i + j, {u[2 * j] - v[2 * j + 1], u[2 * j + 1] + v[2 * j]}, false);
  }
}

}  // namespace strided::kernels::matmul
