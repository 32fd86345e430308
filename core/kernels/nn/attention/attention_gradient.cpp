#include "attention_gradient.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <vector>

#include "attention_rows.hpp"
#include "kernels/matmul/gemm.hpp"
#include "plan/split.hpp"
#include "run/arena.hpp"
#include "run/interrupt.hpp"

namespace strided::kernels::nn {
namespace {

// Fixed: they decide the bits. A block has at most 64 queries and at most 2^16 scores, 256 KiB of float32, unless 8
// queries have more.
constexpr Index kBlockQueries = 64, kLeastQueries = 8;
constexpr Index kMostScores = 1 << 16;

// Rows [first, first + count) of a head as a matrix.
Matrix matrix_of(const HeadRows& rows, Index head, Index first, Index count, Index length) {
  return {rows.at(first, head), rows.dtype, count, length, rows.row, rows.element};
}

// One key head of a sequence, and the query heads that read it.
class Head {
 public:
  Head(const AttentionShape& shape, const AttentionBackward& sequence, Index head, std::size_t bytes)
      : shape_(shape), sequence_(sequence), head_(head), limits_{false, bytes},
        forward_(sequence.forward), past_(forward_.segments[0]), rows_{shape, forward_, head, 0, forward_.count},
        table_(loops().model[shape.compute == DType::Float64]),
        norms_(loops().norms[shape.compute == DType::Float64]),
        size_(itemsize(shape.compute)),
        queries_(std::clamp(kMostScores / std::max<Index>(forward_.keys, 1), kLeastQueries, kBlockQueries)) {}

  void run() {
    Scratch scratch;
    const Index bytes = queries_ * std::max<Index>(forward_.keys, 1) * size_;
    weights_ = scratch.take<std::byte>(bytes);
    score_gradients_ = scratch.take<std::byte>(bytes);
    for (Index member = 0; member < shape_.group(); ++member) {
      for (Index first = 0; first < forward_.count; first += queries_) {
        run_block(member, first, std::min(queries_, forward_.count - first));
      }
    }
  }

 private:
  void run_block(Index member, Index first, Index count) const {
    const Index query_head = head_ * shape_.group() + member;
    const Index keys = visible_keys(shape_, forward_, first + count - 1).end;
    const Matrix q = matrix_of(forward_.query, query_head, first, count, shape_.length);
    const Matrix g = matrix_of(forward_.out, query_head, first, count, shape_.value_length);
    const Matrix to_q = matrix_of(sequence_.to_query, query_head, first, count, shape_.length);
    if (keys == 0) {
      const auto bytes = static_cast<std::size_t>(shape_.length * size_);
      for (Index i = 0; i < count; ++i) std::memset(to_q.at(i, 0), 0, bytes);
      return;
    }
    const Matrix k = matrix_of(past_.key, head_, 0, keys, shape_.length);
    const Matrix v = matrix_of(past_.value, head_, 0, keys, shape_.value_length);
    const Matrix weights{weights_, shape_.compute, count, keys, keys, 1};
    const Matrix score_gradients{score_gradients_, shape_.compute, count, keys, keys, 1};
    multiply(weights, q, k.transposed(), false);
    multiply(score_gradients, g, v.transposed(), false);
    for (Index i = 0; i < count; ++i) {
      check_interrupt();
      softmax_row((first + i) * shape_.group() + member, keys, weights.at(i, 0), score_gradients.at(i, 0));
    }
    multiply(to_q, score_gradients, k, false);
    multiply(matrix_of(sequence_.to_key, head_, 0, keys, shape_.length), score_gradients.transposed(), q, true);
    multiply(matrix_of(sequence_.to_value, head_, 0, keys, shape_.value_length), weights.transposed(), g, true);
  }

  void multiply(const Matrix& c, const Matrix& a, const Matrix& b, bool adds) const {
    check_interrupt();
    if (c.rows == 0 || c.columns == 0) return;
    if (a.columns == 0) {
      const auto bytes = static_cast<std::size_t>(adds ? 0 : c.columns * size_);
      for (Index i = 0; i < c.rows; ++i) std::memset(c.at(i, 0), 0, bytes);
      return;
    }
    matmul::Gemm(c, a, b, shape_.compute, limits_, nullptr, nullptr, adds).run(c.data, a.data, b.data);
  }

  // Products with keys become weights, products of g with values the gradients of the products with keys.
  void softmax_row(Index row, Index keys, std::byte* weights, std::byte* score_gradients) const {
    table_.scale(keys, weights, shape_.scale, nullptr, weights);
    SoftmaxState state;
    softmax_block(rows_, row, 0, keys, weights, state);
    const Index visible = std::min(keys, rows_.visible(row).end);
    const double total = state.total == 0 ? 0 : 1 / state.total;
    table_.scale(keys, weights, total, nullptr, weights);
    const double mean = norms_.dot(visible, weights, score_gradients);
    norms_.softmax_gradient(visible, weights, score_gradients, mean, shape_.scale, score_gradients);
    std::memset(score_gradients + visible * size_, 0, static_cast<std::size_t>((keys - visible) * size_));
  }

  const AttentionShape& shape_;
  const AttentionBackward& sequence_;
  const Index head_;
  const ProductLimits limits_;
  const AttentionSequence& forward_;
  const AttentionSegment& past_;
  const AttentionRows rows_;
  const ModelLoops& table_;
  const NormLoops& norms_;
  const Index size_, queries_;
  std::byte *weights_ = nullptr, *score_gradients_ = nullptr;
};

}  // namespace

void attention_gradient(const AttentionShape& shape, std::span<const AttentionBackward> sequences) {
  const Index tasks = static_cast<Index>(sequences.size()) * shape.key_heads;
  const Index workers = std::min<Index>(thread_count(), tasks);
  if (workers == 0) return;
  const std::size_t bytes = kPanelBytes / static_cast<std::size_t>(workers);
  const RecordScope scope([&] {
    std::vector<const AttentionSequence*> all;
    for (const AttentionBackward& sequence : sequences) all.push_back(&sequence.forward);
    const matmul::ProductLoops::Tiles& tiles = loops().products.tiles[static_cast<int>(shape.compute)];
    const int height = std::countr_zero(static_cast<std::uint64_t>(tiles.rows));
    const NormLoops& norms = loops().norms[shape.compute == DType::Float64];
    InnerLoops named = softmax_loops(shape, *all[0]);
    named.table(tiles.tile[height][tiles.vectors - 1], norms.dot, norms.softmax_gradient);
    return record_of_attention("attention backward", shape, all, tasks,
                               "at most " + std::to_string(kBlockQueries) + " queries by all keys", named);
  });
  run_dynamically(static_cast<int>(workers), tasks, [&](int, Index task) {
    const AttentionBackward& sequence = sequences[static_cast<std::size_t>(task / shape.key_heads)];
    Head(shape, sequence, task % shape.key_heads, bytes).run();
  });
}

}  // namespace strided::kernels::nn
