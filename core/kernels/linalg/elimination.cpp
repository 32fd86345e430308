#include "elimination.hpp"

#include <atomic>
#include <cmath>
#include <limits>
#include <utility>

#include "kernels/elementwise/ops/complex_math.hpp"
#include "layout/bounds.hpp"
#include "plan/record.hpp"
#include "plan/walk.hpp"
#include "plan/split.hpp"

namespace strided::kernels::linalg {
namespace {

using kernels::elementwise::Complex;
using kernels::elementwise::product;

template <class T> struct RealOf { using type = T; };
template <class T> struct RealOf<Complex<T>> { using type = T; };
template <class T> using Real = typename RealOf<T>::type;

template <class T> T times(T a, T b) { return a * b; }
template <class T> Complex<T> times(Complex<T> a, Complex<T> b) { return product(a, b); }

// Complex numbers are compared by the sum of their parts, which is cheaper than their size and as good.
template <class T> T size_of(T a) { return std::abs(a); }
template <class T> T size_of(Complex<T> a) { return std::abs(a.real()) + std::abs(a.imag()); }

// A divisor used many times: real numbers are divided by it, complex ones multiplied by its inverse.
template <class T> struct Divisor {
  T value;
  explicit Divisor(T by) : value(by) {}
  T operator()(T a) const { return a / value; }
};
template <class T> struct Divisor<Complex<T>> {
  Complex<T> inverse;
  explicit Divisor(Complex<T> by) : inverse(T{1} / by) {}
  Complex<T> operator()(Complex<T> a) const { return product(a, inverse); }
};

// The row, from k on, with the largest element in column k. NaN counts as the largest: it is no zero.
template <class T> Index pivot_row(const T* a, Index n, Index k) {
  Index best = k;
  Real<T> most = size_of(a[k * n + k]);
  for (Index i = k + 1; i < n && !std::isnan(most); ++i) {
    const Real<T> size = size_of(a[i * n + k]);
    if (!(size <= most)) best = i, most = size;
  }
  return best;
}

// Makes a upper triangular, and does to the rows of b what it does to those of a. N is the side where it
// is known, else 0. Counts the swaps of rows. False at a pivot that is zero.
template <class T, int N>
bool eliminate(T* a, Index side, T* b, Index columns, int& swaps) {
  const Index n = N != 0 ? N : side;
  for (Index k = 0; k < n; ++k) {
    const Index pivot = pivot_row(a, n, k);
    if (a[pivot * n + k] == T{0}) return false;
    if (pivot != k) {
      for (Index j = k; j < n; ++j) std::swap(a[k * n + j], a[pivot * n + j]);
      for (Index j = 0; j < columns; ++j) std::swap(b[k * columns + j], b[pivot * columns + j]);
      ++swaps;
    }
    const Divisor<T> divided(a[k * n + k]);
    for (Index i = k + 1; i < n; ++i) {
      const T factor = divided(a[i * n + k]);
      for (Index j = k + 1; j < n; ++j) a[i * n + j] -= times(factor, a[k * n + j]);
      for (Index j = 0; j < columns; ++j) b[i * columns + j] -= times(factor, b[k * columns + j]);
    }
  }
  return true;
}

// Solves for b in place, a being upper triangular.
template <class T, int N> void substitute(const T* a, Index side, T* b, Index columns) {
  const Index n = N != 0 ? N : side;
  for (Index k = n - 1; k >= 0; --k) {
    T* const row = b + k * columns;
    for (Index i = k + 1; i < n; ++i) {
      const T factor = a[k * n + i];
      for (Index j = 0; j < columns; ++j) row[j] -= times(factor, b[i * columns + j]);
    }
    const Divisor<T> divided(a[k * n + k]);
    for (Index j = 0; j < columns; ++j) row[j] = divided(row[j]);
  }
}

// ---- stacks ----

// The matrices of a stack: how many, and how their rows and columns step, in elements.
template <class T> struct Stack {
  const Operand& of;
  Index rows, columns, row_step, column_step;

  explicit Stack(const Operand& operand) : of(operand) {
    const Layout& layout = *of.layout;
    const int rank = layout.rank();
    rows = layout.length(rank - 2), columns = layout.length(rank - 1);
    row_step = layout.stride(rank - 2), column_step = layout.stride(rank - 1);
  }
  // N is the number of columns where it is known, else 0.
  template <int N = 0> void load(const std::byte* place, T* to) const {
    const T* const from = reinterpret_cast<const T*>(place);
    const Index width = N != 0 ? N : columns;
    for (Index i = 0; i < rows; ++i) {
      for (Index j = 0; j < width; ++j) *to++ = from[i * row_step + j * column_step];
    }
  }
};

// Calls run(number, its matrix in a, its place in b) for every matrix, on all threads. The matrix is a
// copy that run may change.
// `function` is what comes after the elimination.
template <int N, class T, class Run>
void for_each_matrix(const char* operation, const char* function, const Stack<T>& a, const Stack<T>& b, Run&& run) {
  const SpaceOperand operands[] = {{a.of.layout, sizeof(T)}, {b.of.layout, sizeof(T)}};
  IterationSpace space = space_of(operands);
  const int stack = space.rank() - 2;
  space.roles[stack] = Role::Row;
  space.roles[stack + 1] = Role::Column;
  const Index count = space.size_of_first(stack);
  if (count == 0) return;
  const Index work = a.rows * (a.rows + b.columns) * std::max<Index>(1, a.rows);
  const Index bytes = saturated_product(count, std::max<Index>(1, work) * Index{sizeof(T)});
  const int chunks = interruptible_chunks_for(static_cast<std::size_t>(bytes));
  const RecordScope scope([&] {
    constexpr const char* kFile = "kernels/linalg/elimination.cpp";
    return PlanRecord(operation, space, {plain_loop(kFile, "eliminate"), plain_loop(kFile, function)}, chunks,
                      "matrices of " + std::to_string(a.rows) + " x " + std::to_string(a.columns) + ", copied");
  });
  std::byte* const storage[] = {a.of.storage, b.of.storage};
  run_range_in_chunks(count, chunks, [&](int, Index begin, Index end) {
    T matrix[(N != 0 ? N : kSmallSide) * (N != 0 ? N : kSmallSide)];
    Index number = begin;
    for_each_position(space, storage, stack, begin, end, [&](std::byte* const* places) {
      a.template load<N>(places[0], matrix);
      run(number++, matrix, places[1]);
    });
  });
}

// Calls f.operator()<N>() with the side where that is 1 to 4, else with 0.
template <class F> decltype(auto) with_side(Index side, F&& f) {
  switch (side) {
    case 1: return f.template operator()<1>();
    case 2: return f.template operator()<2>();
    case 3: return f.template operator()<3>();
    case 4: return f.template operator()<4>();
    default: return f.template operator()<0>();
  }
}

// Calls f(Type<T>{}) for the dtypes that matrices are computed in.
template <class F> void visit_floats(DType dtype, F&& f) {
  switch (dtype) {
    case DType::Float32: return f(Type<float>{});
    case DType::Float64: return f(Type<double>{});
    case DType::Complex64: return f(Type<Complex<float>>{});
    default: return f(Type<Complex<double>>{});
  }
}

template <class T> T sign_of(T a) { return a < 0 ? T{-1} : T{1}; }
template <class T> Complex<T> sign_of(Complex<T> a) { return a / std::abs(a); }

template <class T> struct LogDeterminant {
  T sign;
  Real<T> logarithm;
};

template <class T> LogDeterminant<T> log_determinant(const T* a, Index n, int swaps) {
  LogDeterminant<T> found{swaps % 2 != 0 ? T{-1} : T{1}, 0};
  for (Index i = 0; i < n; ++i) {
    found.sign = times(found.sign, sign_of(a[i * n + i]));
    found.logarithm += std::log(std::abs(a[i * n + i]));
  }
  return found;
}

// The product of the diagonal; by logarithms where that leaves the range of numbers on the way.
template <class T> T determinant(const T* a, Index n, int swaps) {
  T all = swaps % 2 != 0 ? T{-1} : T{1};
  for (Index i = 0; i < n; ++i) all = times(all, a[i * n + i]);
  const Real<T> size = std::abs(all);
  if (std::isnan(size) || (size >= std::numeric_limits<Real<T>>::min() && !std::isinf(size))) return all;
  const LogDeterminant<T> found = log_determinant(a, n, swaps);
  return found.sign * std::exp(found.logarithm);
}

}  // namespace

bool solve_small(const Operand& out, const Operand& a, const Operand* b) {
  std::atomic<bool> solvable{true};
  visit_floats(a.dtype, [&]<class T>(Type<T>) {
    const Stack<T> left(a), right(b != nullptr ? *b : a);
    const Index n = left.rows, columns = right.columns;
    auto* const results = reinterpret_cast<T*>(out.first());
    with_side(n, [&]<int N>() {
      for_each_matrix<N>("solve", "substitute", left, right, [&](Index number, T* matrix, const std::byte* place) {
        T* const result = results + number * n * columns;
        if (b != nullptr) right.load(place, result);
        else for (Index i = 0; i < n * n; ++i) result[i] = T(i % (n + 1) == 0);
        int swaps = 0;
        if (eliminate<T, N>(matrix, n, result, columns, swaps)) substitute<T, N>(matrix, n, result, columns);
        else solvable.store(false, std::memory_order_relaxed);
      });
    });
  });
  return solvable.load();
}

void small_determinants(const Operand& out, const Operand& a) {
  visit_floats(a.dtype, [&]<class T>(Type<T>) {
    const Stack<T> stack(a);
    auto* const results = reinterpret_cast<T*>(out.first());
    with_side(stack.rows, [&]<int N>() {
      for_each_matrix<N>("det", "determinant", stack, stack, [&](Index number, T* matrix, const std::byte*) {
        int swaps = 0;
        const bool regular = eliminate<T, N>(matrix, stack.rows, nullptr, 0, swaps);
        results[number] = regular ? determinant(matrix, stack.rows, swaps) : T{0};
      });
    });
  });
}

void small_log_determinants(const Operand& sign, const Operand& logarithm, const Operand& a) {
  visit_floats(a.dtype, [&]<class T>(Type<T>) {
    const Stack<T> stack(a);
    auto* const signs = reinterpret_cast<T*>(sign.first());
    auto* const logarithms = reinterpret_cast<Real<T>*>(logarithm.first());
    with_side(stack.rows, [&]<int N>() {
      for_each_matrix<N>("slogdet", "log_determinant", stack, stack, [&](Index number, T* matrix, const std::byte*) {
        int swaps = 0;
        LogDeterminant<T> found{T{0}, -std::numeric_limits<Real<T>>::infinity()};
        if (eliminate<T, N>(matrix, stack.rows, nullptr, 0, swaps)) {
          found = log_determinant(matrix, stack.rows, swaps);
        }
        signs[number] = found.sign, logarithms[number] = found.logarithm;
      });
    });
  });
}

}  // namespace strided::kernels::linalg
