#include "softmax_gradient.hpp"

#include <algorithm>
#include <cstring>

#include "kernels/nn/across_axis.hpp"
#include "kernels/convert/lane_buffers.hpp"
#include "kernels/nn/row_walk.hpp"
#include "run/interrupt.hpp"
#include "run/pool.hpp"

namespace strided {
namespace {

// One thread's buffers. Lists are read block by block, as often as it takes.
struct Buffers {
  Buffers(const SoftmaxGradient& work, const RowWalk& walk)
      : dx(work.dx.dtype, work.lane, walk.step(0)), y(work.y.dtype, work.lane, walk.step(1)),
        g(work.g.dtype, work.lane, walk.step(2)) {}

  LaneOutput dx;
  LaneInput y, g;
};

// What a thread does to one list.
class RowLists {
 public:
  RowLists(const SoftmaxGradient& work, const RowWalk& walk)
      : model_(loops().model[work.lane == DType::Float64]), norms_(loops().norms[work.lane == DType::Float64]),
        n_(work.y.layout->length(work.y.layout->rank() - 1)), logarithm_(work.logarithm), to_(work, walk),
        block_(to_.dx.in_place(n_) && to_.y.in_place(n_) && to_.g.in_place(n_) ? n_
                                                                                : lanes_per_buffer(work.lane)) {}

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
      std::byte* const lanes = to_.dx.lanes(place, n);
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

// The axis of the lists, which the operands of `ColumnLists` lack: its length, and its steps in bytes.
struct Across {
  Index length, steps[3];
};

// What a thread does to neighbouring lists, step by step.
class ColumnLists {
 public:
  ColumnLists(const SoftmaxGradient& work, const RowWalk& walk, const Across& across)
      : loops_(loops().columns[work.lane == DType::Float64]), across_(across), logarithm_(work.logarithm),
        to_(work, walk) {}

  void run(std::byte* const* row, Index first, Index n) {
    std::byte* const dx = to_.dx.further(row[0], first);
    const std::byte *const ys = to_.y.further(row[1], first), *const gs = to_.g.further(row[2], first);
    const auto y = [&](Index i) { return to_.y.read(ys + i * across_.steps[1], n); };
    const auto g = [&](Index i) { return to_.g.read(gs + i * across_.steps[2], n); };
    std::memset(sums_, 0, sizeof(sums_));
    for (Index i = 0; i < across_.length; ++i) {
      if (logarithm_) {
        loops_.add(n, g(i), sums_);
      } else {
        loops_.add_products(n, g(i), y(i), sums_);
      }
    }
    for (Index i = 0; i < across_.length; ++i) {
      std::byte* const place = dx + i * across_.steps[0];
      (logarithm_ ? loops_.log_slope : loops_.soften)(n, y(i), g(i), sums_, to_.dx.lanes(place, n));
      to_.dx.finish(place, n);
    }
  }

 private:
  const ColumnLoops& loops_;
  const Across& across_;
  const bool logarithm_;
  Buffers to_;
  alignas(64) std::byte sums_[kMostColumns * 8];
};

Index pieces_worth(const SoftmaxGradient& work, Index elements) {
  // exp takes a few times as long as moving an element.
  const Index worth = work.logarithm ? 32 : 12;
  return pieces_for(static_cast<std::size_t>(elements * worth));
}

void along_columns(const SoftmaxGradient& work, int axis) {
  const Operand* const given[] = {&work.dx, &work.y, &work.g};
  const int last = work.y.layout->rank() - 1;
  Across across{work.y.layout->length(last), {}};
  Layout layouts[3];
  Operand operands[3];
  for (int k = 0; k < 3; ++k) {
    across.steps[k] = given[k]->step(last);
    layouts[k] = without_last(*given[k]->layout, axis);
    operands[k] = {given[k]->storage, &layouts[k], given[k]->dtype};
  }
  const RowWalk walk(operands);
  const Index columns = layouts[1].length(layouts[1].rank() - 1);
  const Index worth = pieces_worth(work, work.y.layout->size());
  const Index block = columns_at_a_time(columns, walk.count(), worth);
  const Index blocks = (columns + block - 1) / block, units = walk.count() * blocks;
  const Index pieces = std::min(units, worth), share = (units + pieces - 1) / pieces;
  run_pieces(static_cast<int>((units + share - 1) / share), [&](int piece) {
    ColumnLists lists(work, walk, across);
    for (Index unit = piece * share; unit < std::min(units, (piece + 1) * share); ++unit) {
      check_interrupt();
      const Index first = unit % blocks * block;
      walk.run(unit / blocks, unit / blocks + 1,
               [&](std::byte* const* row) { lists.run(row, first, std::min(block, columns - first)); });
    }
  });
}

}  // namespace

void softmax_gradient(const SoftmaxGradient& work) {
  if (work.y.layout->size() == 0) return;
  if (const int axis = closer_axis(*work.y.layout); axis >= 0) return along_columns(work, axis);
  const Operand operands[] = {work.dx, work.y, work.g};
  const RowWalk walk(operands);
  const Index rows = walk.count(), pieces = std::min(rows, pieces_worth(work, work.y.layout->size()));
  const Index share = (rows + pieces - 1) / pieces;
  run_pieces(static_cast<int>((rows + share - 1) / share), [&](int piece) {
    RowLists own(work, walk);
    walk.run(piece * share, std::min(rows, (piece + 1) * share), [&](std::byte* const* row) { own.run(row); });
  });
}

}  // namespace strided
