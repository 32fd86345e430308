#include "adam.hpp"

#include "update_pass.hpp"

namespace strided::kernels::optim {

void adam(const Operand& p, const Operand& g, const Operand& mean, const Operand& square, const AdamStep& step) {
  const AdamLoop loop = loops().adam[p.dtype == DType::Float64];
  run_update("adam_step", loop, {&p, &g, &mean, &square}, 0b1101, [&](Index n, std::byte* const* places) {
    loop(n, places[0], places[1], places[2], places[3], step);
  });
}

}  // namespace strided::kernels::optim
