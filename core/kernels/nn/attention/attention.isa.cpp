// Attention of a few queries to many keys, for one instruction set.
//
// Keys and values are read once for all queries that share them, so memory sets the pace. The rows of a head
// lie apart, with those of other heads between them: a few positions are taken for all heads before the next,
// and the same rows of the next few are asked for meanwhile.
#include "kernels/fill_loops.hpp"
#include "kernels/matmul/row_totals.hpp"

namespace strided::kernels::nn::STRIDED_ISA {
namespace {

constexpr Index kRowsAhead = 8;
constexpr Index kFewKeys = 4, kFewValues = 8;  // positions that are taken for all heads before the next

// How many sums the registers hold beside what is added to them.
#if defined(__AVX512F__) || defined(__aarch64__)
constexpr Index kKeysAtOnce = 4, kVectorsAtOnce = 4;
#else
constexpr Index kKeysAtOnce = 2, kVectorsAtOnce = 2;
#endif

constexpr int at(DType dtype) { return static_cast<int>(dtype); }

template <class T>
constexpr Index kSize = static_cast<Index>(sizeof(T));

// ---- queries times keys ----

template <class T, class From, Index kRows, Index kKeys>
[[gnu::always_inline]] inline void score_some(const ScoreWork& work, Index r, Index j) {
  using V = Vector<T>;
  constexpr Index kInLine = kLine / kSize<From>;
  constexpr Index kStep = kInLine > kLanes<T> ? kInLine : kLanes<T>;
  const std::byte* const queries = work.queries + r * work.query_row;
  const std::byte* const keys = work.keys + j * work.key_row;
  V sums[kRows * kKeys];
#pragma GCC unroll 16
  for (V& sum : sums) sum = V{};
  const auto add = [&](Index p) __attribute__((always_inline)) {
    V query[kRows];
#pragma GCC unroll 4
    for (Index i = 0; i < kRows; ++i) query[i] = load_vector<V>(queries + i * work.query_row + p * kSize<T>);
#pragma GCC unroll 4
    for (Index k = 0; k < kKeys; ++k) {
      const V key = load_lanes<T, From, kLanes<T>>(keys + k * work.key_row + p * kSize<From>);
#pragma GCC unroll 4
      for (Index i = 0; i < kRows; ++i) sums[i * kKeys + k] += query[i] * key;
    }
  };
  Index p = 0;
  for (; p + kStep <= work.length; p += kStep) {
#pragma GCC unroll 4
    for (Index k = 0; k < kKeys; ++k) {
      __builtin_prefetch(keys + (k + kRowsAhead) * work.key_row + p * kSize<From>);
    }
#pragma GCC unroll 8
    for (Index q = 0; q < kStep; q += kLanes<T>) add(p + q);
  }
  for (; p + kLanes<T> <= work.length; p += kLanes<T>) add(p);
  T sum[kRows * kKeys + kLanes<T>];  // whole vectors are written
  totals<T, kRows * kKeys>(sums, sum);
  for (; p < work.length; ++p) {
    for (Index i = 0; i < kRows; ++i) {
      const T query = load_lane<T, T>(queries + i * work.query_row + p * kSize<T>);
      for (Index k = 0; k < kKeys; ++k) {
        sum[i * kKeys + k] += query * load_lane<T, From>(keys + k * work.key_row + p * kSize<From>);
      }
    }
  }
  for (Index i = 0; i < kRows; ++i) {
    std::memcpy(work.scores + (r + i) * work.score_row + j * kSize<T>, sum + i * kKeys, kKeys * sizeof(T));
  }
}

template <class T, class From>
void score_head(const ScoreWork& work) {
  Index j = 0;
  const auto walk = [&]<Index keys>() {
    for (; j + keys <= work.n; j += keys) {
      Index r = 0;
      for (; r + 4 <= work.rows; r += 4) score_some<T, From, 4, keys>(work, r, j);
      for (; r + 2 <= work.rows; r += 2) score_some<T, From, 2, keys>(work, r, j);
      for (; r < work.rows; ++r) score_some<T, From, 1, keys>(work, r, j);
    }
  };
  walk.template operator()<kKeysAtOnce>();
  walk.template operator()<1>();
}

template <class T, class From>
void score(const ScoreWork& work) {
  ScoreWork some = work;
  for (Index j = 0; j < work.n; j += kFewKeys) {
    some.n = work.n - j < kFewKeys ? work.n - j : kFewKeys;
    for (Index h = 0; h < work.heads; ++h) {
      some.queries = work.queries + h * work.query_head;
      some.keys = work.keys + h * work.key_head + j * work.key_row;
      some.scores = work.scores + h * work.score_head + j * kSize<T>;
      score_head<T, From>(some);
    }
  }
}

// ---- weights times values ----

template <class T, class From, Index kRows, Index kVectors>
[[gnu::always_inline]] inline void weigh_some(const WeighWork& work, Index r, Index c) {
  using V = Vector<T>;
  constexpr Index kWidth = kVectors * kLanes<T> * kSize<From>;
  std::byte* const to = work.to + r * work.to_row + c * kSize<T>;
  const std::byte* const weights = work.weights + r * work.weight_row;
  const std::byte* row = work.values + c * kSize<From>;
  V sums[kRows][kVectors];
#pragma GCC unroll 4
  for (Index i = 0; i < kRows; ++i) {
#pragma GCC unroll 4
    for (Index v = 0; v < kVectors; ++v) sums[i][v] = load_vector<V>(to + i * work.to_row + v * kVectorBytes);
  }
  for (Index j = 0; j < work.n; ++j) {
    V value[kVectors];
#pragma GCC unroll 4
    for (Index line = 0; line < kWidth; line += kLine) {
      __builtin_prefetch(row + kRowsAhead * work.value_row + line);
    }
#pragma GCC unroll 4
    for (Index v = 0; v < kVectors; ++v) {
      value[v] = load_lanes<T, From, kLanes<T>>(row + v * kLanes<T> * kSize<From>);
    }
#pragma GCC unroll 4
    for (Index i = 0; i < kRows; ++i) {
      const V weight = load_lane<T, T>(weights + i * work.weight_row + j * kSize<T>) - V{};
#pragma GCC unroll 4
      for (Index v = 0; v < kVectors; ++v) sums[i][v] += weight * value[v];
    }
    row += work.value_row;
  }
#pragma GCC unroll 4
  for (Index i = 0; i < kRows; ++i) {
#pragma GCC unroll 4
    for (Index v = 0; v < kVectors; ++v) store_vector(to + i * work.to_row + v * kVectorBytes, sums[i][v]);
  }
}

// The last columns, fewer than a vector.
template <class T, class From>
void weigh_rest(const WeighWork& work, Index r, Index c) {
  for (; c < work.columns; ++c) {
    std::byte* const place = work.to + r * work.to_row + c * kSize<T>;
    T sum = load_lane<T, T>(place);
    for (Index j = 0; j < work.n; ++j) {
      sum += load_lane<T, T>(work.weights + r * work.weight_row + j * kSize<T>) *
             load_lane<T, From>(work.values + j * work.value_row + c * kSize<From>);
    }
    std::memcpy(place, &sum, sizeof(T));
  }
}

template <class T, class From>
void weigh_head(const WeighWork& work) {
  constexpr Index kWide = kVectorsAtOnce * kLanes<T>;
  Index r = 0;
  const auto walk = [&]<Index rows>() {
    for (; r + rows <= work.rows; r += rows) {
      Index c = 0;
      for (; c + kWide <= work.columns; c += kWide) weigh_some<T, From, rows, kVectorsAtOnce>(work, r, c);
      for (; c + kLanes<T> <= work.columns; c += kLanes<T>) weigh_some<T, From, rows, 1>(work, r, c);
      for (Index i = 0; i < rows; ++i) weigh_rest<T, From>(work, r + i, c);
    }
  };
  walk.template operator()<4>();
  walk.template operator()<2>();
  walk.template operator()<1>();
}

template <class T, class From>
void weigh(const WeighWork& work) {
  WeighWork some = work;
  for (Index j = 0; j < work.n; j += kFewValues) {
    some.n = work.n - j < kFewValues ? work.n - j : kFewValues;
    for (Index h = 0; h < work.heads; ++h) {
      some.weights = work.weights + h * work.weight_head + j * kSize<T>;
      some.values = work.values + h * work.value_head + j * work.value_row;
      some.to = work.to + h * work.to_head;
      weigh_head<T, From>(some);
    }
  }
}

template <class T, class From>
void fill_dtype(LoopFiller& fill, DType dtype) {
  fill.enter(fill.table.score[at(dtype)], STRIDED_LOOP(score<T, From>));
  fill.enter(fill.table.weigh[at(dtype)], STRIDED_LOOP(weigh<T, From>));
}

}  // namespace

void fill_attention_loops(LoopFiller& fill) {
  fill_dtype<float, float>(fill, DType::Float32);
  fill_dtype<float, bfloat16>(fill, DType::BFloat16);
#if defined(__F16C__)
  fill_dtype<float, float16>(fill, DType::Float16);
#endif
  fill_dtype<double, double>(fill, DType::Float64);
}

}  // namespace strided::kernels::nn::STRIDED_ISA
