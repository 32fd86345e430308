#include "softmax_gradient.hpp"

#include <algorithm>
#include <cstring>

#include "kernels/convert/packed.hpp"
#include "kernels/nn/row_space.hpp"
#include "softmax.hpp"

namespace strided {
namespace {

// One thread's buffers, for elements that are so many bytes apart.
struct Buffers {
  Buffers(const SoftmaxGradient& work, Index dx_step, Index y_step, Index g_step)
      : dx(work.dx.dtype, work.lane, dx_step), y(work.y.dtype, work.lane, y_step), g(work.g.dtype, work.lane, g_step) {}

  kernels::convert::PackedOutput dx;
  kernels::convert::PackedInput y, g;
};

// What a thread does to one row, which is read block by block, as often as it takes.
class OneByOne {
 public:
  OneByOne(const SoftmaxGradient& work, const RowSpace& rows)
      : model_(loops().model[work.lane == DType::Float64]), norms_(loops().norms[work.lane == DType::Float64]),
        n_(rows.length()), logarithm_(work.logarithm), to_(work, rows.step(0), rows.step(1), rows.step(2)),
        block_(to_.dx.in_place(n_) && to_.y.in_place(n_) && to_.g.in_place(n_)
                   ? n_
                   : kernels::convert::packed_capacity(work.lane)) {}

  void run(std::byte* const* row) {
    double sum = 0;
    for (Index i = 0; i < n_; i += block_) {
      const Index n = std::min(block_, n_ - i);
      const std::byte* const g = to_.g.read(to_.g.further(row[2], i), n);
      sum += logarithm_ ? norms_.sum(n, g) : norms_.dot(n, to_.y.read(to_.y.further(row[1], i), n), g);
    }
    for (Index i = 0; i < n_; i += block_) {
      const Index n = std::min(block_, n_ - i);
      std::byte* const place = to_.dx.further(row[0], i);
      std::byte* const lanes = to_.dx.place(place, n);
      const std::byte* const y = to_.y.read(to_.y.further(row[1], i), n);
      const std::byte* const g = to_.g.read(to_.g.further(row[2], i), n);
      if (logarithm_) {
        model_.log_slope(n, y, g, sum, lanes);
      } else {
        norms_.soften(n, y, g, sum, 1, lanes);
      }
      to_.dx.finish(place, n);
    }
  }

 private:
  const ModelLoops& model_;
  const NormLoops& norms_;
  const Index n_;
  const bool logarithm_;
  Buffers to_;
  const Index block_;
};

// What a thread does to n rows side by side: one element of each after the other.
class SideBySide {
 public:
  SideBySide(const SoftmaxGradient& work, const RowSpace& rows)
      : loops_(loops().columns[work.lane == DType::Float64]), rows_(rows), logarithm_(work.logarithm),
        to_(work, rows.side_step(0), rows.side_step(1), rows.side_step(2)) {}

  void run(std::byte* const* first, Index n) {
    const auto y = [&](Index i) { return to_.y.read(first[1] + i * rows_.step(1), n); };
    const auto g = [&](Index i) { return to_.g.read(first[2] + i * rows_.step(2), n); };
    std::memset(sums_, 0, sizeof(sums_));
    for (Index i = 0; i < rows_.length(); ++i) {
      if (logarithm_) {
        loops_.add(n, g(i), sums_);
      } else {
        loops_.add_products(n, g(i), y(i), sums_);
      }
    }
    for (Index i = 0; i < rows_.length(); ++i) {
      std::byte* const place = first[0] + i * rows_.step(0);
      (logarithm_ ? loops_.log_slope : loops_.soften)(n, y(i), g(i), sums_, to_.dx.place(place, n));
      to_.dx.finish(place, n);
    }
  }

 private:
  const ColumnLoops& loops_;
  const RowSpace& rows_;
  const bool logarithm_;
  Buffers to_;
  alignas(64) std::byte sums_[kMostSideBySide * 8];
};

}  // namespace

void softmax_gradient(const SoftmaxGradient& work) {
  if (work.y.layout->size() == 0) return;
  const char* const name = work.logarithm ? "log_softmax backward" : "softmax backward";
  const Index bytes = work.y.layout->size() * (work.logarithm ? kExpBytes : 12);
  const Operand operands[] = {work.dx, work.y, work.g};
  const RowSpace rows(operands, RowOrder::InMemory, nullptr, only(1));
  if (rows.are_side_by_side()) {
    rows.run_side_by_side(name, bytes, kMostSideBySide, [&] { return SideBySide(work, rows); });
  } else {
    rows.run(name, bytes, [&] { return OneByOne(work, rows); });
  }
}

}  // namespace strided
