// The backward pass of attention on tensors.
#include <algorithm>

#include "attention_parts.hpp"
#include "dtype/promotion.hpp"
#include "errors.hpp"
#include "gradients.hpp"
#include "kernels/nn/attention/attention_gradient.hpp"
#include "kernels/copy/copy.hpp"
#include "targets.hpp"

namespace strided {
namespace {

constexpr const char* kName = "scaled_dot_product_attention";

// The shape of `like`, with other lengths of the last two axes.
Dims shaped(const Layout& like, Index positions, Index length) {
  Dims shape = like.shape();
  shape[like.rank() - 2] = positions;
  shape[like.rank() - 1] = length;
  return shape;
}

void expect(const Tensor& x, Span expected) {
  require_float(kName, "an operand", x.dtype);
  require_shape(kName, expected, x.layout.shape(), "operands have equal lengths before their heads");
}

Tensor zeroed(Tensor made) {
  const std::byte zero[16] = {};
  kernels::copy::fill(made.operand(), zero);
  return made;
}

}  // namespace

AttentionGradients attention_gradients(const Tensor& g, const Tensor& query, const Tensor& key,
                                       const Tensor& value, const Tensor* mask, bool causal,
                                       std::optional<double> scale) {
  const Layout &q = query.layout, &k = key.layout, &v = value.layout;
  if (q.rank() < 3 || k.rank() != q.rank() || v.rank() != q.rank()) {
    throw errors::shape_mismatch(kName, q.shape(), k.shape(),
                                 "query, key and value are (..., heads, positions, d)");
  }
  const int rank = q.rank(), batch = rank - 3;
  const Index heads = q.length(batch), key_heads = k.length(batch), keys = k.length(rank - 2);
  const Index count = q.length(rank - 2), length = q.length(rank - 1), value_length = v.length(rank - 1);
  Dims scores = shaped(q, count, keys);
  Dims expected = shaped(q, keys, length);
  expected[batch] = key_heads;
  expect(query, q.shape());
  expect(key, expected);
  expected[rank - 1] = value_length;
  expect(value, expected);
  expect(g, shaped(q, count, value_length));
  if (key_heads == 0 ? heads != 0 : heads % key_heads != 0) {
    throw errors::shape_mismatch(kName, q.shape(), k.shape(),
                                 "the number of query heads is a multiple of the number of key heads");
  }
  if (mask != nullptr && mask->dtype != DType::Bool) require_float(kName, "attn_mask", mask->dtype);
  const Layout m = mask == nullptr ? Layout{} : broadcast_to(mask->layout, scores);
  const DType keyed = promote(kName, key.dtype, value.dtype);
  const DType common = promote(kName, promote(kName, query.dtype, g.dtype), keyed);
  const DType compute = compute_dtype_for(common, {});
  AttentionGradients made{empty_rows_like(q, q.shape(), compute), zeroed(empty_rows_like(k, k.shape(), compute)),
                          zeroed(empty_rows_like(v, v.shape(), compute))};
  if (heads == 0) return made;
  const kernels::nn::AttentionShape shape{heads, key_heads, length, value_length, scale_for(scale, length),
                                          kNoWindow, compute};
  const auto at = [&](const Tensor& x) { return offsets_of(x.layout, batch); };
  const auto q_at = at(query), k_at = at(key), v_at = at(value), g_at = at(g);
  const auto dq_at = at(made.query), dk_at = at(made.key), dv_at = at(made.value);
  const auto m_at = mask == nullptr ? std::vector<Index>{} : offsets_of(m, batch);
  std::vector<kernels::nn::AttentionSegment> segments;
  for (std::size_t i = 0; i < q_at.size(); ++i) {
    segments.push_back({heads_of(key, k, k_at[i]), heads_of(value, v, v_at[i]), keys});
  }
  std::vector<kernels::nn::AttentionBackward> sequences;
  for (std::size_t i = 0; i < q_at.size(); ++i) {
    const auto own_mask = mask == nullptr ? kernels::nn::AttentionMask{} : mask_of(*mask, m, m_at[i]);
    sequences.push_back({{count, heads_of(query, q, q_at[i]), heads_of(g, g.layout, g_at[i]), {&segments[i], 1}, keys,
                          causal ? 0 : keys, own_mask},
                         heads_of(made.query, made.query.layout, dq_at[i]),
                         heads_of(made.key, made.key.layout, dk_at[i]),
                         heads_of(made.value, made.value.layout, dv_at[i])});
  }
  kernels::nn::attention_gradient(shape, sequences);
  return made;
}

}  // namespace strided
