#include "softmax.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/convert/packed.hpp"
#include "kernels/nn/row_space.hpp"

namespace strided {
namespace {

// One thread's buffers, and what it does to a row. A row is read block by block, as often as it takes; no
// more of it than a block is held.
class Shares {
 public:
  Shares(const Operand& out, const Operand& x, const RowSpace& rows, bool logarithm, DType lane)
      : loops_(loops().model[lane == DType::Float64]),
        n_(rows.length()), block_(kernels::convert::packed_capacity(lane)), logarithm_(logarithm),
        in_(x.dtype, lane, rows.step(1)), out_(out.dtype, lane, rows.step(0)) {}

  // The result first, then x.
  void run(std::byte* const* row) {
    const std::byte* const x = row[1];
    double top = -std::numeric_limits<double>::infinity(), sum = 0;
    for (Index i = 0; i < n_; i += block_) top = std::max(top, loops_.largest(length(i), read(x, i)));
    for (Index i = 0; i < n_; i += block_) {
      const Index n = length(i);
      sum += loops_.raise(n, read(x, i), top, raised_);
    }
    const double rest = std::log(sum);
    for (Index i = 0; i < n_; i += block_) {
      const Index n = length(i);
      std::byte* const place = out_.further(row[0], i);
      std::byte* const lanes = out_.place(place, n);
      if (logarithm_) {
        loops_.lower(n, read(x, i), top, rest, lanes);
      } else {
        if (n_ > block_) loops_.raise(n, read(x, i), top, raised_);
        loops_.scale(n, raised_, 1 / sum, nullptr, lanes);
      }
      out_.finish(place, n);
    }
  }

 private:
  Index length(Index i) const { return std::min(block_, n_ - i); }
  const std::byte* read(const std::byte* x, Index i) { return in_.read(in_.further(x, i), length(i)); }

  const ModelLoops& loops_;
  const Index n_, block_;
  const bool logarithm_;
  kernels::convert::PackedInput in_;
  kernels::convert::PackedOutput out_;
  ScratchArray<std::byte, kernels::convert::kPackedBytes> raised_;
};

}  // namespace

void softmax(const Operand& out, const Operand& x, bool logarithm, DType lane) {
  if (x.layout->size() == 0) return;
  const Operand operands[] = {out, x};
  const RowSpace rows(operands, RowOrder::InMemory, nullptr, only(1));
  if (rows.are_side_by_side()) return softmax_side_by_side(rows, out.dtype, x.dtype, logarithm, lane);
  rows.run(softmax_name(logarithm), x.layout->size() * kExpBytes,
           [&] { return Shares(out, x, rows, logarithm, lane); });
}

}  // namespace strided
