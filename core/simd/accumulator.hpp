// 64 bytes of lanes, in one register or in several. All instruction sets have the same lanes, join them in
// the same order and so give the same bits.
#pragma once

#include "registers.hpp"

namespace strided::STRIDED_ISA {

inline constexpr int kLaneBytes = 64;
inline constexpr int kVectors = kLaneBytes / kVectorBytes;

template <class P>
struct Lanes {
  static constexpr int kCount = kLaneBytes / static_cast<int>(sizeof(P));
  static constexpr int kPerVector = kCount / kVectors;
  Vector<P> v[kVectors];
};

// Contiguous elements of T.
template <class P, class T>
[[gnu::always_inline]] inline Lanes<P> read_lanes(const std::byte* at) {
  constexpr int kCount = Lanes<P>::kPerVector;
  Lanes<P> lanes;
  for (int i = 0; i < kVectors; ++i) {
    lanes.v[i] = read_vector<P, T, kCount>(at + i * kCount * static_cast<Index>(sizeof(T)));
  }
  return lanes;
}

// The sums of two half-precision elements each, added as float32: exact unless one is 2^13 times larger
// than the other. Half as many lanes are left to be made wide, which is what takes the time.
template <class T>
[[gnu::always_inline]] inline Lanes<double> read_pairs(const std::byte* a, const std::byte* b) {
  constexpr int kCount = Lanes<double>::kPerVector;
  Lanes<double> lanes;
  for (int i = 0; i < kVectors; ++i) {
    const Index further = i * kCount * static_cast<Index>(sizeof(T));
    const auto sums = read_vector<float, T, kCount>(a + further) +
                      read_vector<float, T, kCount>(b + further);
    lanes.v[i] = widened<double, float, kCount>(sums);
  }
  return lanes;
}

template <class P>
[[gnu::always_inline]] inline void write_lanes(P* to, const Lanes<P>& lanes) {
  for (int i = 0; i < kVectors; ++i) {
    std::memcpy(to + i * Lanes<P>::kPerVector, &lanes.v[i], kVectorBytes);
  }
}

// f(vector...) for every vector.
template <class F, class P, class... More>
[[gnu::always_inline]] inline auto per_vector(F f, const Lanes<P>& a, const More&... more) {
  Lanes<P> lanes;
  for (int i = 0; i < kVectors; ++i) lanes.v[i] = f(a.v[i], more.v[i]...);
  return lanes;
}

// The lanes from `first` on; `none` in those before.
template <class P>
[[gnu::always_inline]] inline Lanes<P> lanes_from(Index first, const Lanes<P>& a, P none) {
  using Number = SignedOf<P>;
  constexpr int kCount = Lanes<P>::kPerVector;
  const auto places = counting<Vector<Number>>(std::make_index_sequence<kCount>{});
  Lanes<P> lanes;
  for (int i = 0; i < kVectors; ++i) {
    const auto begin = static_cast<Number>(first - i * kCount);
    lanes.v[i] = places >= begin ? a.v[i] : Vector<P>{} + none;
  }
  return lanes;
}

template <class P, class Join>
[[gnu::always_inline]] inline P join_lanes(Lanes<P> a, Join join) {
  for (int half = kVectors / 2; half > 0; half /= 2) {
    for (int i = 0; i < half; ++i) a.v[i] = join(a.v[i], a.v[i + half]);
  }
  return join_vector<P, Lanes<P>::kPerVector>(a.v[0], join);
}

// Integers added up as 64 bits: neighbours are added in lanes of twice the size, until there is one.
template <class P>
[[gnu::always_inline]] inline std::uint64_t wide_sum(const Lanes<P>& a) {
  if constexpr (sizeof(P) == 8) {
    const auto add = [](auto x, auto y) { return x + y; };
    return static_cast<std::uint64_t>(join_lanes(a, add));
  } else {
    using Bits = typename UnsignedOf<2 * sizeof(P)>::type;
    using Twice = std::conditional_t<std::is_signed_v<P>, std::make_signed_t<Bits>, Bits>;
    constexpr int kShift = 8 * static_cast<int>(sizeof(P));
    Lanes<Twice> pairs;
    for (int i = 0; i < kVectors; ++i) {
      const auto both = __builtin_bit_cast(Vector<Twice>, a.v[i]);
      // Shifting up and down again keeps the sign of the lower half.
      const auto up = __builtin_bit_cast(Vector<BitsOf<Twice>>, both) << kShift;
      pairs.v[i] = (both >> kShift) + (__builtin_bit_cast(Vector<Twice>, up) >> kShift);
    }
    return wide_sum(pairs);
  }
}

}  // namespace strided::STRIDED_ISA
