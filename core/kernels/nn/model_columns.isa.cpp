// Loops over many lists side by side, of norms, softmax and the way back, for one instruction set.
#include "dtype/element.hpp"
#include "kernels/fill_loops.hpp"
#include "kernels/elementwise/math/exp.hpp"

namespace strided::kernels::nn::STRIDED_ISA {
namespace {

template <class T>
constexpr Index kSize = static_cast<Index>(sizeof(T));

// to = value(x...) for n elements; `to` may be one of the inputs.
template <class T, class Value, class... Inputs>
[[gnu::always_inline]] inline void map(Index n, std::byte* to, Value value, Inputs... inputs) {
#pragma GCC ivdep
  for (Index i = 0; i < n; ++i) store(to + i * kSize<T>, value(load<T>(inputs + i * kSize<T>)...));
}

template <class T>
void add(Index n, const std::byte* x, std::byte* sums) {
  map<T>(n, sums, [](T sum, T v) { return sum + v; }, sums, x);
}

template <class T>
void add_squares(Index n, const std::byte* x, const std::byte* mean, std::byte* sums) {
  map<T>(n, sums, [](T sum, T v, T m) { return sum + (v - m) * (v - m); }, sums, x, mean);
}

template <class T>
void add_products(Index n, const std::byte* a, const std::byte* b, std::byte* sums) {
  map<T>(n, sums, [](T sum, T v, T w) { return sum + v * w; }, sums, a, b);
}

template <class T>
void add_slopes(Index n, const std::byte* g, const std::byte* x, const std::byte* mean, std::byte* plain,
                std::byte* along) {
#pragma GCC ivdep
  for (Index i = 0; i < n * kSize<T>; i += kSize<T>) {
    const T a = load<T>(g + i);
    store(plain + i, load<T>(plain + i) + a);
    store(along + i, load<T>(along + i) + a * (load<T>(x + i) - load<T>(mean + i)));
  }
}

template <class T>
void normalise(Index n, const std::byte* x, const ColumnNorm& norm, std::byte* to) {
  map<T>(n, to, [](T v, T mean, T factor, T shift) { return (v - mean) * factor + shift; }, x, norm.mean,
         norm.factor, norm.shift);
}

template <class T>
void gradient(Index n, const std::byte* g, const std::byte* x, const ColumnSlope& slope, std::byte* to) {
  map<T>(n, to,
         [](T a, T v, T mean, T plain, T along, T factor) { return (a - plain - (v - mean) * along) * factor; },
         g, x, slope.mean, slope.plain, slope.along, slope.factor);
}

template <class T>
void soften(Index n, const std::byte* y, const std::byte* g, const std::byte* sums, std::byte* to) {
  map<T>(n, to, [](T share, T a, T sum) { return share * (a - sum); }, y, g, sums);
}

template <class T>
void log_slope(Index n, const std::byte* y, const std::byte* g, const std::byte* sums, std::byte* to) {
  map<T>(n, to, [](T log, T a, T sum) { return a - exp_below(log) * sum; }, y, g, sums);
}

template <class T>
void fill_loops(LoopFiller& fill, const ColumnLoops& loops) {
  fill.enter(loops.add, STRIDED_LOOP(add<T>));
  fill.enter(loops.add_squares, STRIDED_LOOP(add_squares<T>));
  fill.enter(loops.add_products, STRIDED_LOOP(add_products<T>));
  fill.enter(loops.add_slopes, STRIDED_LOOP(add_slopes<T>));
  fill.enter(loops.normalise, STRIDED_LOOP(normalise<T>));
  fill.enter(loops.gradient, STRIDED_LOOP(gradient<T>));
  fill.enter(loops.soften, STRIDED_LOOP(soften<T>));
  fill.enter(loops.log_slope, STRIDED_LOOP(log_slope<T>));
}

}  // namespace

void fill_model_columns_loops(LoopFiller& fill) {
  fill_loops<float>(fill, fill.table.columns[0]);
  fill_loops<double>(fill, fill.table.columns[1]);
}

}  // namespace strided::kernels::nn::STRIDED_ISA
