#include "sgd.hpp"

#include "update_pass.hpp"

namespace strided::kernels::optim {

void sgd(const Operand& p, const Operand& g, const Operand* velocity, const SgdStep& step) {
  const SgdLoop loop = loops().sgd[p.dtype == DType::Float64];
  if (velocity == nullptr) {
    return run_update("sgd_step", loop, {&p, &g}, 0b01, [&](Index n, std::byte* const* places) {
      loop(n, places[0], places[1], nullptr, step);
    });
  }
  run_update("sgd_step", loop, {&p, &g, velocity}, 0b101, [&](Index n, std::byte* const* places) {
    loop(n, places[0], places[1], places[2], step);
  });
}

}  // namespace strided::kernels::optim
