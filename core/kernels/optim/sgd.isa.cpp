// The loop of stochastic gradient descent, for one instruction set.
//
// Every element is rounded as if alone, so results depend neither on the set nor on how the work
// is split.
#include "dtype/element.hpp"
#include "kernels/fill_loops.hpp"

namespace strided::kernels::optim::STRIDED_ISA {
namespace {

enum class Velocity { None, Plain, Nesterov };

template <class T, Velocity kVelocity, bool kDecays>
[[gnu::always_inline]] inline void steps(Index n, std::byte* p, const std::byte* g, std::byte* velocity,
                                         const SgdStep& step) {
  const T rate = static_cast<T>(step.rate), decay = static_cast<T>(step.decay), kept = static_cast<T>(step.kept);
  const T share = static_cast<T>(step.share), sign = static_cast<T>(step.maximize ? -1 : 1);
#pragma GCC ivdep
  for (Index i = 0; i < n; ++i) {
    const Index at = i * static_cast<Index>(sizeof(T));
    const T x = load<T>(p + at);
    T slope = load<T>(g + at) * sign;
    if constexpr (kDecays) slope += x * decay;
    if constexpr (kVelocity != Velocity::None) {
      const T v = slope * share + load<T>(velocity + at) * kept;
      store(velocity + at, v);
      slope = kVelocity == Velocity::Nesterov ? slope + v * kept : v;
    }
    store(p + at, x + slope * rate);
  }
}

template <class T>
void sgd(Index n, std::byte* p, const std::byte* g, std::byte* velocity, const SgdStep& step) {
  const auto run = [&]<Velocity kVelocity>() {
    if (step.decay != 0) steps<T, kVelocity, true>(n, p, g, velocity, step);
    else steps<T, kVelocity, false>(n, p, g, velocity, step);
  };
  if (velocity == nullptr) run.template operator()<Velocity::None>();
  else if (step.nesterov) run.template operator()<Velocity::Nesterov>();
  else run.template operator()<Velocity::Plain>();
}

}  // namespace

void fill_sgd_loops(LoopFiller& fill) {
  fill.enter(fill.table.sgd[0], STRIDED_LOOP(sgd<float>));
  fill.enter(fill.table.sgd[1], STRIDED_LOOP(sgd<double>));
}

}  // namespace strided::kernels::optim::STRIDED_ISA
