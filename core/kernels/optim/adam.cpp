#include "adam.hpp"

#include "update_pass.hpp"

namespace strided {

void adam(const Operand& p, const Operand& g, const Operand& mean, const Operand& square, const AdamStep& step) {
  const AdamLoop loop = loops().adam[p.dtype == DType::Float64];
  run_update({p, g, mean, square}, 0b1101, [&](Index n, std::byte* const* lanes) {
    loop(n, lanes[0], lanes[1], lanes[2], lanes[3], step);
  });
}

}  // namespace strided
