// Loops of norms, rotations and softmax, for one instruction set.
#include "kernels/elementwise/math/exp.hpp"
#include "kernels/fill_loops.hpp"
#include "row_folds.hpp"

namespace strided::kernels::nn::STRIDED_ISA {
namespace {

using elementwise::STRIDED_ISA::exp_below;
using elementwise::STRIDED_ISA::kInfinity;

template <class T>
void scale(Index n, const std::byte* x, double factor, const std::byte* weight, std::byte* to) {
  const T by = static_cast<T>(factor);
  if (weight == nullptr) return map<T>(n, to, [=](T v) { return v * by; }, x);
  map<T>(n, to, [=](T v, T w) { return v * by * w; }, x, weight);
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
  return static_cast<double>(fold<T>(n, -kInfinity<T>, larger, larger, x));
}

template <class T>
double exp_shifted(Index n, const std::byte* x, double shift, std::byte* to) {
  const T top = static_cast<T>(shift);
  map<T>(n, to, [=](T v) { return exp_below(v - top); }, x);
  return sum_all<T>(n, to);
}

template <class T>
void subtract_twice(Index n, const std::byte* x, double top, double rest, std::byte* to) {
  const T first = static_cast<T>(top), second = static_cast<T>(rest);
  map<T>(n, to, [=](T v) { return (v - first) - second; }, x);
}

template <class T>
void log_softmax_gradient(Index n, const std::byte* y, const std::byte* g, double sum, std::byte* to) {
  const T all = static_cast<T>(sum);
  map<T>(n, to, [=](T log, T a) { return a - exp_below(log) * all; }, y, g);
}

template <class T>
void fill_loops(LoopFiller& fill, const ModelLoops& loops) {
  fill.enter(loops.scale, STRIDED_LOOP(scale<T>));
  fill.enter(loops.rotate, STRIDED_LOOP(rotate<T>));
  fill.enter(loops.rotate_pairs, STRIDED_LOOP(rotate_pairs<T>));
  fill.enter(loops.largest, STRIDED_LOOP(largest<T>));
  fill.enter(loops.exp_shifted, STRIDED_LOOP(exp_shifted<T>));
  fill.enter(loops.subtract_twice, STRIDED_LOOP(subtract_twice<T>));
  fill.enter(loops.log_softmax_gradient, STRIDED_LOOP(log_softmax_gradient<T>));
}

}  // namespace

void fill_model_rows_loops(LoopFiller& fill) {
  fill_loops<float>(fill, fill.table.model[0]);
  fill_loops<double>(fill, fill.table.model[1]);
}

}  // namespace strided::kernels::nn::STRIDED_ISA
