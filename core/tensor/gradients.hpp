// Layers of neural networks whose backward pass has kernels of its own: shapes and dtypes, as in model.hpp.
//
// Gradients are fresh tensors of the dtype that is computed in: float64 if an input has it, else float32.
#pragma once

#include <optional>

#include "kernels/nn/max_pool.hpp"
#include "model.hpp"

namespace strided {

// (x - mean(x)) / sqrt(variance(x) + eps) * weight + bias over the last axis; weight and bias have rank 1
// or are null.
Tensor row_norm(const Tensor& x, const Tensor* weight, const Tensor* bias, double eps, const Target& target);

// Which gradients of a norm are computed.
struct NormWanted {
  bool x, weights;
};
struct NormGradients {
  std::optional<Tensor> x;
  std::optional<Tensor> weights;  // one row for the weight, and for layer_norm (`centred`) one for the bias
};
NormGradients norm_gradients(const Tensor& g, const Tensor& x, const Tensor* weight, double eps, bool centred,
                             NormWanted wanted);

// (x - mean) / sqrt(variance + eps) * weight + bias for x (n, channels, ...), with the mean and the variance of
// each channel, which are float64. weight and bias have a number per channel or are null.
struct ChannelNormed {
  Tensor out, mean, variance;
};
ChannelNormed channel_norm(const Tensor& x, const Tensor* weight, const Tensor* bias, double eps);
struct ChannelNormGradients {
  std::optional<Tensor> x;
  Tensor weight, bias;
};
ChannelNormGradients channel_norm_gradients(const Tensor& g, const Tensor& x, const Tensor* weight,
                                            const Tensor& mean, const Tensor& variance, double eps,
                                            bool wants_x);

// Of softmax or its logarithm along an axis, from the result y; of its dtype.
Tensor softmax_gradient(const Tensor& g, const Tensor& y, Index dim, bool logarithm);

// Of dot_product_attention with query, key and value of one rank, at least 3, and equal lengths before the
// heads.
struct AttentionGradients {
  Tensor query, key, value;
};
AttentionGradients attention_gradients(const Tensor& g, const Tensor& query, const Tensor& key,
                                       const Tensor& value, const Tensor* mask, bool causal,
                                       std::optional<double> scale);

// Losses of scores x (rows, classes) by target classes (rows,), of which `ignored` is left out.
enum class LossOver { Each, Mean, Sum };
struct CrossEntropyOptions {
  Index ignored;
  double smoothing;
  LossOver over;
};
struct CrossEntropy {
  Tensor loss;  // one per row, or one in all
  Tensor logs;  // log(sum(exp(x))) per row, float64
};
CrossEntropy cross_entropy(const Tensor& x, const Tensor& target, const CrossEntropyOptions& options);
Tensor cross_entropy_gradient(const Tensor& g, const Tensor& x, const Tensor& target, const Tensor& logs,
                              const CrossEntropyOptions& options);

// The largest elements of windows of x (n, c, h, w), and their places in an image as int32. x is float32 or
// float64.
struct MaxPool {
  Tensor largest, places;
};
MaxPool max_pool(const Tensor& x, const kernels::nn::PoolWindows& windows, Index rows, Index columns);
Tensor max_pool_gradient(const Tensor& g, const Tensor& places, Index rows, Index columns);

}  // namespace strided
