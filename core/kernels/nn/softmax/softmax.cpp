#include "softmax.hpp"

#include <cmath>
#include <limits>

#include "kernels/nn/inner_loops.hpp"
#include "kernels/nn/row_lanes.hpp"
#include "kernels/nn/row_space.hpp"

namespace strided::kernels::nn {
namespace {

// One thread's buffers, and what it does to a row. A row is read block by block, as often as it takes; no
// more of it than a block is held.
class Shares {
 public:
  Shares(const Operand& out, const Operand& x, const RowSpace& rows, bool logarithm, DType lane)
      : loops_(loops().model[lane == DType::Float64]),
        n_(rows.length()), block_(lanes_per_buffer(lane)), logarithm_(logarithm),
        in_(x.dtype, lane, rows.step(1)), out_(out.dtype, lane, rows.step(0)) {}

  // The result first, then x.
  void run(std::byte* const* row) {
    out_.start(row[0]);
    in_.start(row[1]);
    double top = -std::numeric_limits<double>::infinity(), sum = 0;
    in_blocks(n_, block_, [&](Index i, Index n) { top = std::max(top, loops_.largest(n, in_.read(i, n))); });
    in_blocks(n_, block_, [&](Index i, Index n) { sum += loops_.raise(n, in_.read(i, n), top, raised_); });
    const double rest = logarithm_ ? std::log(sum) : 0;
    in_blocks(n_, block_, [&](Index i, Index n) {
      out_.write(i, n, [&](std::byte* lanes) {
        if (logarithm_) return loops_.lower(n, in_.read(i, n), top, rest, lanes);
        if (n_ > block_) loops_.raise(n, in_.read(i, n), top, raised_);
        loops_.scale(n, raised_, 1 / sum, nullptr, lanes);
      });
    });
  }

 private:
  const ModelLoops& loops_;
  const Index n_, block_;
  const bool logarithm_;
  RowInput in_;
  RowOutput out_;
  ScratchArray<std::byte, kLaneBufferBytes> raised_;
};

}  // namespace

void softmax(const Operand& out, const Operand& x, bool logarithm, DType lane) {
  if (x.layout->size() == 0) return;
  const Operand operands[] = {out, x};
  const RowSpace rows(operands, RowOrder::InMemory, nullptr, only(1));
  if (rows.are_side_by_side()) return softmax_side_by_side(rows, out.dtype, x.dtype, logarithm, lane);
  const auto names = [&] {
    const ModelLoops& table = loops().model[lane == DType::Float64];
    InnerLoops named(lane);
    named.table(table.largest, table.raise);
    logarithm ? named.table(table.lower) : named.table(table.scale);
    return named.read(x.dtype, rows.step(1)).written(out.dtype, rows.step(0)).names();
  };
  rows.run(softmax_name(logarithm), x.layout->size() * kExpBytes, names,
           [&] { return Shares(out, x, rows, logarithm, lane); });
}

}  // namespace strided::kernels::nn
