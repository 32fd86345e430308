// Fills the loops behind variances and logsumexp, for one instruction set: sums of distances from given
// numbers and of their squares, and exponentials of such distances.
#include "kernels/fill_loops.hpp"
#include "simd/integer_of_size.hpp"
#include "fold_rows.hpp"

namespace strided::kernels::reduce::STRIDED_ISA {
namespace {

#if !defined(__AVX512F__)  // wider vectors are not faster here

// ---- distances and their squares ----
//
// Of float32, distances and squares are float32 and four of each are added before they are made wide, which
// is what takes the time: each is off by a unit or so in the last place, upwards as often as downwards.

struct Moments {
  Lanes<double> sum, squares;
};

[[gnu::always_inline]] inline Lanes<double> plus(const Lanes<double>& a, const Lanes<double>& b) {
  return per_vector([](auto x, auto y) { return plus_made_wide(x, y); }, a, b);
}
[[gnu::always_inline]] inline double total(const Lanes<double>& lanes) {
  return join_lanes(lanes, [](auto a, auto b) { return a + b; });
}

// As many elements as there are lanes of double, in whole registers.
template <class T>
struct Group {
  static constexpr int kCount = Lanes<double>::kCount;
  static constexpr int kPerVector = kVectorBytes / static_cast<int>(sizeof(T));
  static constexpr int kUsed = kCount / kPerVector;
  Vector<T> v[kUsed];
};

template <class T>
[[gnu::always_inline]] inline Group<T> read_group(const std::byte* at) {
  Group<T> group;
  for (int i = 0; i < Group<T>::kUsed; ++i) {
    group.v[i] = read_vector<T, T, Group<T>::kPerVector>(at + i * kVectorBytes);
  }
  return group;
}

template <class F, class T, class... More>
[[gnu::always_inline]] inline Group<T> in_group(F f, const Group<T>& a, const More&... more) {
  Group<T> group;
  for (int i = 0; i < Group<T>::kUsed; ++i) group.v[i] = f(a.v[i], more.v[i]...);
  return group;
}

[[gnu::always_inline]] inline Lanes<double> wide(const Group<double>& a) {
  Lanes<double> lanes;
  for (int i = 0; i < kVectors; ++i) lanes.v[i] = a.v[i];
  return lanes;
}
[[gnu::always_inline]] inline Lanes<double> wide(const Group<float>& a) {
  constexpr int kCount = Lanes<double>::kPerVector;
  using Half = std::make_index_sequence<kCount>;
  Lanes<double> lanes;
  for (int i = 0; i < Group<float>::kUsed; ++i) {
    lanes.v[2 * i] = widened<double, float, kCount>(lower_half(a.v[i], Half{}));
    lanes.v[2 * i + 1] = widened<double, float, kCount>(upper_half(a.v[i], Half{}));
  }
  return lanes;
}

template <class T>
[[gnu::always_inline]] inline void take(Moments& to, const Group<T>& sums, const Group<T>& squares) {
  to.sum = plus(to.sum, wide(sums));
  to.squares = plus(to.squares, wide(squares));
}
// The distances of four elements for each lane.
template <class T>
[[gnu::always_inline]] inline void take_four(Moments& to, const Group<T>& a, const Group<T>& b,
                                             const Group<T>& c, const Group<T>& d) {
  take(to, in_group([](auto x, auto y, auto z, auto w) { return (x + y) + (z + w); }, a, b, c, d),
       in_group([](auto x, auto y, auto z, auto w) { return (x * x + y * y) + (z * z + w * w); }, a, b, c, d));
}
template <class T>
[[gnu::always_inline]] inline void take_one(Moments& to, const Group<T>& a) {
  take(to, a, in_group([](auto x) { return x * x; }, a));
}

template <class T>
void moments_along(const ReduceTile& tile, const Partials& parts) {
  constexpr Index kCount = Group<T>::kCount;
  constexpr Index kSize = sizeof(T);
  auto* const sum = static_cast<double*>(parts.first);
  auto* const squares = static_cast<double*>(parts.second);
  const Index n = tile.n;
  for (Index r = 0; r < tile.rows; ++r) {
    const std::byte* const row = tile.data + r * tile.step;
    const T shift = static_cast<const T*>(tile.shift)[r];
    const auto distances = [&](Index i) {
      return in_group([&](auto x) { return x - shift; }, read_group<T>(row + i * kSize));
    };
    Moments a{}, b{};
    Index i = 0;
    for (; i + 8 * kCount <= n; i += 8 * kCount) {
      const auto at = [&](int k) { return distances(i + k * kCount); };
      take_four(a, at(0), at(1), at(2), at(3));
      take_four(b, at(4), at(5), at(6), at(7));
    }
    for (; i + kCount <= n; i += kCount) take_one(a, distances(i));
    sum[r] = total(plus(a.sum, b.sum));
    squares[r] = total(plus(a.squares, b.squares));
    for (; i < n; ++i) {
      const T distance = load<T>(row + i * kSize) - shift;
      sum[r] += static_cast<double>(distance);
      squares[r] += static_cast<double>(distance * distance);
    }
  }
}

template <int kRows, class T>
[[gnu::always_inline]] inline void take_rows(const std::byte* rows, Index step, Index n,
                                             const T* shift, double* sum, double* squares) {
  constexpr Index kCount = Group<T>::kCount;
  constexpr Index kSize = sizeof(T);
  const auto lanes_at = [](const double* from) {
    return read_lanes<double, double>(reinterpret_cast<const std::byte*>(from));
  };
  [[maybe_unused]] const Index ahead = bytes_ahead(n * kSize, step);
  Index c = 0;
  for (; c + kCount <= n; c += kCount) {
    const Group<T> center = read_group<T>(reinterpret_cast<const std::byte*>(shift + c));
    const auto distances = [&](int r) {
      return in_group([](auto x, auto y) { return x - y; },
                      read_group<T>(rows + r * step + c * kSize), center);
    };
    Moments held{lanes_at(sum + c), lanes_at(squares + c)};
    if constexpr (kRows == 1) {
      take_one(held, distances(0));
    } else {
      fetch_rows<kRows>(rows + c * kSize, step, ahead);
      for (int r = 0; r < kRows; r += 4) {
        take_four(held, distances(r), distances(r + 1), distances(r + 2), distances(r + 3));
      }
    }
    write_lanes(sum + c, held.sum);
    write_lanes(squares + c, held.squares);
  }
  for (; c < n; ++c) {
    for (int r = 0; r < kRows; ++r) {
      const T distance = load<T>(rows + r * step + c * kSize) - shift[c];
      sum[c] += static_cast<double>(distance);
      squares[c] += static_cast<double>(distance * distance);
    }
  }
}

template <class T>
void moments_across(const ReduceTile& tile, const Partials& parts) {
  const T* const shift = static_cast<const T*>(tile.shift);
  auto* const sum = static_cast<double*>(parts.first);
  auto* const squares = static_cast<double*>(parts.second);
  Index r = 0;
  if (tile.part_step == 0) {
    for (; r + kRowsAtOnce <= tile.rows; r += kRowsAtOnce) {
      take_rows<kRowsAtOnce, T>(tile.data + r * tile.step, tile.step, tile.n, shift, sum, squares);
    }
  }
  for (; r < tile.rows; ++r) {
    const Index at = r * tile.part_step;
    take_rows<1, T>(tile.data + r * tile.step, tile.step, tile.n, shift + at, sum + at, squares + at);
  }
}

#endif

// ---- exponentials ----

template <class T> struct ExpNumbers;
template <> struct ExpNumbers<float> {
  static constexpr float kLowest = -104.0f, kHighest = 89.0f;  // 0 and infinity from there on
  static constexpr float kRound = 12582912.0f;                 // 1.5 * 2^23
  static constexpr float kLog2e = 1.442695041f, kLn2High = 0.693359375f, kLn2Low = -2.12194440e-4f;
  static constexpr int kTerms = 7, kMantissa = 23, kBias = 127;
};
template <> struct ExpNumbers<double> {
  static constexpr double kLowest = -746.0, kHighest = 710.0;
  static constexpr double kRound = 6755399441055744.0;  // 1.5 * 2^52
  static constexpr double kLog2e = 1.4426950408889634, kLn2High = 6.93145751953125e-1,
                          kLn2Low = 1.42860682030941723212e-6;
  static constexpr int kTerms = 13, kMantissa = 52, kBias = 1023;
};

// exp(x) = 2^n exp(r). Not that of math/exp.hpp: a reduction has the same bits on every instruction set, so
// no product here is fused. The series of exp(r) is cut off where its terms are below the last bit.
template <class T>
[[gnu::always_inline]] inline T steady_exp(T x) {
  using E = ExpNumbers<T>;
  using Bits = BitsOf<T>;
  x = x < E::kLowest ? E::kLowest : x;
  x = x > E::kHighest ? E::kHighest : x;  // NaN passes both
  const T shifted = x * E::kLog2e + E::kRound, whole = shifted - E::kRound;
  const Bits n = __builtin_bit_cast(Bits, shifted) - __builtin_bit_cast(Bits, E::kRound);
  const T r = x - whole * E::kLn2High - whole * E::kLn2Low;
  T factor = T{1}, sum = T{0};
  for (int i = 2; i <= E::kTerms; ++i) factor /= static_cast<T>(i);
  for (int i = E::kTerms; i >= 2; --i) {
    sum = sum * r + factor;
    factor *= static_cast<T>(i);
  }
  sum = sum * (r * r) + r + T{1};
  // In two steps: 2^n alone may be too large or too small. n + 2 (bias + 1) is not negative.
  constexpr Bits kUp = 2 * (E::kBias + 1);
  const Bits half = ((n + kUp) >> 1) - kUp / 2;
  const auto power = [](Bits k) { return __builtin_bit_cast(T, (k + E::kBias) << E::kMantissa); };
  return sum * power(half) * power(n - half);
}

template <class T>
void exp_rows(const ReduceTile& tile, T* __restrict out, Index per_row, Index per_column) {
  for (Index r = 0; r < tile.rows; ++r) {
    const std::byte* const row = tile.data + r * tile.step;
    const T* const shift = static_cast<const T*>(tile.shift) + r * per_row;
    if (per_column == 0) {
      const T center = shift[0];
      for (Index i = 0; i < tile.n; ++i) {
        out[i] = steady_exp(load<T>(row + i * static_cast<Index>(sizeof(T))) - center);
      }
    } else {
      for (Index i = 0; i < tile.n; ++i) {
        out[i] = steady_exp(load<T>(row + i * static_cast<Index>(sizeof(T))) - shift[i]);
      }
    }
    out += tile.n;
  }
}

template <class T>
void exp_along(const ReduceTile& tile, const Partials& parts) {
  exp_rows(tile, static_cast<T*>(parts.first), 1, 0);
}
template <class T>
void exp_across(const ReduceTile& tile, const Partials& parts) {
  exp_rows(tile, static_cast<T*>(parts.first), tile.part_step, 1);
}

template <class T>
void fill_dtype(LoopFiller& fill, DType dtype) {
#if !defined(__AVX512F__)
  const ReduceLoops& moments = fill.table.reduce[static_cast<int>(Fold::Moments)][static_cast<int>(dtype)];
  fill.enter(moments.along, STRIDED_LOOP(moments_along<T>));
  fill.enter(moments.across, STRIDED_LOOP(moments_across<T>));
#endif
  const ReduceLoops& exps = fill.table.reduce[static_cast<int>(Fold::Exp)][static_cast<int>(dtype)];
  fill.enter(exps.along, STRIDED_LOOP(exp_along<T>));
  fill.enter(exps.across, STRIDED_LOOP(exp_across<T>));
}

}  // namespace

void fill_moments_loops(LoopFiller& fill) {
  fill_dtype<float>(fill, DType::Float32);
  fill_dtype<double>(fill, DType::Float64);
}

}  // namespace strided::kernels::reduce::STRIDED_ISA
