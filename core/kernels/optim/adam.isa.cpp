// The loop of Adam, for one instruction set.
//
// Every element is rounded as if alone, so results depend neither on the set nor on how the work
// is split.
#include <cmath>

#include "dtype/element.hpp"
#include "kernels/fill_loops.hpp"

namespace strided::kernels::optim::STRIDED_ISA {
namespace {

// a + share * (b - a), from the nearer end: exact at both.
template <class T>
struct Mix {
  T share;
  bool from_b;
  explicit Mix(double given)
      : share(static_cast<T>(given < 0.5 ? given : given - 1)), from_b(!(given < 0.5)) {}
  [[gnu::always_inline]] T operator()(T a, T b) const { return (from_b ? b : a) + share * (b - a); }
};

template <class T, bool kDecays>
[[gnu::always_inline]] inline void steps(Index n, std::byte* p, const std::byte* g, std::byte* mean,
                                         std::byte* square, const AdamStep& step) {
  const T rate = static_cast<T>(step.rate), eps = static_cast<T>(step.eps);
  const T shrink = static_cast<T>(step.shrink), decay = static_cast<T>(step.decay);
  const T sign = static_cast<T>(step.maximize ? -1 : 1);
  const Mix<T> into_mean(step.share1), into_square(step.share2);
#pragma GCC ivdep
  for (Index i = 0; i < n; ++i) {
    const Index at = i * static_cast<Index>(sizeof(T));
    const T x = load<T>(p + at);
    T slope = load<T>(g + at) * sign;
    if constexpr (kDecays) slope += x * decay;
    const T m = into_mean(load<T>(mean + at), slope), v = into_square(load<T>(square + at), slope * slope);
    store(mean + at, m);
    store(square + at, v);
    store(p + at, x * shrink + m * rate / (std::sqrt(v) + eps));
  }
}

template <class T>
void adam(Index n, std::byte* p, const std::byte* g, std::byte* mean, std::byte* square, const AdamStep& step) {
  if (step.decay != 0) steps<T, true>(n, p, g, mean, square, step);
  else steps<T, false>(n, p, g, mean, square, step);
}

}  // namespace

void fill_adam_loops(LoopFiller& fill) {
  fill.enter(fill.table.adam[0], STRIDED_LOOP(adam<float>));
  fill.enter(fill.table.adam[1], STRIDED_LOOP(adam<double>));
}

}  // namespace strided::kernels::optim::STRIDED_ISA
