// Division of many integers by one: a product with a prepared number and two shifts, after T. Granlund and
// P. Montgomery, "Division by invariant integers using multiplication" (1994), figure 4.1.
#pragma once

#include "kernels/elementwise/inner_loop.hpp"
#include "real_ops.hpp"

#if defined(__clang__)
#pragma clang diagnostic ignored "-Wpass-failed"  // not every loop below vectorises
#endif

namespace strided::kernels::elementwise::STRIDED_ISA {

// The upper half of a product.
template <class U> U upper_product(U a, U b) {
  constexpr int kBits = 8 * sizeof(U);
  if constexpr (kBits < 64) {
    using Wide = std::conditional_t<kBits == 8, std::uint16_t,
                                    std::conditional_t<kBits == 16, std::uint32_t, std::uint64_t>>;
    return static_cast<U>(static_cast<Wide>(static_cast<Wide>(a) * static_cast<Wide>(b)) >> kBits);
  } else {
    const U a0 = a & 0xffffffff, a1 = a >> 32, b0 = b & 0xffffffff, b1 = b >> 32;
    const U low = a1 * b0 + ((a0 * b0) >> 32), high = a0 * b1 + (low & 0xffffffff);
    return a1 * b1 + (low >> 32) + (high >> 32);
  }
}

// x / d = (t + (x - t) / 2^first) / 2^second, with t the upper half of factor * x.
template <class U>
struct Divider {
  U factor;
  int first, second;

  explicit Divider(U d) {
    constexpr int kBits = 8 * sizeof(U);
    int log = 0;
    while (log < kBits && (U{1} << log) < d) ++log;  // 2^(log - 1) < d <= 2^log
    // factor = 2^bits (2^log - d) / d + 1, digit by digit.
    U rest = static_cast<U>((log < kBits ? U(U{1} << log) : U{0}) - d), quotient = 0;
    for (int i = 0; i < kBits; ++i) {
      const bool carry = rest >> (kBits - 1);
      rest = static_cast<U>(rest << 1);
      quotient = static_cast<U>(quotient << 1);
      if (carry || rest >= d) rest = static_cast<U>(rest - d), quotient |= 1;
    }
    factor = static_cast<U>(quotient + 1);
    first = log < 1 ? log : 1;
    second = log > 1 ? log - 1 : 0;
  }

  U operator()(U x) const {
    const U t = upper_product(factor, x);
    const U half = static_cast<U>(static_cast<U>(x - t) >> first);
    return static_cast<U>(static_cast<U>(t + half) >> second);
  }
};

// floor(a / b) for packed elements and one b that is not 0. A negative quotient is rounded away from 0 by
// dividing the complement: floor(-a / b) = ~((a - 1) / b). Bytes are computed in 16 bits, since vectors
// of bytes have neither products nor shifts.
template <Op op, class T>
void divide_packed(Index n, std::byte* out, const std::byte* in, T b) {
  using Short = std::conditional_t<std::is_signed_v<T>, std::int16_t, std::uint16_t>;
  using S = std::conditional_t<sizeof(T) == 1, Short, T>;
  using U = std::make_unsigned_t<S>;
  const bool negative = std::is_signed_v<T> && b < 0;
  const U divisor = static_cast<U>(b), flip = negative ? static_cast<U>(~U{0}) : U{0};
  const Divider<U> divide(static_cast<U>((divisor ^ flip) - flip));
#if defined(__clang__)
#pragma clang loop vectorize(assume_safety)
#else
#pragma GCC ivdep
#endif
  for (Index i = 0; i < n; ++i) {
    const U a = static_cast<U>(static_cast<S>(load<T>(in + i * static_cast<Index>(sizeof(T)))));
    const U size = static_cast<U>((a ^ flip) - flip);
    U below = 0;
    if constexpr (std::is_signed_v<T>) {
      below = static_cast<S>(a ^ flip) < static_cast<S>(flip) ? static_cast<U>(~U{0}) : U{0};
    }
    const U quotient = divide(static_cast<U>(size ^ below)) ^ below;
    const U rest = static_cast<U>(static_cast<Wrap<S>>(a) - static_cast<Wrap<S>>(quotient) * divisor);
    store(out + i * static_cast<Index>(sizeof(T)), static_cast<T>(op == Op::Remainder ? rest : quotient));
  }
}

template <Op op, class T>
void divide_loop(Index n, std::byte* const* data, const Index* strides) {
  constexpr Index kWorthPreparing = 32;  // the multiplier takes as long as some divisions
  const bool packed = strides[0] == sizeof(T) && strides[1] == sizeof(T);
  if (packed && strides[2] == 0 && n >= kWorthPreparing) {
    const T b = load<T>(data[2]);
    if (b != 0) return divide_packed<op, T>(n, data[0], data[1], b);
  }
  binary_loop<RealOp<op>, T>(n, data, strides);
}

}  // namespace strided::kernels::elementwise::STRIDED_ISA
