// Attention on tensors: which axes are heads, positions and elements, and whether they fit together.
#include "attention_parts.hpp"

#include <algorithm>
#include <string>

#include "dtype/promotion.hpp"
#include "errors.hpp"
#include "model.hpp"
#include "targets.hpp"

namespace strided {
namespace {

// (positions, heads, elements)
kernels::nn::HeadRows head_rows(const Tensor& x) {
  return {x.data(), x.dtype, x.layout.stride(0), x.layout.stride(1), x.layout.stride(2)};
}

[[noreturn]] void refuse(const char* operation, Span expected, Span got, const char* hint) {
  throw errors::shape_mismatch(operation, expected, got, hint);
}

// What all segments of a call must agree on, and the segments as kernels see them.
class Pasts {
 public:
  Pasts(const Tensor& query, std::span<const QuerySequence> sequences) : query_(query), common_(query.dtype) {
    if (query.layout.rank() != 3) {
      const Index any[] = {-1, -1, -1};
      refuse("attention", any, query.layout.shape(), "the query is (T, heads, d)");
    }
    shape_.heads = query.layout.length(1);
    shape_.length = query.layout.length(2);
    shape_.key_heads = shape_.value_length = -1;
    Index count = 0;
    for (const QuerySequence& sequence : sequences) {
      if (sequence.count < 0) {
        throw errors::invalid_argument("sequences", std::to_string(sequence.count) + " queries",
                                       "must not have fewer than 0");
      }
      count += sequence.count;
      for (const KeyValues& past : sequence.past) check(past);
    }
    if (count != query.layout.length(0)) {
      const Index expected[] = {count, shape_.heads, shape_.length};
      refuse("attention", expected, query.layout.shape(),
             "the counts of the sequences add up to the number of queries");
    }
    if (shape_.key_heads < 0) shape_.key_heads = 1, shape_.value_length = shape_.length;
  }

  kernels::nn::AttentionShape& shape() { return shape_; }
  DType common() const { return common_; }

 private:
  void check(const KeyValues& past) {
    require_float("attention", "key", past.key.dtype);
    require_float("attention", "value", past.value.dtype);
    const Layout &key = past.key.layout, &value = past.value.layout;
    if (key.rank() != 3 || value.rank() != 3 || key.length(0) != value.length(0) ||
        key.length(1) != value.length(1)) {
      refuse("attention", key.shape(), value.shape(), "keys and values are (n, key_heads, d)");
    }
    if (shape_.key_heads < 0) shape_.key_heads = key.length(1), shape_.value_length = value.length(2);
    const Index expected[] = {key.length(0), shape_.key_heads, shape_.length};
    if (key.length(1) != shape_.key_heads || key.length(2) != shape_.length) {
      refuse("attention", expected, key.shape(), "all keys have as many heads, as long as those of the query");
    }
    if (value.length(2) != shape_.value_length) {
      const Index values[] = {value.length(0), shape_.key_heads, shape_.value_length};
      refuse("attention", values, value.shape(), "all values are equally long");
    }
    if (shape_.key_heads == 0 ? shape_.heads != 0 : shape_.heads % shape_.key_heads != 0) {
      refuse("attention", query_.layout.shape(), key.shape(),
             "the number of query heads is a multiple of the number of key heads");
    }
    common_ = promote("attention", common_, promote("attention", past.key.dtype, past.value.dtype));
  }

  const Tensor& query_;
  DType common_;
  kernels::nn::AttentionShape shape_{};
};

}  // namespace

Tensor attention(const Tensor& query, std::span<const QuerySequence> sequences,
                 const AttentionOptions& options, const Target& target) {
  require_float("attention", "query", query.dtype);
  Pasts pasts(query, sequences);
  kernels::nn::AttentionShape& shape = pasts.shape();
  if (options.window && *options.window < 1) {
    throw errors::invalid_argument("window", std::to_string(*options.window), "must be at least 1, or None");
  }
  shape.scale = scale_for(options.scale, shape.length);
  shape.window = std::min(options.window.value_or(kNoWindow), kNoWindow);
  shape.compute = compute_dtype_for(pasts.common(), target);
  const Index result[] = {query.layout.length(0), shape.heads, shape.value_length};
  Tensor out = target_for("attention", result, query.dtype, target);
  const LayerInput from(target.out, &query);
  std::vector<KeyValues> kept;
  for (const QuerySequence& sequence : sequences) {
    for (const KeyValues& past : sequence.past) {
      if (target.out == nullptr) kept.push_back(past);
      else kept.push_back({apart_from(out, past.key, false), apart_from(out, past.value, false)});
    }
  }
  std::vector<kernels::nn::AttentionSegment> segments;
  for (const KeyValues& past : kept) {
    segments.push_back({head_rows(past.key), head_rows(past.value), past.key.layout.length(0)});
  }
  std::vector<kernels::nn::AttentionSequence> runs;
  kernels::nn::HeadRows queries = head_rows(*from), results = head_rows(out);
  std::size_t first = 0;
  for (const QuerySequence& sequence : sequences) {
    kernels::nn::AttentionSequence run{sequence.count, queries, results, {}, 0, 0, {}};
    run.segments = std::span(segments).subspan(first, sequence.past.size());
    for (const kernels::nn::AttentionSegment& segment : run.segments) run.keys += segment.count;
    if (run.keys < sequence.count) {
      throw errors::invalid_argument("sequences",
                                     std::to_string(run.keys) + " keys for " +
                                         std::to_string(sequence.count) + " queries",
                                     "must have the keys of their own queries too");
    }
    run.before = run.keys - sequence.count;
    first += sequence.past.size();
    queries.data = queries.at(sequence.count, 0);
    results.data = results.at(sequence.count, 0);
    runs.push_back(run);
  }
  out.storage->bump_version("attention");
  if (out.layout.size() > 0) kernels::nn::attention(shape, runs);
  return out;
}

Tensor dot_product_attention(const Tensor& query, const Tensor& key, const Tensor& value, const Tensor* mask,
                             bool causal, std::optional<double> scale, bool grouped) {
  constexpr const char* kName = "scaled_dot_product_attention";
  require_float(kName, "query", query.dtype);
  require_float(kName, "key", key.dtype);
  require_float(kName, "value", value.dtype);
  const auto with_heads = [&](const Tensor& x) {
    if (x.layout.rank() < 2) {
      const Index any[] = {-1, -1, -1};
      refuse(kName, any, x.layout.shape(), "query, key and value are (..., heads, positions, d)");
    }
    return x.layout.rank() == 2 ? unsqueezed(x.layout, 0) : x.layout;
  };
  const Layout q = with_heads(query), k = with_heads(key), v = with_heads(value);
  const auto from_last = [](const Layout& layout, int i) { return layout.length(layout.rank() - 1 - i); };
  if (from_last(q, 0) != from_last(k, 0)) refuse(kName, q.shape(), k.shape(), "queries and keys are equally long");
  if (from_last(k, 1) != from_last(v, 1) || from_last(k, 2) != from_last(v, 2)) {
    refuse(kName, k.shape(), v.shape(), "there is one value per key and head");
  }
  const Index heads = from_last(q, 2), key_heads = from_last(k, 2);
  const bool fits = heads == key_heads || key_heads == 1 ||
                    (grouped && key_heads > 0 && heads % key_heads == 0);
  if (!fits) {
    refuse(kName, q.shape(), k.shape(),
           grouped || key_heads == 0 || heads % key_heads != 0
               ? "the number of query heads is a multiple of the number of key heads"
               : "share heads with enable_gqa=True");
  }
  const Dims batch = broadcast_shape(broadcast_shape(batch_of(q), batch_of(k)), batch_of(v));
  const Layout q_all = in_batch(q, batch), k_all = in_batch(k, batch), v_all = in_batch(v, batch);
  const DType common = promote(kName, query.dtype, promote(kName, key.dtype, value.dtype));
  Dims result = batch;
  for (const Index length : {heads, from_last(q, 1), from_last(v, 0)}) result.push_back(length);
  Layout m_all;
  if (mask != nullptr) {
    if (mask->dtype != DType::Bool) require_float(kName, "attn_mask", mask->dtype);
    Dims scores = batch;
    for (const Index length : {heads, from_last(q, 1), from_last(k, 1)}) scores.push_back(length);
    if (!std::ranges::equal(broadcast_shape(scores, mask->layout.shape()), scores)) {
      refuse(kName, scores, mask->layout.shape(), "the mask broadcasts to (..., heads, queries, keys)");
    }
    m_all = broadcast_to(mask->layout, scores);
  }
  Tensor out = empty_rows_like(q_all, result, common);
  const bool has_heads = query.layout.rank() > 2 || key.layout.rank() > 2 || value.layout.rank() > 2;
  const auto made = [&] { return has_heads ? out : Tensor{out.storage, selected(out.layout, 0, 0), common}; };
  if (out.layout.size() == 0) return made();
  const int rank = batch.size();
  const auto q_at = offsets_of(q_all, rank), k_at = offsets_of(k_all, rank), v_at = offsets_of(v_all, rank);
  const auto o_at = offsets_of(out.layout, rank);
  const auto m_at = mask == nullptr ? std::vector<Index>{} : offsets_of(m_all, rank);
  const kernels::nn::AttentionShape shape{heads,           key_heads, from_last(q, 0),       from_last(v, 0),
                             scale_for(scale, from_last(q, 0)), kNoWindow, compute_dtype_for(common, {})};
  std::vector<kernels::nn::AttentionSegment> segments;
  for (std::size_t i = 0; i < q_at.size(); ++i) {
    segments.push_back({heads_of(key, k_all, k_at[i]), heads_of(value, v_all, v_at[i]), from_last(k, 1)});
  }
  std::vector<kernels::nn::AttentionSequence> runs;
  for (std::size_t i = 0; i < q_at.size(); ++i) {
    kernels::nn::AttentionSequence run{
        from_last(q, 1), heads_of(query, q_all, q_at[i]), heads_of(out, out.layout, o_at[i]),
        std::span(segments).subspan(i, 1), from_last(k, 1), causal ? 0 : from_last(k, 1), {}};
    if (mask != nullptr) run.mask = mask_of(*mask, m_all, m_at[i]);
    runs.push_back(run);
  }
  kernels::nn::attention(shape, runs);
  return made();
}

}  // namespace strided
