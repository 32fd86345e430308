// Fills the rows of the real ops that are built once.
#include <algorithm>

#include "inner_loop.hpp"
#include "kernels/elementwise/ops/real_math.hpp"
#include "simd/fused_products.hpp"

namespace strided::kernels::elementwise {
namespace {

// The neighbour of `a` in the direction of `b` among half numbers; through float32 it would round back.
struct NextHalf {
  template <class H> H operator()(H a, H b) const {
    const float x = static_cast<float>(a), y = static_cast<float>(b);
    if (x != x) return a;
    if (x == y || y != y) return b;
    constexpr std::uint16_t kSign = 0x8000;
    if (x == 0) a.bits = static_cast<std::uint16_t>((b.bits & kSign) | 1);
    else a.bits = static_cast<std::uint16_t>(a.bits + ((y > x) == (x > 0) ? 1 : -1));
    return a;
  }
};

// Powers of integers a block at a time, all elements bit by bit of their exponents: that vectorises.
template <class T> void integer_pow_loop(Index n, std::byte* const* data, const Index* strides) {
  using W = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
  constexpr Index kBlock = 256;  // elements: with 8 bytes each, three lists take 6 KiB of the stack and the first cache
  W squares[kBlock], left[kBlock], results[kBlock];
  for (Index done = 0; done < n; done += kBlock) {
    const Index count = std::min(kBlock, n - done);
    std::byte* const here[] = {data[0] + done * strides[0], data[1] + done * strides[1],
                               data[2] + done * strides[2]};
    W all = 0;
    for (Index i = 0; i < count; ++i) {
      squares[i] = static_cast<W>(load<T>(here[1] + i * strides[1]));
      left[i] = static_cast<W>(load<T>(here[2] + i * strides[2]));
      all |= left[i];
      results[i] = 1;
    }
    if (std::is_signed_v<T> && all >> (8 * sizeof(W) - 1) != 0) {  // a negative one
      single_loop<RealMath<Op::Pow>, Op::Pow, T>(count, here, strides);
      continue;
    }
    for (; all != 0; all >>= 1) {
      for (Index i = 0; i < count; ++i) {
        const W bit = left[i] & 1;
        results[i] *= (squares[i] & (W{0} - bit)) | (bit ^ 1);
        squares[i] *= squares[i];
        left[i] >>= 1;
      }
    }
    for (Index i = 0; i < count; ++i) store(here[0] + i * strides[0], static_cast<T>(results[i]));
  }
}

}  // namespace

void fill_libm_loops(LoopFiller& fill) {
  // This file is compiled for the instruction set of the level baseline.
  for_each_loop(baseline::RealColumns{}, [&]<Op op, DType dtype>() {
    if constexpr (source_of(row_of(op), dtype, kFusesProducts) == Source::Libm) {
      using T = typename TypeOf<dtype>::type;
      const Loop& cell = fill.table.elementwise[static_cast<int>(op)][static_cast<int>(dtype)];
      if constexpr (op == Op::Pow && std::is_integral_v<T>) fill.enter(cell, STRIDED_LOOP(integer_pow_loop<T>));
      else fill.enter(cell, STRIDED_LOOP(single_loop<RealMath<op>, op, T>));
    }
  });
  const auto& nextafter = fill.table.elementwise[static_cast<int>(Op::Nextafter)];
  fill.enter(nextafter[static_cast<int>(DType::Float16)], STRIDED_LOOP(binary_loop<NextHalf, float16>));
  fill.enter(nextafter[static_cast<int>(DType::BFloat16)], STRIDED_LOOP(binary_loop<NextHalf, bfloat16>));
}

}  // namespace strided::kernels::elementwise
