// Layers of neural networks on tensors: shapes, dtypes, where the result goes.
//
// All take any strides and float dtypes and compute in float32, or in float64 if an input has that. Results
// are rounded once, to the dtype of where they go. An `out` may share memory with an input: the result is as if
// inputs had been read first, and an input that lies exactly there needs no temporary.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "tensor.hpp"

namespace strided {

// Where a result goes: into `out`, or into a fresh tensor of `dtype` (if none is said, that of the inputs).
struct Target {
  const Tensor* out = nullptr;
  std::optional<DType> dtype;
};

// x @ weight.T + bias over the last axis of x; the weight has the shape (n, k), the bias (n,) or is null. With
// `rows` (null, or integers of shape (T,)) x has the shape (T, k), and row t goes to row rows[t] of target.out,
// whose axes after the first have n elements in all. Raises ShapeMismatch, DTypeMismatch, IndexOutOfBounds.
Tensor linear(const Tensor& x, const Tensor& weight, const Tensor* bias, const Tensor* rows,
              const Target& target);

// x / sqrt(mean(x^2) + eps) * weight over the last axis; the weight has rank 1 or is null.
Tensor rms_norm(const Tensor& x, const Tensor* weight, double eps, const Target& target);

// Rotary embedding of x (..., heads, d) by cosines and sines (..., h), 2 h <= d, that broadcast to the axes of
// x before the last; of rank 2 they are (T, h) for x of rank 3. `rows` as in linear, of the first axis.
Tensor rope(const Tensor& x, const Tensor& cosine, const Tensor& sine, bool interleaved, const Tensor* rows,
            const Target& target);

// silu(gate) * up
Tensor swiglu(const Tensor& gate, const Tensor& up, const Target& target);

Tensor softmax(const Tensor& x, Index dim, bool logarithm, const Target& target);

// Rows of the weight (vocabulary, n) for integers of any shape: shape + (n,). A logged copy.
Tensor embedding(const Tensor& tokens, const Tensor& weight, const Target& target);

// Keys and values (n, key_heads, d), oldest first.
struct KeyValues {
  Tensor key, value;
};
struct QuerySequence {
  Index count;  // of queries: they are the last of the keys' positions
  std::vector<KeyValues> past;
};
struct AttentionOptions {
  std::optional<double> scale;    // 1 / sqrt(d)
  std::optional<Index> window;    // how many keys a query sees at most
};
// Causal attention of queries (T, heads, d), sequence after sequence.
Tensor attention(const Tensor& query, std::span<const QuerySequence> sequences,
                 const AttentionOptions& options, const Target& target);

// Attention of (..., heads, L, d) queries to (..., key_heads, S, d) keys. The mask, which may be null,
// broadcasts to (..., heads, L, S). `causal`: query i sees keys 0 .. i.
Tensor dot_product_attention(const Tensor& query, const Tensor& key, const Tensor& value, const Tensor* mask,
                             bool causal, std::optional<double> scale, bool grouped);

// The dtype in which activations should be stored for a product of `rows` of them with this weight.
DType activation_dtype(DType weight, Index rows);

}  // namespace strided
