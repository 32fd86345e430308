#include "swiglu.hpp"

#include "inner_loops.hpp"
#include "packed_rows.hpp"
#include "plan/record.hpp"
#include "plan/split.hpp"
#include "plan/walk.hpp"

namespace strided::kernels::nn {
namespace {

constexpr Index kBlock = 1024;  // elements whose gates wait for their factor: 8 KiB of float64 in the first-level cache

}  // namespace

void swiglu(const Operand& out, const Operand& gate, const Operand& up, DType compute) {
  const Index size = out.layout->size();
  if (size == 0) return;
  const SpaceOperand planned[] = {out, gate, up};
  const IterationSpace plan = ordered_space_of(planned);
  const Loop silu = loops().elementwise[static_cast<int>(Op::Silu)][static_cast<int>(compute)];
  const Loop multiply = loops().elementwise[static_cast<int>(Op::Multiply)][static_cast<int>(compute)];
  const Index item = itemsize(compute);
  std::byte* const storage[] = {out.storage, gate.storage, up.storage};
  const auto run = [&](const IterationSpace& part) {
    convert::PackedInput gates(gate.dtype, compute, part.inner_stride(1)), ups(up.dtype, compute, part.inner_stride(2));
    convert::PackedOutput results(out.dtype, compute, part.inner_stride(0));
    alignas(64) std::byte opened[kBlock * 8];
    for_each_row(part, storage, [&](std::byte* const* row) {
      in_blocks(part.inner_length(), kBlock, [&](Index i, Index n) {
        const Index steps[] = {item, item, item};
        const std::byte* const x = gates.read(gates.further(row[1], i), n);
        std::byte* const opening[] = {opened, const_cast<std::byte*>(x)};
        silu(n, opening, steps);
        std::byte* const place = results.further(row[0], i);
        const std::byte* const factor = ups.read(ups.further(row[2], i), n);
        std::byte* const product[] = {results.place(place, n), opened, const_cast<std::byte*>(factor)};
        multiply(n, product, steps);
        results.finish(place, n);
      });
    });
  };
  const int chunks = interruptible_chunks_for(static_cast<std::size_t>(size * kExpBytes));
  const RecordScope scope([&] {
    InnerLoops named(compute);
    named.table(silu, multiply).read(gate.dtype, plan.inner_stride(1)).read(up.dtype, plan.inner_stride(2));
    named.written(out.dtype, plan.inner_stride(0));
    return PlanRecord("swiglu", plan, named.names(), chunks, "blocks of " + std::to_string(kBlock) + " elements");
  });
  run_in_chunks(plan, chunks, run);
}

}  // namespace strided::kernels::nn
