// Folds and maps over packed rows, for the loops of one instruction set.
#pragma once

#include "dtype/element.hpp"
#include "simd/accumulator.hpp"

namespace strided::kernels::nn::STRIDED_ISA {

using namespace strided::STRIDED_ISA;

template <class T>
constexpr Index kSize = static_cast<Index>(sizeof(T));

// Accumulators that do not wait for each other. Fixed: it decides the bits.
inline constexpr int kChains = 4;

constexpr auto plus = [](auto a, auto b) __attribute__((always_inline)) { return a + b; };

// take(accumulator, x...) for n elements of each of the inputs, from `start` on. Accumulators have 64 bytes in every
// instruction set and are joined in the same order, so the bits are the same.
template <class T, class Take, class Join, class... Inputs>
[[gnu::always_inline]] inline T fold(Index n, T start, Take take, Join join, Inputs... inputs) {
  constexpr Index kCount = Lanes<T>::kCount;
  Lanes<T> chains[kChains];
  for (Lanes<T>& chain : chains) for (auto& vector : chain.v) vector = Vector<T>{} + start;
  const auto step = [&](Lanes<T>& chain, Index i) __attribute__((always_inline)) {
    chain = per_vector(take, chain, read_lanes<T, T>(inputs + i * kSize<T>)...);
  };
  Index i = 0;
  for (; i + kChains * kCount <= n; i += kChains * kCount) {
#pragma GCC unroll 4
    for (int chain = 0; chain < kChains; ++chain) step(chains[chain], i + chain * kCount);
  }
  for (; i + kCount <= n; i += kCount) step(chains[0], i);
  T rest = start;
  for (; i < n; ++i) rest = take(rest, load<T>(inputs + i * kSize<T>)...);
  for (int chain = 1; chain < kChains; ++chain) chains[0] = per_vector(join, chains[0], chains[chain]);
  return join(join_lanes(chains[0], join), rest);
}

// The sum of value(x...) over n elements of each of the inputs.
template <class T, class Value, class... Inputs>
[[gnu::always_inline]] inline double sum_of(Index n, Value value, Inputs... inputs) {
  const auto add = [=](auto sum, auto... x) __attribute__((always_inline)) { return sum + value(x...); };
  return static_cast<double>(fold<T>(n, T{0}, add, plus, inputs...));
}

template <class T>
[[gnu::always_inline]] inline double sum_all(Index n, const std::byte* x) {
  return sum_of<T>(n, [](auto v) __attribute__((always_inline)) { return v; }, x);
}

// to = value(x...) for n elements; `to` may be one of the inputs.
template <class T, class Value, class... Inputs>
[[gnu::always_inline]] inline void map(Index n, std::byte* to, Value value, Inputs... inputs) {
#pragma GCC ivdep
  for (Index i = 0; i < n; ++i) store(to + i * kSize<T>, value(load<T>(inputs + i * kSize<T>)...));
}

}  // namespace strided::kernels::nn::STRIDED_ISA
