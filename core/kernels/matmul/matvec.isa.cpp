// A matrix times one or a few vectors, for one instruction set.
//
// Each element of the matrix is read once, so memory sets the pace. A single stream of loads does not
// fill it: several rows (or columns) are read at once, and prefetched some cache lines ahead.
#include "kernels/fill_loops.hpp"
#include "simd/line.hpp"
#include "simd/row_totals.hpp"

namespace strided::kernels::matmul::STRIDED_ISA {
namespace {

constexpr Index kStreams = 8;         // read at once. Fixed: it decides the bits
constexpr Index kAhead = 32 * kLine;  // how far a stream is prefetched, into the second cache: the latency of memory
constexpr Index kShort = 8 * kLine;   // rows that are over before it would help

constexpr int at(DType dtype) { return static_cast<int>(dtype); }

template <class T>
constexpr Index kSize = static_cast<Index>(sizeof(T));

// ---- rows ----

// Rows i .. i + kRows of the matrix, with vectors v .. v + kVectors.
template <class T, class From, Index kRows, Index kVectors>
void rows_along(const MatvecWork& work, Index i, Index v) {
  using V = Vector<T>;
  constexpr Index kSums = kRows * kVectors;
  // Enough independent sums to keep the adders busy: four cycles of two. Fixed: they decide the bits.
  constexpr Index kChains = kSums >= 4 ? 1 : 4;
  constexpr Index kInLine = kLine / kSize<From>;
  constexpr Index kAtOnce = kInLine > kChains * kLanes<T> ? kInLine : kChains * kLanes<T>;
  const std::byte* const a = work.a + i * work.a_row;
  const std::byte* const x = work.x + v * work.x_row;
  V sums[kChains][kSums];
  for (auto& chain : sums) for (V& sum : chain) sum = V{};

  const auto add = [&](V* chain, Index p) __attribute__((always_inline)) {
    V factor[kVectors];
#pragma GCC unroll 4
    for (Index u = 0; u < kVectors; ++u) factor[u] = load_vector<V>(x + u * work.x_row + p * kSize<T>);
#pragma GCC unroll 8
    for (Index r = 0; r < kRows; ++r) {
      const V row = load_lanes<T, From, kLanes<T>>(a + r * work.a_row + p * kSize<From>);
#pragma GCC unroll 4
      for (Index u = 0; u < kVectors; ++u) chain[r * kVectors + u] += row * factor[u];
    }
  };
  const bool fetches = work.k * kSize<From> >= kShort;
  const auto walk = [&](Index p, Index end, Index ahead) __attribute__((always_inline)) {
    for (; p < end; p += kAtOnce) {
      if (fetches) {
#pragma GCC unroll 8
        for (Index r = 0; r < kRows; ++r) {
          __builtin_prefetch(a + r * work.a_row + p * kSize<From> + ahead, 0, 2);
        }
      }
#pragma GCC unroll 16
      for (Index q = 0; q < kAtOnce; q += kLanes<T>) add(sums[q / kLanes<T> % kChains], p + q);
    }
  };
  // Towards the end of these rows the next ones are prefetched.
  const Index whole = work.k - work.k % kAtOnce;
  const Index next = whole > kAhead / kSize<From> ? whole - kAhead / kSize<From> : 0;
  walk(0, next, kAhead);
  walk(next, whole, kRows * work.a_row - next * kSize<From>);
  Index end = whole;
  for (; end + kLanes<T> <= work.k; end += kLanes<T>) add(sums[0], end);

  for (Index chain = 1; chain < kChains; ++chain) {
    for (Index r = 0; r < kSums; ++r) sums[0][r] += sums[chain][r];
  }
  T sum[kSums + kLanes<T>];  // whole vectors are written
  totals<T, kSums>(sums[0], sum);
  if (kVectors == 1 && end == work.k) {
    std::byte* const place = work.y + v * work.y_row + i * kSize<T>;
    T old[kRows];
    std::memcpy(old, place, sizeof(old));
    for (Index r = 0; r < kRows; ++r) old[r] = static_cast<T>(old[r] + sum[r]);
    std::memcpy(place, old, sizeof(old));
    return;
  }
  for (Index r = 0; r < kRows; ++r) {
    for (Index u = 0; u < kVectors; ++u) {
      T& own = sum[r * kVectors + u];
      for (Index p = end; p < work.k; ++p) {
        const T element = load_lane<T, From>(a + r * work.a_row + p * kSize<From>);
        const T factor = load_lane<T, T>(x + u * work.x_row + p * kSize<T>);
        own = static_cast<T>(own + multiply_lanes(element, factor));
      }
      std::byte* const place = work.y + (v + u) * work.y_row + (i + r) * kSize<T>;
      own = static_cast<T>(own + load_lane<T, T>(place));
      std::memcpy(place, &own, sizeof(T));
    }
  }
}

template <class T, class From>
void along(const MatvecWork& work) {
  Index i = 0;
  const auto walk = [&]<Index rows>() {
    for (; i + rows <= work.rows; i += rows) {
      Index v = 0;
      if constexpr (rows == 4 && std::is_floating_point_v<T>) {
        for (; v + 4 <= work.vectors; v += 4) rows_along<T, From, rows, 4>(work, i, v);
        for (; v + 2 <= work.vectors; v += 2) rows_along<T, From, rows, 2>(work, i, v);
      }
      for (; v < work.vectors; ++v) rows_along<T, From, rows, 1>(work, i, v);
    }
  };
  if (work.vectors == 1) walk.template operator()<kStreams>();
  walk.template operator()<4>();
  walk.template operator()<1>();
}

// ---- columns ----

// y += kColumns columns, each times its element of x.
template <class T, class From, Index kColumns>
[[gnu::always_inline]] inline void columns_down(Index rows, const std::byte* a, Index step,
                                                const std::byte* x, std::byte* y) {
  using V = Vector<T>;
  T factor[kColumns];
  std::memcpy(factor, x, sizeof(factor));
  Index i = 0;
  for (; i + kLanes<T> <= rows; i += kLanes<T>) {
    V sum = load_vector<V>(y + i * kSize<T>);
#pragma GCC unroll 8
    for (Index c = 0; c < kColumns; ++c) {
      const std::byte* const place = a + c * step + i * kSize<From>;
      // The same part of the columns that come next.
      __builtin_prefetch(place + kColumns * step, 0, 2);
      sum += load_lanes<T, From, kLanes<T>>(place) * factor[c];
    }
    store_vector(y + i * kSize<T>, sum);
  }
  for (; i < rows; ++i) {
    T sum = load_lane<T, T>(y + i * kSize<T>);
    for (Index c = 0; c < kColumns; ++c) {
      const T element = load_lane<T, From>(a + c * step + i * kSize<From>);
      sum = static_cast<T>(sum + multiply_lanes(element, factor[c]));
    }
    std::memcpy(y + i * kSize<T>, &sum, sizeof(T));
  }
}

template <class T, class From>
void down(const MatvecWork& work) {
  Index p = 0;
  const auto walk = [&]<Index columns>() {
    for (; p + columns <= work.k; p += columns) {
      for (Index v = 0; v < work.vectors; ++v) {
        columns_down<T, From, columns>(work.rows, work.a + p * work.a_step, work.a_step,
                                       work.x + v * work.x_row + p * kSize<T>, work.y + v * work.y_row);
      }
    }
  };
  walk.template operator()<kStreams>();
  walk.template operator()<1>();
}

template <class T, class From>
void fill_dtype(LoopFiller& fill, DType dtype) {
  fill.enter(fill.table.products.along[at(dtype)], STRIDED_LOOP(along<T, From>));
  fill.enter(fill.table.products.down[at(dtype)], STRIDED_LOOP(down<T, From>));
}

}  // namespace

void fill_matvec_loops(LoopFiller& fill) {
  fill_dtype<float, float>(fill, DType::Float32);
#if defined(__F16C__)
  fill_dtype<float, float16>(fill, DType::Float16);
#endif
  fill_dtype<float, bfloat16>(fill, DType::BFloat16);
  fill_dtype<double, double>(fill, DType::Float64);
  fill_dtype<std::uint16_t, std::int8_t>(fill, DType::Int8);
  fill_dtype<std::uint16_t, std::uint8_t>(fill, DType::UInt8);
  fill_dtype<std::uint16_t, std::uint16_t>(fill, DType::UInt16);
  fill_dtype<std::uint32_t, std::uint32_t>(fill, DType::UInt32);
  fill_dtype<std::uint64_t, std::uint64_t>(fill, DType::UInt64);
  for (const DType twin : {DType::Int16, DType::Int32, DType::Int64}) {
    const ProductLoops& loops = fill.table.products;
    const int accumulate = at(accumulate_dtype(twin));
    fill.share(loops.along[at(twin)], loops.along[accumulate]);
    fill.share(loops.down[at(twin)], loops.down[accumulate]);
  }
}

}  // namespace strided::kernels::matmul::STRIDED_ISA
