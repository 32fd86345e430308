// Inner loops of neural networks, over packed rows of float32 or float64.
//
// The caller converts elements of other dtypes, packs strided ones (packed_rows.hpp). Results may be written over the
// inputs, element for element. Pointers may have any alignment.
#pragma once

#include <cstddef>

#include "layout/dims.hpp"

namespace strided::kernels::nn {

// The weighted sums of a few queries: to[h][r][c] += the sum over j < n of weights[h][r][j] *
// values[h][j][c], for h < heads, r < rows and c < columns. Rows of `values` are elements of the loop's
// dtype, packed; the rest are of the dtype that is computed in. Strides are in bytes.
struct WeighWork {
  Index heads, rows, n, columns;
  const std::byte* weights;
  Index weight_head, weight_row;
  const std::byte* values;
  Index value_head, value_row;
  std::byte* to;
  Index to_head, to_row;
};

// scores[h][r][j] = queries[h][r] . keys[h][j], for h < heads, r < rows and j < n, over `length` elements.
// Rows of `keys` are elements of the loop's dtype, packed; the rest are of the dtype that is computed in.
struct ScoreWork {
  Index heads, rows, n, length;
  const std::byte* queries;
  Index query_head, query_row;
  const std::byte* keys;
  Index key_head, key_row;
  std::byte* scores;
  Index score_head, score_row;
};

struct ModelLoops {
  // to = x * factor * weight; a null weight counts as 1.
  void (*scale)(Index n, const std::byte* x, double factor, const std::byte* weight, std::byte* to);
  // (first, second) rotated by angles that are given as cosines and sines.
  void (*rotate)(Index n, const std::byte* first, const std::byte* second, const std::byte* cosine,
                 const std::byte* sine, std::byte* to_first, std::byte* to_second);
  // The same for n pairs of neighbours.
  void (*rotate_pairs)(Index n, const std::byte* x, const std::byte* cosine, const std::byte* sine,
                       std::byte* to);
  // The largest of them, of which NaN is none; -infinity if there is none.
  double (*largest)(Index n, const std::byte* x);
  // to = exp(x - shift), where no x is above the shift; returns the sum. `to` may be x.
  double (*exp_shifted)(Index n, const std::byte* x, double shift, std::byte* to);
  // to = (x - top) - rest, in two steps: together they would lose the last digits of a small rest.
  void (*subtract_twice)(Index n, const std::byte* x, double top, double rest, std::byte* to);
  // to = g - exp(y) * sum, where no y is above 0.
  void (*log_softmax_gradient)(Index n, const std::byte* y, const std::byte* g, double sum, std::byte* to);
  static constexpr const char* kNames[] = {"scale", "rotate", "rotate_pairs", "largest", "exp_shifted",
                                           "subtract_twice", "log_softmax_gradient"};  // for plans, in order
};

// By the dtype of keys and values; computed in float64 for float64, else in float32.
using WeighLoop = void (*)(const WeighWork& work);
using ScoreLoop = void (*)(const ScoreWork& work);

}  // namespace strided::kernels::nn
