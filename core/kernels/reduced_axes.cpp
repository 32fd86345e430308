#include "reduced_axes.hpp"

#include "errors.hpp"

namespace strided {
namespace {

// An innermost loop shorter than this costs more to start than to run.
constexpr Index kShortLoop = 8;

bool should_run_along(const Plan& kept, const Plan& swept) {
  if (kept.inner_length() < kShortLoop) return true;
  if (swept.inner_length() < kShortLoop) return false;
  const Index kept_step = kept.inner_stride(0);
  const Index swept_step = swept.inner_stride(0);
  // A repeated axis (step 0) goes outside, so that the loop within it moves through memory.
  return kept_step == 0 || (swept_step != 0 && swept_step < kept_step);
}

}  // namespace

ReducedAxes split_axes(const Operand& out, const Operand& in, Positions positions) {
  const Layout& from = *in.layout;
  // Strides of an empty input may be anything and lead nowhere: stay where the storage starts.
  const bool empty = from.size() == 0;
  Dims kept_shape, kept_in, kept_out, swept_shape, swept_in;
  for (int axis = 0; axis < from.rank(); ++axis) {
    const Index step = empty ? 0 : from.stride(axis);
    if (out.layout->length(axis) == from.length(axis)) {
      kept_shape.push_back(from.length(axis));
      kept_in.push_back(step);
      kept_out.push_back(out.layout->stride(axis));
    } else {
      swept_shape.push_back(from.length(axis));
      swept_in.push_back(step);
    }
  }
  const Layout kept_from(kept_shape, kept_in, empty ? 0 : from.offset());
  const Layout kept_to(kept_shape, kept_out, out.layout->offset());
  const Layout swept_from(swept_shape, swept_in, 0);
  const Layout swept_position = Layout::row_major(swept_shape);
  const PlanOperand kept[] = {{&kept_from, itemsize(in.dtype)}, {&kept_to, itemsize(out.dtype)}};
  const PlanOperand swept[] = {{&swept_from, itemsize(in.dtype)}, {&swept_position, 1}};
  const std::size_t swept_operands = positions == Positions::Needed ? 2 : 1;

  ReducedAxes axes{make_plan(kept), make_plan({swept, swept_operands}), swept_from.size(), false};
  axes.along_runs = should_run_along(axes.kept, axes.swept);
  return axes;
}

void require_elements(const ReducedAxes& axes, const Operand& in) {
  if (axes.count > 0) return;
  throw errors::invalid_argument("dim", "a tensor of shape " + text_of(in.layout->shape()),
                                 "the reduced dimensions must have at least one element");
}

void write_results(Index n, std::byte* to, const ReducedAxes& axes, const Operand& out,
                   void* results, DType dtype) {
  std::byte* const data[] = {to, static_cast<std::byte*>(results)};
  const Index steps[] = {axes.kept.inner_stride(1), itemsize(dtype)};
  loops().cast[static_cast<int>(dtype)][static_cast<int>(out.dtype)](n, data, steps);
}

}  // namespace strided
