#include "elementwise.hpp"

#include <algorithm>
#include <cassert>
#include <string>
#include <utility>

#include "chain.hpp"
#include "kernels/convert/packed.hpp"
#include "kernels/loop_names.hpp"
#include "dtype/promotion.hpp"
#include "errors.hpp"
#include "layout/contiguity.hpp"
#include "plan/record.hpp"
#include "run/arena.hpp"
#include "run/machine.hpp"

namespace strided::kernels::elementwise {
namespace {

// Elements. More are planned, which costs a microsecond: less than they take to compute.
constexpr Index kSmall = 16384;
constexpr int kMostOperands = 4;  // the output and three inputs, of where and clamp

// The operands, the output first, and the loop that computes them.
struct Work : OpLoop {
  std::string_view name;
  const Operand* operands[kMostOperands];
  bool direct;  // every operand has the dtype that the loop takes
  Loop streamed;
};

[[noreturn]] void refuse(const OpRow& row, DType compute) {
  std::string kinds;
  for (const auto& [bit, name] : {std::pair{kBools, "bool"}, {kInts, "integer"}, {kFloats, "float"},
                                  {kComplexes, "complex"}}) {
    if (row.accepts & bit) kinds += (kinds.empty() ? "" : ", ") + std::string(name);
  }
  const char* const hint = is_complex(compute)       ? "x.real"
                           : (row.accepts & kInts)   ? "x.to(strided.int64)"
                           : (row.accepts & kFloats) ? "x.to(strided.float32)"
                                                     : "x.to(strided.bool)";
  throw errors::dtype_mismatch(std::string(row.name), std::string(name_of(compute)),
                               "it is defined for " + kinds, hint);
}

Work make_work(Op op, DType compute, const Operand& out, std::span<const Operand> inputs) {
  Work work;
  static_cast<OpLoop&>(work) = loop_of(op, compute);
  work.name = row_of(op).name;
  assert(static_cast<int>(inputs.size()) + 1 == work.count);
  work.streamed = streamed_loop_of(op, compute);
  work.operands[0] = &out;
  work.direct = out.dtype == work.inside[0];
  for (int k = 1; k < work.count; ++k) {
    work.operands[k] = &inputs[static_cast<std::size_t>(k) - 1];
    work.direct &= work.operands[k]->dtype == work.inside[k];
  }
  return work;
}

// Through buffers, a block at a time; a repeated input is converted once.
void run_converted(const Work& work, Index n, std::byte* const* data, const Index* strides) {
  ScratchArray<std::byte[convert::kPackedBlock * kLargestItem], kMostOperands> buffers;
  std::byte* inside[kMostOperands];
  Index steps[kMostOperands];
  for (Index done = 0; done < n; done += convert::kPackedBlock) {
    const Index count = std::min(convert::kPackedBlock, n - done);
    for (int k = 0; k < work.count; ++k) {
      const DType from = work.operands[k]->dtype, to = work.inside[k];
      inside[k] = from == to ? data[k] + done * strides[k] : buffers[k];
      steps[k] = from == to ? strides[k] : itemsize(to);
      if (k == 0 || from == to) continue;
      const bool repeated = strides[k] == 0;
      if (!repeated || done == 0) {
        convert::elements(from, data[k] + done * strides[k], strides[k], to, buffers[k], steps[k],
                          repeated ? 1 : count);
      }
      if (repeated) steps[k] = 0;
    }
    work.loop(count, inside, steps);
    if (inside[0] == buffers[0]) {
      convert::elements(work.inside[0], buffers[0], steps[0], work.operands[0]->dtype, data[0] + done * strides[0],
                        strides[0], count);
    }
  }
}

void run_row(const Work& work, Index n, std::byte* const* data, const Index* strides) {
  if (work.direct) work.loop(n, data, strides);
  else run_converted(work, n, data, strides);
}

// The same work as a chain: inputs of another dtype are converted into temporaries, the result from one.
void run_planned(const Work& work, bool may_stream) {
  SpaceOperand planned[kMostOperands];
  std::byte* storage[kMostOperands];
  Index sizes[kMostOperands];
  Index temporary[kMostOperands];
  Step steps[kMostOperands + 1];
  Step main{work.loop, work.count, {}};
  main.streamed = work.streamed;
  int temporaries = 0, count = 0;
  for (int k = 0; k < work.count; ++k) {
    const Operand& operand = *work.operands[k];
    sizes[k] = itemsize(operand.dtype);
    planned[k] = {operand.layout, sizes[k]};
    storage[k] = operand.storage;
    const bool direct = operand.dtype == work.inside[k];
    main.slot[k] = static_cast<std::uint8_t>(direct ? k : work.count + temporaries);
    if (direct) continue;
    temporary[temporaries++] = itemsize(work.inside[k]);
    if (k > 0) steps[count++] = {convert::loop_between(operand.dtype, work.inside[k]), 2,
                                 {main.slot[k], static_cast<std::uint8_t>(k)}};
  }
  steps[count++] = main;
  if (main.slot[0] != 0) steps[count++] = {convert::loop_between(work.inside[0], work.operands[0]->dtype), 2,
                                           {0, main.slot[0]}};
  const auto some = [](auto* first, int n) { return std::span(first, static_cast<std::size_t>(n)); };
  run_chain({work.count, 1, sizes, some(temporary, temporaries), some(steps, count), may_stream, work.name},
            ordered_space_of(some(planned, work.count)), storage);
}

// A result that takes the place of an input is in the cache by the time it is written.
bool may_stream(const Work& work, Index n) {
  if (!worth_streaming(n * itemsize(work.operands[0]->dtype))) return false;
  for (int k = 1; k < work.count; ++k) {
    if (work.operands[k]->first() == work.operands[0]->first()) return false;
  }
  return true;
}

PlanRecord record_of_row(const Work& work, Index n, const Index* strides) {
  IterationSpace row(work.count);
  row.add_axis(n, Role::Map, strides);
  PlanRecord record(std::string(work.name), row);
  if (!work.direct) record.tiles = "converted in blocks of " + std::to_string(convert::kPackedBlock);
  for (int k = 1; k < work.count; ++k) {
    const DType from = work.operands[k]->dtype;
    if (from != work.inside[k]) record.add_loop(loop_name(convert::loop_between(from, work.inside[k])));
  }
  record.add_loop(loop_name(work.loop));
  const DType to = work.operands[0]->dtype;
  if (to != work.inside[0]) record.add_loop(loop_name(convert::loop_between(work.inside[0], to)));
  return record;
}

}  // namespace

OpLoop loop_of(Op op, DType compute) {
  const OpRow& row = row_of(op);
  const Loop* const row_loops = loops().elementwise[static_cast<int>(op)];
  // Half types compute in float32, except in the few ops that have loops for them.
  const bool detour = is_half(compute) && row_loops[static_cast<int>(compute)] == nullptr;
  const DType inner = detour ? DType::Float32 : compute;
  OpLoop found;
  found.loop = row_loops[static_cast<int>(inner)];
  if (found.loop == nullptr) refuse(row, compute);
  found.count = row.arity + 1;
  found.inside[0] = row.result == Result::Same   ? inner
                    : row.result == Result::Bool ? DType::Bool
                                                 : real_of(inner);
  for (int k = 1; k < found.count; ++k) {
    found.inside[k] = k == 1 && row.compute == Compute::Choose ? DType::Bool : inner;
  }
  return found;
}

Loop streamed_loop_of(Op op, DType compute) {
  const Loop* const row = loops().streamed[static_cast<int>(op)];
  return compute == DType::Float32 ? row[0] : compute == DType::Float64 ? row[1] : nullptr;
}

void elementwise(Op op, DType compute, const Operand& out, std::span<const Operand> inputs) {
  const Work work = make_work(op, compute, out, inputs);
  const Index n = out.layout->size();
  if (n == 0) return;
  if (n > kSmall) return run_planned(work, may_stream(work, n));
  // Small tensors are mostly contiguous, and planning would take longer than computing.
  std::byte* data[kMostOperands];
  Index strides[kMostOperands];
  for (int k = 0; k < work.count; ++k) {
    const Operand& operand = *work.operands[k];
    if (!single_step(*operand.layout, strides[k])) return run_planned(work, false);
    strides[k] *= itemsize(operand.dtype);
    data[k] = operand.first();
  }
  const RecordScope scope([&] { return record_of_row(work, n, strides); });
  run_row(work, n, data, strides);
}

}  // namespace strided::kernels::elementwise
