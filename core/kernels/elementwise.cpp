#include "elementwise.hpp"

#include <algorithm>
#include <cassert>
#include <string>
#include <utility>

#include "dtype/promotion.hpp"
#include "errors.hpp"
#include "loops.hpp"
#include "plan/plan.hpp"

namespace strided {
namespace {

constexpr Index kBlock = 512;  // elements converted at a time; the buffers stay in the fastest cache
constexpr Index kLargestItem = 16;

// The operands side by side, the output first, and the loop that computes them.
struct Work {
  Loop loop;
  int count;
  const Operand* operands[kMaxOperands];
  DType inside[kMaxOperands];  // what the loop takes for each operand
  bool direct;                 // every operand has that dtype already
};

[[noreturn]] void refuse(const OpRow& row, DType compute) {
  std::string kinds;
  for (const auto& [bit, name] : {std::pair{kBools, "bool"}, {kInts, "integer"}, {kFloats, "float"},
                                  {kComplexes, "complex"}}) {
    if (row.accepts & bit) kinds += (kinds.empty() ? "" : ", ") + std::string(name);
  }
  const char* const cure = is_complex(compute)       ? "x.real"
                           : (row.accepts & kInts)   ? "x.to(strided.int64)"
                           : (row.accepts & kFloats) ? "x.to(strided.float32)"
                                                     : "x.to(strided.bool)";
  throw errors::dtype_mismatch(std::string(row.name), std::string(name_of(compute)),
                               "it is defined for " + kinds, cure);
}

Work make_work(Op op, DType compute, const Operand& out, std::span<const Operand> inputs) {
  const OpRow& row = row_of(op);
  const Loop* const row_loops = loops().elementwise[static_cast<int>(op)];
  // Half types compute in float32, except in the few ops that have loops for them.
  const bool detour = is_half(compute) && row_loops[static_cast<int>(compute)] == nullptr;
  const DType inner = detour ? DType::Float32 : compute;
  Work work;
  work.loop = row_loops[static_cast<int>(inner)];
  if (work.loop == nullptr) refuse(row, compute);
  work.count = row.arity + 1;
  assert(inputs.size() == row.arity);
  work.operands[0] = &out;
  work.inside[0] = row.result == Result::Same   ? inner
                   : row.result == Result::Bool ? DType::Bool
                                                : real_of(inner);
  work.direct = out.dtype == work.inside[0];
  for (int k = 1; k < work.count; ++k) {
    const bool chooses = k == 1 && row.compute == Compute::Choose;
    work.operands[k] = &inputs[static_cast<std::size_t>(k) - 1];
    work.inside[k] = chooses ? DType::Bool : inner;
    work.direct &= work.operands[k]->dtype == work.inside[k];
  }
  return work;
}

// Converts n elements; the strides are in bytes.
void convert(Index n, std::byte* out, Index out_stride, DType to, std::byte* in, Index in_stride,
             DType from) {
  std::byte* const data[] = {out, in};
  const Index strides[] = {out_stride, in_stride};
  loops().cast[static_cast<int>(from)][static_cast<int>(to)](n, data, strides);
}

// Through buffers, a block at a time; a repeated input is converted once.
void run_converted(const Work& work, Index n, std::byte* const* data, const Index* strides) {
  alignas(64) std::byte buffers[kMaxOperands][kBlock * kLargestItem];
  std::byte* inside[kMaxOperands];
  Index steps[kMaxOperands];
  for (Index done = 0; done < n; done += kBlock) {
    const Index count = std::min(kBlock, n - done);
    for (int k = 0; k < work.count; ++k) {
      const DType from = work.operands[k]->dtype, to = work.inside[k];
      inside[k] = from == to ? data[k] + done * strides[k] : buffers[k];
      steps[k] = from == to ? strides[k] : itemsize(to);
      if (k == 0 || from == to) continue;
      const bool repeated = strides[k] == 0;
      if (!repeated || done == 0) {
        convert(repeated ? 1 : count, buffers[k], steps[k], to, data[k] + done * strides[k],
                strides[k], from);
      }
      if (repeated) steps[k] = 0;
    }
    work.loop(count, inside, steps);
    if (inside[0] == buffers[0]) {
      convert(count, data[0] + done * strides[0], strides[0], work.operands[0]->dtype, buffers[0],
              steps[0], work.inside[0]);
    }
  }
}

void run_row(const Work& work, Index n, std::byte* const* data, const Index* strides) {
  if (work.direct) work.loop(n, data, strides);
  else run_converted(work, n, data, strides);
}

// Whether one step leads through the whole layout in row-major order, and which: true for contiguous
// layouts, single axes and repeated scalars.
bool walks_in_one_step(const Layout& layout, Index& step) {
  int axis = layout.rank() - 1;
  while (axis >= 0 && layout.length(axis) == 1) --axis;
  if (axis < 0) return step = 0, true;
  step = layout.stride(axis);
  for (Index needed = step * layout.length(axis); --axis >= 0;) {
    if (layout.length(axis) == 1) continue;
    if (layout.stride(axis) != needed) return false;
    needed *= layout.length(axis);
  }
  return true;
}

void run_planned(const Work& work) {
  PlanOperand planned[kMaxOperands];
  std::byte* storage[kMaxOperands];
  Index strides[kMaxOperands];
  for (int k = 0; k < work.count; ++k) {
    planned[k] = {work.operands[k]->layout, itemsize(work.operands[k]->dtype)};
    storage[k] = work.operands[k]->storage;
  }
  const Plan plan = make_plan({planned, static_cast<std::size_t>(work.count)});
  for (int k = 0; k < work.count; ++k) strides[k] = plan.inner_stride(k);
  for_each_row(plan, storage, [&](std::byte* const* data) {
    run_row(work, plan.inner_length(), data, strides);
  });
}

}  // namespace

void elementwise(Op op, DType compute, const Operand& out, std::span<const Operand> inputs) {
  const Work work = make_work(op, compute, out, inputs);
  const Index n = out.layout->size();
  if (n == 0) return;
  // Small tensors are mostly contiguous, and planning would take longer than computing.
  std::byte* data[kMaxOperands];
  Index strides[kMaxOperands];
  for (int k = 0; k < work.count; ++k) {
    const Operand& operand = *work.operands[k];
    if (!walks_in_one_step(*operand.layout, strides[k])) return run_planned(work);
    strides[k] *= itemsize(operand.dtype);
    data[k] = operand.first();
  }
  run_row(work, n, data, strides);
}

}  // namespace strided
