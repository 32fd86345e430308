// Softmax along an axis that lies across memory: many neighbouring lists at a time, step by step.
#include <algorithm>
#include <cstring>

#include "kernels/nn/across_axis.hpp"
#include "kernels/convert/lane_buffers.hpp"
#include "kernels/nn/row_walk.hpp"
#include "softmax.hpp"
#include "run/interrupt.hpp"
#include "run/pool.hpp"

namespace strided {
namespace {

constexpr Index kBytesWorth = 32;  // exp takes a few times as long as moving an element

// One thread's buffers, and what it does to the lists of a few columns.
class Columns {
 public:
  Columns(const Operand& out, const Operand& x, const SoftmaxAcross& across, const RowWalk& walk, bool logarithm,
          DType lane)
      : across_(across), logarithm_(logarithm), lane_(lane), size_(itemsize(lane)),
        in_(x.dtype, lane, walk.step(1)), out_(out.dtype, lane, walk.step(0)) {}

  void run(std::byte* out, const std::byte* x, Index count) {
    const auto read = [&](Index i) { return in_.read(x + i * across_.x_step, count); };
    std::memcpy(top_, read(0), static_cast<std::size_t>(count * size_));
    for (Index i = 1; i < across_.length; ++i) apply(Op::Maximum, count, top_, top_, read(i));
    std::memset(sum_, 0, sizeof(sum_));
    // What is raised waits in its place, unless that holds another dtype.
    const bool waits = !logarithm_ && out_.in_place(count);
    for (Index i = 0; i < across_.length; ++i) {
      std::byte* const to = waits ? out + i * across_.out_step : raised_;
      raise(count, read(i), to);
      apply(Op::Add, count, sum_, sum_, to);
    }
    apply(logarithm_ ? Op::Log : Op::Reciprocal, count, sum_, sum_);
    for (Index i = 0; i < across_.length; ++i) {
      std::byte* const place = out + i * across_.out_step;
      std::byte* const lanes = out_.lanes(place, count);
      if (logarithm_) {
        apply(Op::Subtract, count, lanes, read(i), top_);
        apply(Op::Subtract, count, lanes, lanes, sum_);
      } else {
        if (!waits) raise(count, read(i), raised_);
        apply(Op::Multiply, count, lanes, waits ? lanes : raised_, sum_);
      }
      out_.finish(place, count);
    }
  }

 private:
  template <class... Inputs>
  void apply(Op op, Index n, std::byte* to, const Inputs*... inputs) const {
    std::byte* const places[] = {to, const_cast<std::byte*>(inputs)...};
    const Index steps[] = {size_, size_, size_};
    loops().elementwise[static_cast<int>(op)][static_cast<int>(lane_)](n, places, steps);
  }
  void raise(Index n, const std::byte* x, std::byte* to) const {
    apply(Op::Subtract, n, to, x, top_);
    apply(Op::Exp, n, to, to);
  }

  const SoftmaxAcross across_;
  const bool logarithm_;
  const DType lane_;
  const Index size_;
  LaneInput in_;
  LaneOutput out_;
  alignas(64) std::byte top_[kMostColumns * 8], sum_[kMostColumns * 8], raised_[kMostColumns * 8];
};

}  // namespace

void softmax_across(const Operand& out, const Operand& x, const SoftmaxAcross& across, bool logarithm,
                    DType lane) {
  const Operand operands[] = {out, x};
  const RowWalk walk(operands);
  const Index columns = x.layout->length(x.layout->rank() - 1);
  const Index elements = x.layout->size() * across.length;
  const Index worth = pieces_for(static_cast<std::size_t>(elements * kBytesWorth));
  const Index block = columns_at_a_time(columns, walk.count(), worth);
  const Index blocks = (columns + block - 1) / block, units = walk.count() * blocks;
  const Index pieces = std::min(units, worth), share = (units + pieces - 1) / pieces;
  run_pieces(static_cast<int>((units + share - 1) / share), [&](int piece) {
    Columns lists(out, x, across, walk, logarithm, lane);
    for (Index unit = piece * share; unit < std::min(units, (piece + 1) * share); ++unit) {
      check_interrupt();
      const Index first = unit % blocks * block, count = std::min(block, columns - first);
      walk.run(unit / blocks, unit / blocks + 1, [&](std::byte* const* row) {
        lists.run(row[0] + first * walk.step(0), row[1] + first * walk.step(1), count);
      });
    }
  });
}

}  // namespace strided
