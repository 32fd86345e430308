#include "rms_norm.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/convert/lane_buffers.hpp"
#include "kernels/nn/row_walk.hpp"
#include "run/pool.hpp"

namespace strided {
namespace {

// One thread's buffers, and what it does to a row.
class Norm {
 public:
  Norm(const Operand& out, const Operand& x, const Operand* weight, const RowWalk& walk, double eps,
       DType lane)
      : loops_(loops().model[lane == DType::Float64]),
        n_(x.layout->length(x.layout->rank() - 1)), eps_(eps),
        in_(x.dtype, lane, walk.step(1)), out_(out.dtype, lane, walk.step(0)),
        weight_(weight == nullptr ? lane : weight->dtype, lane,
                weight == nullptr ? 0 : weight->step(0)),
        first_weight_(weight == nullptr ? nullptr : weight->first()),
        block_(in_.in_place(n_) && out_.in_place(n_) && (weight == nullptr || weight_.in_place(n_))
                   ? std::max<Index>(n_, 1)
                   : lanes_per_buffer(lane)) {
    if (n_ <= block_ && first_weight_ != nullptr) whole_weight_ = weight_.read(first_weight_, n_);
  }

  void run(std::byte* out, const std::byte* x) {
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
      std::byte* const place = out_.further(out, i);
      loops_.scale(count, lanes, factor, weight, out_.lanes(place, count));
      out_.finish(place, count);
    }
  }

 private:
  const ModelLoops& loops_;
  const Index n_;
  const double eps_;
  LaneInput in_;
  LaneOutput out_;
  LaneInput weight_;
  const std::byte* first_weight_;
  const std::byte* whole_weight_ = nullptr;
  const Index block_;
};

}  // namespace

void rms_norm(const Operand& out, const Operand& x, const Operand* weight, double eps, DType lane) {
  const Operand operands[] = {out, x};
  const RowWalk walk(operands);
  const Index rows = walk.count();
  if (x.layout->size() == 0) return;
  const Index bytes = x.layout->size() * (itemsize(x.dtype) + itemsize(out.dtype));
  const Index pieces = std::min<Index>(rows, interruptible_pieces_for(static_cast<std::size_t>(bytes)));
  const Index share = (rows + pieces - 1) / pieces;
  run_pieces(static_cast<int>((rows + share - 1) / share), [&](int piece) {
    Norm norm(out, x, weight, walk, eps, lane);
    walk.run(piece * share, std::min(rows, (piece + 1) * share),
             [&](std::byte* const* row) { norm.run(row[0], row[1]); });
  });
}

}  // namespace strided
