// Positions to places in memory, for one instruction set.
#include "dtype/element.hpp"
#include "kernels/fill_loops.hpp"

namespace strided::kernels::index::STRIDED_ISA {
namespace {

bool are_inside(Index n, const std::byte* positions, Index length, Index from_end) {
  Index least = 0, most = -from_end;
  for (Index i = 0; i < n; ++i) {
    const Index asked = load<Index>(positions + i * Index{sizeof(Index)});
    least = asked < least ? asked : least;
    most = asked > most ? asked : most;
  }
  return least >= -from_end && most < length;
}

bool resolve(Index n, const std::byte* positions, Index length, Index step, bool wide, Index* places) {
  const auto beyond = static_cast<std::uint64_t>(length);
  const Index from_end = wide ? 0 : length;
  if (places == nullptr) return are_inside(n, positions, length, from_end);
  std::uint64_t outside = 0;
  for (Index i = 0; i < n; ++i) {
    const Index asked = load<Index>(positions + i * Index{sizeof(Index)});
    const Index at = asked < 0 ? asked + from_end : asked;
    const bool is_outside = static_cast<std::uint64_t>(at) >= beyond;
    outside |= static_cast<std::uint64_t>(is_outside);
    places[i] = is_outside ? 0 : at * step;
  }
  return outside == 0;
}

}  // namespace

void fill_gather_loops(LoopFiller& fill) { fill.enter(fill.table.gather.resolve, STRIDED_LOOP(resolve)); }

}  // namespace strided::kernels::index::STRIDED_ISA
