// Loops of norms, rotations and softmax, for one instruction set.
//
// Sums are of 64 bytes of lanes in every instruction set, joined in the same order.
#include "dtype/element.hpp"
#include "kernels/fill_loops.hpp"
#include "kernels/elementwise/math/exp.hpp"
#include "simd/accumulator.hpp"

namespace strided::kernels::nn::STRIDED_ISA {
namespace {

template <class T>
constexpr Index kSize = static_cast<Index>(sizeof(T));

constexpr int kChains = 4;  // sums that do not wait for each other

constexpr auto plus = [](auto a, auto b) __attribute__((always_inline)) { return a + b; };

// take(lanes) for all whole groups of lanes, in turns for one of kChains results, and take_one(x) for the
// elements that are left.
template <class T, class Take, class TakeOne>
[[gnu::always_inline]] inline void sweep(Index n, const std::byte* x, Take take, TakeOne take_one) {
  constexpr Index kCount = Lanes<T>::kCount;
  Index i = 0;
  for (; i + kChains * kCount <= n; i += kChains * kCount) {
#pragma GCC unroll 4
    for (int chain = 0; chain < kChains; ++chain) {
      take(chain, read_lanes<T, T>(x + (i + chain * kCount) * kSize<T>));
    }
  }
  for (; i + kCount <= n; i += kCount) take(0, read_lanes<T, T>(x + i * kSize<T>));
  for (; i < n; ++i) take_one(load<T>(x + i * kSize<T>));
}

template <class T, class Value>
[[gnu::always_inline]] inline T sum_of(Index n, const std::byte* x, Value value) {
  Lanes<T> sums[kChains] = {};
  T rest = 0;
  sweep<T>(n, x,
           [&](int chain, const Lanes<T>& lanes) __attribute__((always_inline)) {
             sums[chain] = per_vector([&](auto sum, auto v) { return sum + value(v); }, sums[chain], lanes);
           },
           [&](T one) __attribute__((always_inline)) { rest += value(one); });
  for (int chain = 1; chain < kChains; ++chain) sums[0] = per_vector(plus, sums[0], sums[chain]);
  return join_lanes(sums[0], plus) + rest;
}

template <class T>
double squares(Index n, const std::byte* x) {
  return static_cast<double>(sum_of<T>(n, x, [](auto v) __attribute__((always_inline)) { return v * v; }));
}

template <class T>
void scale(Index n, const std::byte* x, double factor, const std::byte* weight, std::byte* to) {
  const T by = static_cast<T>(factor);
  if (weight == nullptr) {
#pragma GCC ivdep
    for (Index i = 0; i < n; ++i) store(to + i * kSize<T>, load<T>(x + i * kSize<T>) * by);
    return;
  }
#pragma GCC ivdep
  for (Index i = 0; i < n; ++i) {
    store(to + i * kSize<T>, load<T>(x + i * kSize<T>) * by * load<T>(weight + i * kSize<T>));
  }
}

template <class T>
void rotate(Index n, const std::byte* first, const std::byte* second, const std::byte* cosine,
            const std::byte* sine, std::byte* to_first, std::byte* to_second) {
#pragma GCC ivdep
  for (Index i = 0; i < n; ++i) {
    const T a = load<T>(first + i * kSize<T>), b = load<T>(second + i * kSize<T>);
    const T c = load<T>(cosine + i * kSize<T>), s = load<T>(sine + i * kSize<T>);
    store(to_first + i * kSize<T>, a * c - b * s);
    store(to_second + i * kSize<T>, b * c + a * s);
  }
}

template <class T>
void rotate_pairs(Index n, const std::byte* x, const std::byte* cosine, const std::byte* sine,
                  std::byte* to) {
#pragma GCC ivdep
  for (Index i = 0; i < n; ++i) {
    const T a = load<T>(x + 2 * i * kSize<T>), b = load<T>(x + (2 * i + 1) * kSize<T>);
    const T c = load<T>(cosine + i * kSize<T>), s = load<T>(sine + i * kSize<T>);
    store(to + 2 * i * kSize<T>, a * c - b * s);
    store(to + (2 * i + 1) * kSize<T>, b * c + a * s);
  }
}

template <class T>
double largest(Index n, const std::byte* x) {
  const auto larger = [](auto best, auto v) __attribute__((always_inline)) { return v > best ? v : best; };
  Lanes<T> best[kChains];
  for (auto& chain : best) for (auto& vector : chain.v) vector = Vector<T>{} - kInfinity<T>;
  T rest = -kInfinity<T>;
  sweep<T>(n, x,
           [&](int chain, const Lanes<T>& lanes) __attribute__((always_inline)) {
             best[chain] = per_vector(larger, best[chain], lanes);
           },
           [&](T one) __attribute__((always_inline)) { rest = larger(rest, one); });
  for (int chain = 1; chain < kChains; ++chain) best[0] = per_vector(larger, best[0], best[chain]);
  return static_cast<double>(larger(join_lanes(best[0], larger), rest));
}

template <class T>
double raise(Index n, const std::byte* x, double shift, std::byte* to) {
  const T top = static_cast<T>(shift);
#pragma GCC ivdep
  for (Index i = 0; i < n; ++i) store(to + i * kSize<T>, exp_below(load<T>(x + i * kSize<T>) - top));
  return static_cast<double>(sum_of<T>(n, to, [](auto v) __attribute__((always_inline)) { return v; }));
}

template <class T>
void lower(Index n, const std::byte* x, double top, double rest, std::byte* to) {
  const T first = static_cast<T>(top), second = static_cast<T>(rest);
#pragma GCC ivdep
  for (Index i = 0; i < n; ++i) store(to + i * kSize<T>, (load<T>(x + i * kSize<T>) - first) - second);
}

template <class T>
void log_slope(Index n, const std::byte* y, const std::byte* g, double sum, std::byte* to) {
  const T all = static_cast<T>(sum);
#pragma GCC ivdep
  for (Index i = 0; i < n; ++i) {
    store(to + i * kSize<T>, load<T>(g + i * kSize<T>) - exp_below(load<T>(y + i * kSize<T>)) * all);
  }
}

template <class T>
void fill_loops(LoopFiller& fill, const ModelLoops& loops) {
  fill.enter(loops.squares, STRIDED_LOOP(squares<T>));
  fill.enter(loops.scale, STRIDED_LOOP(scale<T>));
  fill.enter(loops.rotate, STRIDED_LOOP(rotate<T>));
  fill.enter(loops.rotate_pairs, STRIDED_LOOP(rotate_pairs<T>));
  fill.enter(loops.largest, STRIDED_LOOP(largest<T>));
  fill.enter(loops.raise, STRIDED_LOOP(raise<T>));
  fill.enter(loops.lower, STRIDED_LOOP(lower<T>));
  fill.enter(loops.log_slope, STRIDED_LOOP(log_slope<T>));
}

}  // namespace

void fill_model_rows_loops(LoopFiller& fill) {
  fill_loops<float>(fill, fill.table.model[0]);
  fill_loops<double>(fill, fill.table.model[1]);
}

}  // namespace strided::kernels::nn::STRIDED_ISA
