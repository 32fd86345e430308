#include "softmax.hpp"

#include <cmath>
#include <limits>

#include "kernels/nn/inner_loops.hpp"
#include "kernels/nn/packed_rows.hpp"
#include "kernels/nn/row_space.hpp"

namespace strided::kernels::nn {
namespace {

// One thread's buffers, and what it does to a row, which is read block by block, as often as it takes.
class SoftmaxRows {
 public:
  SoftmaxRows(const Operand& out, const Operand& x, const RowSpace& rows, bool logarithm, DType compute)
      : loops_(loops().model[compute == DType::Float64]),
        n_(rows.length()), block_(convert::packed_capacity(compute)), logarithm_(logarithm),
        in_(x.dtype, compute, rows.step(1)), out_(out.dtype, compute, rows.step(0)) {}

  // The result first, then x.
  void run(std::byte* const* row) {
    out_.start(row[0]);
    in_.start(row[1]);
    double top = -std::numeric_limits<double>::infinity();
    in_blocks(n_, block_, [&](Index i, Index n) { top = std::max(top, loops_.largest(n, in_.read(i, n))); });
    const double sum = sum_of_blocks(
        n_, block_, [&](Index i, Index n) { return loops_.exp_shifted(n, in_.read(i, n), top, exps_); });
    const double rest = logarithm_ ? std::log(sum) : 0;
    in_blocks(n_, block_, [&](Index i, Index n) {
      out_.write(i, n, [&](std::byte* packed) {
        if (logarithm_) return loops_.subtract_twice(n, in_.read(i, n), top, rest, packed);
        if (n_ > block_) loops_.exp_shifted(n, in_.read(i, n), top, exps_);
        loops_.scale(n, exps_, 1 / sum, nullptr, packed);
      });
    });
  }

 private:
  const ModelLoops& loops_;
  const Index n_, block_;
  const bool logarithm_;
  RowInput in_;
  RowOutput out_;
  ScratchArray<std::byte, convert::kPackedBytes> exps_;
};

}  // namespace

void softmax(const Operand& out, const Operand& x, bool logarithm, DType compute) {
  if (x.layout->size() == 0) return;
  const Operand* const operands[] = {&out, &x};
  const RowSpace rows(operands, RowOrder::InMemory, nullptr, only(1));
  if (rows.are_adjacent()) return softmax_across(rows, out.dtype, x.dtype, logarithm, compute);
  const auto names = [&] {
    const ModelLoops& table = loops().model[compute == DType::Float64];
    InnerLoops named(compute);
    named.table(table.largest, table.exp_shifted);
    logarithm ? named.table(table.subtract_twice) : named.table(table.scale);
    return named.read(x.dtype, rows.step(1)).written(out.dtype, rows.step(0)).names();
  };
  rows.run(softmax_name(logarithm), x.layout->size() * kExpBytes, names,
           [&] { return SoftmaxRows(out, x, rows, logarithm, compute); });
}

}  // namespace strided::kernels::nn
