// Softmax of adjacent rows: many at a time, one element of each after the other.
#include <algorithm>
#include <cstring>

#include "kernels/nn/inner_loops.hpp"
#include "kernels/nn/packed_rows.hpp"
#include "kernels/nn/row_space.hpp"
#include "run/interrupt.hpp"
#include "softmax.hpp"

namespace strided::kernels::nn {
namespace {

// One thread's buffers, and what it does to a few rows.
class SoftmaxColumns {
 public:
  SoftmaxColumns(const RowSpace& rows, DType out, DType x, bool logarithm, DType compute)
      : length_(rows.length()), out_step_(rows.step(0)), x_step_(rows.step(1)), logarithm_(logarithm),
        compute_(compute),
        size_(itemsize(compute)), in_(x, compute, rows.adjacent_step(1)), out_(out, compute, rows.adjacent_step(0)) {}

  void run(std::byte* const* first, Index count) {
    std::byte* const out = first[0];
    const auto read = [&](Index i) { return in_.read(first[1] + i * x_step_, count); };
    std::memcpy(top_, read(0), static_cast<std::size_t>(count * size_));
    InterruptCheck check;
    for (Index i = 1; i < length_; ++i) {
      apply(Op::Maximum, count, top_, top_, read(i));
      check.after(count);
    }
    std::memset(sum_, 0, sizeof(sum_));
    // Exponentials wait where the result goes, unless that has another dtype.
    const bool waits = !logarithm_ && out_.in_place(count);
    for (Index i = 0; i < length_; ++i) {
      std::byte* const to = waits ? out + i * out_step_ : exps_;
      exp_shifted(count, read(i), to);
      apply(Op::Add, count, sum_, sum_, to);
      check.after(count);
    }
    apply(logarithm_ ? Op::Log : Op::Reciprocal, count, sum_, sum_);
    for (Index i = 0; i < length_; ++i) {
      std::byte* const place = out + i * out_step_;
      std::byte* const packed = out_.place(place, count);
      if (logarithm_) {
        apply(Op::Subtract, count, packed, read(i), top_);
        apply(Op::Subtract, count, packed, packed, sum_);
      } else {
        if (!waits) exp_shifted(count, read(i), exps_);
        apply(Op::Multiply, count, packed, waits ? packed : exps_, sum_);
      }
      out_.finish(place, count);
      check.after(count);
    }
  }

 private:
  template <class... Inputs>
  void apply(Op op, Index n, std::byte* to, const Inputs*... inputs) const {
    std::byte* const places[] = {to, const_cast<std::byte*>(inputs)...};
    const Index steps[] = {size_, size_, size_};
    loops().elementwise[static_cast<int>(op)][static_cast<int>(compute_)](n, places, steps);
  }
  void exp_shifted(Index n, const std::byte* x, std::byte* to) const {
    apply(Op::Subtract, n, to, x, top_);
    apply(Op::Exp, n, to, to);
  }

  const Index length_, out_step_, x_step_;
  const bool logarithm_;
  const DType compute_;
  const Index size_;
  convert::PackedInput in_;
  convert::PackedOutput out_;
  alignas(64) std::byte top_[kMostAdjacent * 8], sum_[kMostAdjacent * 8], exps_[kMostAdjacent * 8];
};

}  // namespace

void softmax_across(const RowSpace& rows, DType out, DType x, bool logarithm, DType compute) {
  const auto names = [&] {
    InnerLoops named(compute);
    named.elementwise({Op::Maximum, Op::Subtract, Op::Exp, Op::Add});
    logarithm ? named.elementwise({Op::Log}) : named.elementwise({Op::Reciprocal, Op::Multiply});
    return named.read(x, rows.adjacent_step(1)).written(out, rows.adjacent_step(0)).names();
  };
  rows.run_adjacent(softmax_name(logarithm), rows.count() * rows.length() * kExpBytes, kMostAdjacent, names,
                        [&] { return SoftmaxColumns(rows, out, x, logarithm, compute); });
}

}  // namespace strided::kernels::nn
