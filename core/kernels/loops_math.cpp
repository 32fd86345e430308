// Fills the rows of the real ops that are built once.
#include "inner_loop.hpp"
#include "real_math.hpp"

namespace strided {
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

}  // namespace

void fill_math_loops(LoopTable& table) {
  fill_elementwise<RealMath, Build::Once>(table, baseline::RealColumns{});
  Loop* const nextafter = table.elementwise[static_cast<int>(Op::Nextafter)];
  nextafter[static_cast<int>(DType::Float16)] = &binary_loop<NextHalf, float16>;
  nextafter[static_cast<int>(DType::BFloat16)] = &binary_loop<NextHalf, bfloat16>;
}

}  // namespace strided
