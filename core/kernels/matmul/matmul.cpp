#include "matmul.hpp"

#include <algorithm>

#include "complex_matvec.hpp"
#include "kernels/copy/copy.hpp"
#include "gemm.hpp"
#include "matvec.hpp"
#include "run/pool.hpp"

namespace strided {
namespace {

constexpr double kWorkPerPiece = 400'000;    // multiplications that repay waking a thread
constexpr double kLargeMatrix = 4'000'000;   // and those of a product that is worth splitting itself
constexpr Index kManyPerThread = 4;
constexpr Index kLongForVectors = 64, kLargeForVectors = 1 << 14;  // a matrix worth reading only once

// One axis that all operands have; strides in elements.
struct BatchAxis {
  Index length, c, a, b;
};

// A batch of products c = a @ b.
struct Batch {
  Matrix c, a, b;
  int rank = 0;
  BatchAxis axes[kMaxRank];
  const Scattered* scattered_a = nullptr;
  const Scattered* scattered_b = nullptr;  // transposed

  Index count() const {
    Index n = 1;
    for (int i = 0; i < rank; ++i) n *= axes[i].length;
    return n;
  }
};

Matrix last_two_axes(const Operand& x) {
  const Layout& layout = *x.layout;
  const int column = layout.rank() - 1, row = column - 1;
  return {x.first(),          x.dtype,           layout.length(row), layout.length(column),
          layout.stride(row), layout.stride(column)};
}

// With one b for all, the rows of all a are the rows of one long matrix, if they lie that way.
bool joins_rows(const Batch& batch, const BatchAxis& axis) {
  const Matrix &c = batch.c, &a = batch.a;
  return axis.b == 0 && batch.scattered_a == nullptr &&
         (a.rows == 1 || (axis.a == a.rows * a.row && axis.c == c.rows * c.row));
}
bool joins_columns(const Batch& batch, const BatchAxis& axis) {
  const Matrix &c = batch.c, &b = batch.b;
  return axis.a == 0 && batch.scattered_b == nullptr &&
         (b.columns == 1 || (axis.b == b.columns * b.column && axis.c == c.columns * c.column));
}

// Makes the axis part of the matrices; false when it is none.
bool join(Batch& batch, const BatchAxis& axis) {
  if (joins_rows(batch, axis)) {
    if (batch.a.rows == 1) batch.a.row = axis.a, batch.c.row = axis.c;
    batch.a.rows *= axis.length;
    batch.c.rows *= axis.length;
    return true;
  }
  if (!joins_columns(batch, axis)) return false;
  if (batch.b.columns == 1) batch.b.column = axis.b, batch.c.column = axis.c;
  batch.b.columns *= axis.length;
  batch.c.columns *= axis.length;
  return true;
}

void add_axes(Batch& batch, const Operand& out, const Operand& a, const Operand& b, int count) {
  for (int i = count - 1; i >= 0; --i) {
    const BatchAxis axis{out.layout->length(i), out.layout->stride(i), a.layout->stride(i),
                         b.layout->stride(i)};
    if (axis.length > 1 && !join(batch, axis)) batch.axes[batch.rank++] = axis;
  }
}

// ---- several axes as one ----

// Axes [begin, end) of a layout, as few as possible: neighbours that step together are one.
Positions listed(const Layout& layout, int begin, int end) {
  Dims lengths, strides;
  for (int axis = begin; axis < end; ++axis) {
    const Index length = layout.length(axis), step = layout.stride(axis);
    if (length == 1) continue;
    const int last = lengths.size() - 1;
    if (last >= 0 && strides[last] == length * step) {
      lengths[last] *= length;
      strides[last] = step;
    } else {
      lengths.push_back(length);
      strides.push_back(step);
    }
  }
  Positions positions;
  for (int i = 0; i < lengths.size(); ++i) positions.add(lengths[i], strides[i]);
  return positions;
}

// The strides of a matrix whose rows and columns are single axes.
bool is_matrix(const Scattered& x, Index& row, Index& column) {
  if (x.rows.rank() > 1 || x.columns.rank() > 1) return false;
  row = x.rows.rank() == 0 ? 0 : x.rows.stride(0);
  column = x.columns.rank() == 0 ? 0 : x.columns.stride(0);
  return true;
}

// ---- one thread's share ----

// Calls run(c, a, b) with the first element of each product in [begin, end).
template <class Run>
void for_each_product(const Batch& batch, Index begin, Index end, Run&& run) {
  Index position[kMaxRank];
  std::byte *c = batch.c.data, *a = batch.a.data, *b = batch.b.data;
  const auto move = [&](const BatchAxis& axis, Index steps) {
    c += steps * axis.c * batch.c.item();
    a += steps * axis.a * batch.a.item();
    b += steps * axis.b * batch.b.item();
  };
  // The last axis in the list is the slowest.
  Index rest = begin;
  for (int i = 0; i < batch.rank; ++i) {
    position[i] = rest % batch.axes[i].length;
    rest /= batch.axes[i].length;
    move(batch.axes[i], position[i]);
  }
  for (Index n = begin; n < end; ++n) {
    run(c, a, b);
    for (int i = 0; i < batch.rank; ++i) {
      move(batch.axes[i], 1);
      if (++position[i] < batch.axes[i].length) break;
      move(batch.axes[i], -position[i]);
      position[i] = 0;
    }
  }
}

// Which side of a product is a vector, or a few of them; the other is read once, as it lies.
enum class Vectors { None, Left, Right };

Vectors vectors_of(const Batch& batch, DType compute) {
  const Matrix &a = batch.a, &b = batch.b;
  const Index rows = a.rows, columns = b.columns, k = a.columns;
  if (batch.scattered_a != nullptr || batch.scattered_b != nullptr) return Vectors::None;
  const Vectors side = columns <= rows ? Vectors::Right : Vectors::Left;
  const Index few = std::min(rows, columns);
  if (is_complex(compute)) {
    const Matrix& matrix = side == Vectors::Right ? a : b.transposed();
    return ComplexMatvec::takes(matrix, few, compute) ? side : Vectors::None;
  }
  const bool worth = few <= Matvec::kMostVectors && k >= kLongForVectors &&
                     std::max(rows, columns) * k >= kLargeForVectors;
  return few == 1 || worth ? side : Vectors::None;
}

template <class Product>
void multiply_vectors(const Batch& batch, Vectors side, Index begin, Index end, DType compute,
                      bool threads) {
  using Place = std::byte*;
  const Matrix &c = batch.c, &a = batch.a, &b = batch.b;
  if (side == Vectors::Right) {
    Product product(c.transposed(), a, b.transposed(), compute, threads);
    for_each_product(batch, begin, end, [&](Place y, Place m, Place x) { product.run(y, m, x); });
  } else {
    Product product(c, b.transposed(), a, compute, threads);
    for_each_product(batch, begin, end, [&](Place y, Place x, Place m) { product.run(y, m, x); });
  }
}

void multiply(const Batch& batch, Index begin, Index end, DType compute, const ProductRoom& room) {
  const Vectors side = vectors_of(batch, compute);
  if (side == Vectors::None) {
    Gemm product(batch.c, batch.a, batch.b, compute, room, batch.scattered_a, batch.scattered_b);
    for_each_product(batch, begin, end, [&](auto* to, auto* x, auto* y) { product.run(to, x, y); });
  } else if (is_complex(compute)) {
    multiply_vectors<ComplexMatvec>(batch, side, begin, end, compute, room.threads);
  } else {
    multiply_vectors<Matvec>(batch, side, begin, end, compute, room.threads);
  }
}

// How many pieces a batch is worth: by the work, or by the bytes that are read where memory sets the pace.
Index pieces_of(const Batch& batch, Index count, double each, DType compute) {
  const Vectors side = vectors_of(batch, compute);
  if (side != Vectors::None) {
    const Matrix& matrix = side == Vectors::Right ? batch.a : batch.b;
    const auto elements = static_cast<std::size_t>(matrix.rows * matrix.columns * count);
    return interruptible_pieces_for(elements * static_cast<std::size_t>(matrix.item()));
  }
  const double most = static_cast<double>(kManyPerThread * thread_count());
  return static_cast<Index>(std::clamp(each * static_cast<double>(count) / kWorkPerPiece, 1.0, most));
}

void run(const Batch& batch, DType compute) {
  const Index count = batch.count();
  const double each = static_cast<double>(batch.c.rows) * static_cast<double>(batch.c.columns) *
                      static_cast<double>(batch.a.columns);
  const Index threads = thread_count();
  const bool many = count >= kManyPerThread * threads || each < kLargeMatrix;
  if (count == 1 || threads == 1 || !many) {
    return multiply(batch, 0, count, compute, {threads > 1, kPanelBytes});
  }
  const Index pieces = std::min(count, pieces_of(batch, count, each, compute));
  const Index share = (count + pieces - 1) / pieces;
  const ProductRoom room{false, kPanelBytes / static_cast<std::size_t>(std::min(threads, pieces))};
  run_pieces(static_cast<int>((count + share - 1) / share), [&](int piece) {
    multiply(batch, piece * share, std::min(count, (piece + 1) * share), compute, room);
  });
}

void clear(const Operand& out) {
  const std::byte zero[16] = {};
  fill(out, zero);
}

}  // namespace

void matmul(const Operand& out, const Operand& a, const Operand& b, DType compute) {
  if (out.layout->size() == 0) return;
  if (a.layout->length(a.layout->rank() - 1) == 0) return clear(out);
  Batch batch;
  batch.c = last_two_axes(out);
  batch.a = last_two_axes(a);
  batch.b = last_two_axes(b);
  add_axes(batch, out, a, b, out.layout->rank() - 2);
  run(batch, compute);
}

void contract(const Operand& out, const Operand& a, const Operand& b, int batch_rank, int summed,
              DType compute) {
  if (out.layout->size() == 0) return;
  const Layout &left = *a.layout, &right = *b.layout;
  const int rows_end = left.rank() - summed, columns_begin = batch_rank + summed;
  Index rows = 1, columns = 1, steps = 1;
  for (int i = batch_rank; i < rows_end; ++i) rows *= left.length(i);
  for (int i = rows_end; i < left.rank(); ++i) steps *= left.length(i);
  for (int i = columns_begin; i < right.rank(); ++i) columns *= right.length(i);
  if (steps == 0) return clear(out);
  // Rows of b are its columns: it is given transposed.
  // Steps are counted alike in both, however many axes each needs for them.
  const Scattered of_a{listed(left, batch_rank, rows_end), listed(left, rows_end, left.rank())};
  const Scattered of_b{listed(right, columns_begin, right.rank()), listed(right, batch_rank, columns_begin)};
  Batch batch;
  batch.c = {out.first(), out.dtype, rows, columns, columns, 1};
  batch.a = {a.first(), a.dtype, rows, steps, 0, 0};
  batch.b = {b.first(), b.dtype, steps, columns, 0, 0};
  if (!is_matrix(of_a, batch.a.row, batch.a.column)) batch.scattered_a = &of_a;
  if (!is_matrix(of_b, batch.b.column, batch.b.row)) batch.scattered_b = &of_b;
  add_axes(batch, out, a, b, batch_rank);
  run(batch, compute);
}

bool multiplies_bfloat16_pairs(Index rows) {
  return rows > Matvec::kMostVectors && loops().products.has_pairs();
}

}  // namespace strided
