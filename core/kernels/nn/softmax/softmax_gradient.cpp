#include "softmax_gradient.hpp"

#include <cstring>

#include "kernels/nn/inner_loops.hpp"
#include "kernels/nn/packed_rows.hpp"
#include "kernels/nn/row_space.hpp"
#include "run/interrupt.hpp"

namespace strided::kernels::nn {
namespace {

// One thread's buffers, and what it does to a row, which is read block by block, as often as it takes.
class AlongRows {
 public:
  AlongRows(const SoftmaxGradient& work, const RowSpace& rows)
      : model_(loops().model[work.compute == DType::Float64]), norms_(loops().norms[work.compute == DType::Float64]),
        n_(rows.length()), logarithm_(work.logarithm), dx_(work.dx.dtype, work.compute, rows.step(0)),
        y_(work.y.dtype, work.compute, rows.step(1)), g_(work.g.dtype, work.compute, rows.step(2)),
        block_(block_of_row(n_, work.compute, dx_.in_place(n_) && y_.in_place(n_) && g_.in_place(n_))) {}

  void run(std::byte* const* row) {
    dx_.start(row[0]);
    y_.start(row[1]);
    g_.start(row[2]);
    const double sum = sum_of_blocks(n_, block_, [&](Index i, Index n) {
      const std::byte* const g = g_.read(i, n);
      return logarithm_ ? norms_.sum(n, g) : norms_.dot(n, y_.read(i, n), g);
    });
    in_blocks(n_, std::min(block_, kWrittenBlock), [&](Index i, Index n) {
      dx_.write(i, n, [&](std::byte* packed) {
        if (logarithm_) return model_.log_softmax_gradient(n, y_.read(i, n), g_.read(i, n), sum, packed);
        norms_.softmax_gradient(n, y_.read(i, n), g_.read(i, n), sum, 1, packed);
      });
    });
  }

 private:
  const ModelLoops& model_;
  const NormLoops& norms_;
  const Index n_;
  const bool logarithm_;
  RowOutput dx_;
  RowInput y_, g_;
  const Index block_;
};

// What a thread does to n adjacent rows: one element of each after the other.
class AcrossRows {
 public:
  AcrossRows(const SoftmaxGradient& work, const RowSpace& rows)
      : loops_(loops().columns[work.compute == DType::Float64]), rows_(rows), logarithm_(work.logarithm),
        dx_(work.dx.dtype, work.compute, rows.adjacent_step(0)), y_(work.y.dtype, work.compute, rows.adjacent_step(1)),
        g_(work.g.dtype, work.compute, rows.adjacent_step(2)) {}

  void run(std::byte* const* first, Index n) {
    const auto y = [&](Index i) { return y_.read(first[1] + i * rows_.step(1), n); };
    const auto g = [&](Index i) { return g_.read(first[2] + i * rows_.step(2), n); };
    InterruptCheck check;
    std::memset(sums_, 0, sizeof(sums_));
    for (Index i = 0; i < rows_.length(); ++i) {
      if (logarithm_) {
        loops_.add(n, g(i), sums_);
      } else {
        loops_.add_products(n, g(i), y(i), sums_);
      }
      check.after(n);
    }
    for (Index i = 0; i < rows_.length(); ++i) {
      std::byte* const place = first[0] + i * rows_.step(0);
      (logarithm_ ? loops_.log_softmax_gradient : loops_.softmax_gradient)(n, y(i), g(i), sums_, dx_.place(place, n));
      dx_.finish(place, n);
      check.after(n);
    }
  }

 private:
  const ColumnLoops& loops_;
  const RowSpace& rows_;
  const bool logarithm_;
  convert::PackedOutput dx_;
  convert::PackedInput y_, g_;
  alignas(64) std::byte sums_[kMostAdjacent * 8];
};

}  // namespace

void softmax_gradient(const SoftmaxGradient& work) {
  if (work.y.layout->size() == 0) return;
  const char* const name = work.logarithm ? "log_softmax backward" : "softmax backward";
  const Index bytes = work.y.layout->size() * (work.logarithm ? kExpBytes : 3 * itemsize(work.compute));
  const Operand* const operands[] = {&work.dx, &work.y, &work.g};
  const RowSpace rows(operands, RowOrder::InMemory, nullptr, only(1));
  const bool across = rows.are_adjacent();
  const auto names = [&] {
    const bool wide = work.compute == DType::Float64;
    const ModelLoops& model = loops().model[wide];
    const NormLoops& norms = loops().norms[wide];
    const ColumnLoops& columns = loops().columns[wide];
    InnerLoops named(work.compute);
    if (across && work.logarithm) named.table(columns.add, columns.log_softmax_gradient);
    else if (across) named.table(columns.add_products, columns.softmax_gradient);
    else if (work.logarithm) named.table(norms.sum, model.log_softmax_gradient);
    else named.table(norms.dot, norms.softmax_gradient);
    const auto step = [&](int operand) { return across ? rows.adjacent_step(operand) : rows.step(operand); };
    named.read(work.y.dtype, step(1)).read(work.g.dtype, step(2)).written(work.dx.dtype, step(0));
    return named.names();
  };
  if (across) {
    rows.run_adjacent(name, bytes, kMostAdjacent, names, [&] { return AcrossRows(work, rows); });
  } else {
    rows.run(name, bytes, names, [&] { return AlongRows(work, rows); });
  }
}

}  // namespace strided::kernels::nn
