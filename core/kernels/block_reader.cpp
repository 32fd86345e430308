#include "block_reader.hpp"

#include "dtype/bits.hpp"

namespace strided {
namespace {

template <class Bits>
void move_loop(Index n, std::byte* const* data, const Index* steps) {
  for (Index i = 0; i < n; ++i) {
    std::memcpy(data[0] + i * steps[0], data[1] + i * steps[1], sizeof(Bits));
  }
}

}  // namespace

Loop conversion_loop(DType from, DType to) {
  if (from != to) return loops().cast[static_cast<int>(from)][static_cast<int>(to)];
  return visit_bits(itemsize(to), [](auto bits) -> Loop { return &move_loop<decltype(bits)>; });
}

}  // namespace strided
