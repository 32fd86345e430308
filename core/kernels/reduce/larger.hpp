// The larger of two elements, after some of their bits were left out and others flipped: that makes it
// the smaller, or the one of larger size.
#pragma once

#include <limits>

#include "extreme.hpp"
#include "fold_rows.hpp"

namespace strided::kernels::reduce::STRIDED_ISA {

template <class T, class P = T>
struct Larger {
  using Element = T;
  using Accumulator = P;
  using Total = P;
  static constexpr bool kRepeatable = true;
  static constexpr bool kNarrow = false;
  static constexpr bool kPaired = false;
  static constexpr P none = std::is_floating_point_v<P> ? static_cast<P>(-__builtin_inf())
                                                        : std::numeric_limits<P>::lowest();
  BitsOf<P> keep, flip;
  explicit Larger(const ReduceTile& tile)
      : keep(static_cast<BitsOf<P>>(tile.keep)), flip(static_cast<BitsOf<P>>(tile.flip)) {}
  template <class X> [[gnu::always_inline]] X take(X x) const {
    auto bits = __builtin_bit_cast(BitsIn<X, P>, x);
    bits &= keep;
    bits ^= flip;
    return __builtin_bit_cast(X, bits);
  }
  template <class X> [[gnu::always_inline]] X join(X a, X b) const { return larger_of(a, b); }
};

}  // namespace strided::kernels::reduce::STRIDED_ISA
