// Loops of norms and of the way back through norms and softmax, for one instruction set.
//
// Sums are of 64 bytes of lanes in every instruction set, joined in the same order.
#include "dtype/element.hpp"
#include "kernels/fill_loops.hpp"
#include "simd/accumulator.hpp"

namespace strided::kernels::nn::STRIDED_ISA {
namespace {

template <class T>
constexpr Index kSize = static_cast<Index>(sizeof(T));

constexpr int kChains = 4;  // sums that do not wait for each other

constexpr auto plus = [](auto a, auto b) __attribute__((always_inline)) { return a + b; };

// The sum of value(x...) over n elements of each of the inputs.
template <class T, class Value, class... Inputs>
[[gnu::always_inline]] inline double sum_of(Index n, Value value, Inputs... inputs) {
  constexpr Index kCount = Lanes<T>::kCount;
  Lanes<T> sums[kChains] = {};
  const auto take = [&](Lanes<T>& sum, Index i) __attribute__((always_inline)) {
    sum = per_vector([&](auto so_far, auto... v) { return so_far + value(v...); }, sum,
                     read_lanes<T, T>(inputs + i * kSize<T>)...);
  };
  Index i = 0;
  for (; i + kChains * kCount <= n; i += kChains * kCount) {
#pragma GCC unroll 4
    for (int chain = 0; chain < kChains; ++chain) take(sums[chain], i + chain * kCount);
  }
  for (; i + kCount <= n; i += kCount) take(sums[0], i);
  T rest = 0;
  for (; i < n; ++i) rest += value(load<T>(inputs + i * kSize<T>)...);
  for (int chain = 1; chain < kChains; ++chain) sums[0] = per_vector(plus, sums[0], sums[chain]);
  return static_cast<double>(join_lanes(sums[0], plus) + rest);
}

template <class T>
double sum(Index n, const std::byte* x) {
  return sum_of<T>(n, [](auto v) __attribute__((always_inline)) { return v; }, x);
}

template <class T>
double squares(Index n, const std::byte* x, double mean) {
  const T middle = static_cast<T>(mean);
  return sum_of<T>(n, [=](auto v) __attribute__((always_inline)) { return (v - middle) * (v - middle); }, x);
}

template <class T>
double dot(Index n, const std::byte* a, const std::byte* b) {
  return sum_of<T>(n, [](auto v, auto w) __attribute__((always_inline)) { return v * w; }, a, b);
}

// to = value(x...) for n elements.
template <class T, class Value, class... Inputs>
[[gnu::always_inline]] inline void map(Index n, std::byte* to, Value value, Inputs... inputs) {
#pragma GCC ivdep
  for (Index i = 0; i < n; ++i) store(to + i * kSize<T>, value(load<T>(inputs + i * kSize<T>)...));
}

template <class T>
void normalise(Index n, const std::byte* x, NormRow row, const std::byte* weight, const std::byte* bias,
               std::byte* to) {
  const T mean = static_cast<T>(row.mean), factor = static_cast<T>(row.factor);
  if (weight != nullptr && bias != nullptr) {
    map<T>(n, to, [=](T v, T w, T b) { return (v - mean) * factor * w + b; }, x, weight, bias);
  } else if (weight != nullptr) {
    map<T>(n, to, [=](T v, T w) { return (v - mean) * factor * w; }, x, weight);
  } else if (bias != nullptr) {
    map<T>(n, to, [=](T v, T b) { return (v - mean) * factor + b; }, x, bias);
  } else {
    map<T>(n, to, [=](T v) { return (v - mean) * factor; }, x);
  }
}

template <class T>
void place(Index n, const std::byte* x, NormRow row, double shift, std::byte* to) {
  const T mean = static_cast<T>(row.mean), factor = static_cast<T>(row.factor), by = static_cast<T>(shift);
  map<T>(n, to, [=](T v) { return (v - mean) * factor + by; }, x);
}

template <class T>
NormSums sums(Index n, const std::byte* g, const std::byte* x, NormRow row, const std::byte* weight) {
  const T mean = static_cast<T>(row.mean), factor = static_cast<T>(row.factor);
  if (weight == nullptr) {
    const auto along = [=](auto a, auto v) __attribute__((always_inline)) { return a * ((v - mean) * factor); };
    return {sum<T>(n, g), sum_of<T>(n, along, g, x)};
  }
  const auto along = [=](auto a, auto w, auto v) __attribute__((always_inline)) {
    return a * w * ((v - mean) * factor);
  };
  return {dot<T>(n, g, weight), sum_of<T>(n, along, g, weight, x)};
}

template <class T>
void gradient(Index n, const std::byte* g, const std::byte* x, NormRow row, const std::byte* weight,
              NormSums means, std::byte* to) {
  const T mean = static_cast<T>(row.mean), factor = static_cast<T>(row.factor);
  const T plain = static_cast<T>(means.plain), along = static_cast<T>(means.along);
  if (weight == nullptr) {
    map<T>(n, to, [=](T a, T v) { return factor * (a - plain - (v - mean) * along); }, g, x);
  } else {
    map<T>(n, to, [=](T a, T v, T w) { return factor * (a * w - plain - (v - mean) * along); }, g, x,
           weight);
  }
}

template <class T, bool kWeight, bool kBias>
NormSums sums_adding_for(Index n, const std::byte* g, const std::byte* x, NormRow row, const std::byte* weight,
                         std::byte* weights, std::byte* biases) {
  constexpr Index kCount = Lanes<T>::kCount;
  constexpr auto times = [](auto a, auto b) __attribute__((always_inline)) { return a * b; };
  const T mean = static_cast<T>(row.mean), factor = static_cast<T>(row.factor);
  const auto placed = [=](auto v) __attribute__((always_inline)) { return (v - mean) * factor; };
  Lanes<T> plain{}, along{};
  Index i = 0;
  for (; i + kCount <= n; i += kCount) {
    const Index at = i * kSize<T>;
    const Lanes<T> a = read_lanes<T, T>(g + at), z = per_vector(placed, read_lanes<T, T>(x + at));
    Lanes<T> h = a;
    if constexpr (kWeight) h = per_vector(times, a, read_lanes<T, T>(weight + at));
    plain = per_vector(plus, plain, h);
    along = per_vector(plus, along, per_vector(times, h, z));
    const Lanes<T> to = per_vector(plus, read_lanes<T, T>(weights + at), per_vector(times, a, z));
    write_lanes(reinterpret_cast<T*>(weights + at), to);
    if constexpr (kBias) {
      write_lanes(reinterpret_cast<T*>(biases + at), per_vector(plus, read_lanes<T, T>(biases + at), a));
    }
  }
  T plain_rest = 0, along_rest = 0;
  for (; i < n; ++i) {
    const Index at = i * kSize<T>;
    const T a = load<T>(g + at), z = placed(load<T>(x + at));
    T h = a;
    if constexpr (kWeight) h = a * load<T>(weight + at);
    plain_rest += h;
    along_rest += h * z;
    store(weights + at, load<T>(weights + at) + a * z);
    if constexpr (kBias) store(biases + at, load<T>(biases + at) + a);
  }
  return {static_cast<double>(join_lanes(plain, plus) + plain_rest),
          static_cast<double>(join_lanes(along, plus) + along_rest)};
}

template <class T>
NormSums sums_adding(Index n, const std::byte* g, const std::byte* x, NormRow row, const std::byte* weight,
                     std::byte* weights, std::byte* biases) {
  const auto run = weight != nullptr
                       ? (biases != nullptr ? &sums_adding_for<T, true, true> : &sums_adding_for<T, true, false>)
                       : (biases != nullptr ? &sums_adding_for<T, false, true> : &sums_adding_for<T, false, false>);
  return run(n, g, x, row, weight, weights, biases);
}

template <class T>
void soften(Index n, const std::byte* y, const std::byte* g, double mean, double scale, std::byte* to) {
  const T middle = static_cast<T>(mean), factor = static_cast<T>(scale);
  map<T>(n, to, [=](T share, T a) { return share * (a - middle) * factor; }, y, g);
}

template <class T>
void fill_loops(LoopFiller& fill, const NormLoops& loops) {
  fill.enter(loops.sum, STRIDED_LOOP(sum<T>));
  fill.enter(loops.squares, STRIDED_LOOP(squares<T>));
  fill.enter(loops.normalise, STRIDED_LOOP(normalise<T>));
  fill.enter(loops.place, STRIDED_LOOP(place<T>));
  fill.enter(loops.sums, STRIDED_LOOP(sums<T>));
  fill.enter(loops.gradient, STRIDED_LOOP(gradient<T>));
  fill.enter(loops.sums_adding, STRIDED_LOOP(sums_adding<T>));
  fill.enter(loops.dot, STRIDED_LOOP(dot<T>));
  fill.enter(loops.soften, STRIDED_LOOP(soften<T>));
}

}  // namespace

void fill_norms_loops(LoopFiller& fill) {
  fill_loops<float>(fill, fill.table.norms[0]);
  fill_loops<double>(fill, fill.table.norms[1]);
}

}  // namespace strided::kernels::nn::STRIDED_ISA
