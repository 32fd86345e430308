#include "rms_norm.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/convert/packed.hpp"
#include "kernels/nn/row_space.hpp"

namespace strided {
namespace {

// One thread's buffers, and what it does to a row.
class Norm {
 public:
  Norm(const Operand& out, const Operand& x, const Operand* weight, const RowSpace& rows, double eps, DType lane)
      : loops_(loops().model[lane == DType::Float64]),
        n_(rows.length()), eps_(eps),
        in_(x.dtype, lane, rows.step(1)), out_(out.dtype, lane, rows.step(0)),
        weight_(weight == nullptr ? lane : weight->dtype, lane,
                weight == nullptr ? 0 : weight->step(0)),
        first_weight_(weight == nullptr ? nullptr : weight->first()),
        block_(in_.in_place(n_) && out_.in_place(n_) && (weight == nullptr || weight_.in_place(n_))
                   ? std::max<Index>(n_, 1)
                   : kernels::convert::packed_capacity(lane)) {
    if (n_ <= block_ && first_weight_ != nullptr) whole_weight_ = weight_.read(first_weight_, n_);
  }

  // The result first, then x.
  void run(std::byte* const* row) {
    const std::byte* const x = row[1];
    const std::byte* lanes = nullptr;
    double sum = 0;
    for (Index i = 0; i < n_; i += block_) {
      const Index count = std::min(block_, n_ - i);
      lanes = in_.read(in_.further(x, i), count);
      sum += loops_.squares(count, lanes);
    }
    const double factor = 1 / std::sqrt(sum / static_cast<double>(n_) + eps_);
    for (Index i = 0; i < n_; i += block_) {
      const Index count = std::min(block_, n_ - i);
      // A row of one block is still there.
      if (n_ > block_) lanes = in_.read(in_.further(x, i), count);
      const std::byte* weight = whole_weight_;
      if (weight == nullptr && first_weight_ != nullptr) {
        weight = weight_.read(weight_.further(first_weight_, i), count);
      }
      std::byte* const place = out_.further(row[0], i);
      loops_.scale(count, lanes, factor, weight, out_.place(place, count));
      out_.finish(place, count);
    }
  }

 private:
  const ModelLoops& loops_;
  const Index n_;
  const double eps_;
  kernels::convert::PackedInput in_;
  kernels::convert::PackedOutput out_;
  kernels::convert::PackedInput weight_;
  const std::byte* first_weight_;
  const std::byte* whole_weight_ = nullptr;
  const Index block_;
};

}  // namespace

void rms_norm(const Operand& out, const Operand& x, const Operand* weight, double eps, DType lane) {
  if (x.layout->size() == 0) return;
  const Operand operands[] = {out, x};
  const RowSpace rows(operands, RowOrder::InMemory);
  rows.run("rms_norm", x.layout->size() * (itemsize(x.dtype) + itemsize(out.dtype)),
           [&] { return Norm(out, x, weight, rows, eps, lane); });
}

}  // namespace strided
