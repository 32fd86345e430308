#include "adam.hpp"

#include <algorithm>

#include "lane_buffers.hpp"
#include "plan/plan.hpp"
#include "threads.hpp"

namespace strided {
namespace {

constexpr int kOperands = 4;    // p, g, mean, square
constexpr Index kBlock = 1024;  // elements that are put side by side at a time
constexpr int kGradient = 1;

void run(const Plan& plan, std::byte* const* storage, DType dtype, AdamLoop loop, const AdamStep& step) {
  const Index item = itemsize(dtype), length = plan.inner_length();
  bool stepped[kOperands], any = false;
  for (int k = 0; k < kOperands; ++k) any |= stepped[k] = length > 1 && plan.inner_stride(k) != item;
  alignas(64) std::byte held[kOperands][kBlock * 8];
  const Index longest = any ? kBlock : length;
  for_each_row(plan, storage, [&](std::byte* const* row) {
    for (Index i = 0; i < length; i += longest) {
      const Index n = std::min(longest, length - i);
      std::byte* lanes[kOperands];
      for (int k = 0; k < kOperands; ++k) {
        std::byte* const at = row[k] + i * plan.inner_stride(k);
        lanes[k] = stepped[k] ? held[k] : at;
        if (stepped[k]) convert_lanes(dtype, at, plan.inner_stride(k), dtype, held[k], item, n);
      }
      loop(n, lanes[0], lanes[1], lanes[2], lanes[3], step);
      for (int k = 0; k < kOperands; ++k) {
        if (!stepped[k] || k == kGradient) continue;
        convert_lanes(dtype, held[k], item, dtype, row[k] + i * plan.inner_stride(k), plan.inner_stride(k), n);
      }
    }
  });
}

}  // namespace

void adam(const Operand& p, const Operand& g, const Operand& mean, const Operand& square, const AdamStep& step) {
  const Index size = p.layout->size(), item = itemsize(p.dtype);
  if (size == 0) return;
  const PlanOperand planned[] = {{p.layout, item}, {g.layout, item}, {mean.layout, item}, {square.layout, item}};
  const Plan plan = make_plan(planned);
  std::byte* const storage[] = {p.storage, g.storage, mean.storage, square.storage};
  const AdamLoop loop = loops().adam[p.dtype == DType::Float64];
  constexpr Index kMoves = 7;  // four are read, three written
  const Index pieces = pieces_for(static_cast<std::size_t>(size * item * kMoves));
  if (pieces == 1) return run(plan, storage, p.dtype, loop, step);
  const int axis = split_axis(plan, pieces);
  run_pieces(static_cast<int>(pieces), [&](int piece) {
    run(piece_of(plan, axis, piece, pieces), storage, p.dtype, loop, step);
  });
}

}  // namespace strided
