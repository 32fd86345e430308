// Fills the rows of the ops that vectorise, for one instruction set.
#include "kernels/elementwise/ops/divide_by.hpp"
#include "inner_loop.hpp"
#include "kernels/elementwise/ops/real_ops.hpp"
#include "simd/fused_products.hpp"

namespace strided::kernels::elementwise::STRIDED_ISA {
namespace {

constexpr bool divides(Op op) { return op == Op::FloorDivide || op == Op::Remainder; }
[[maybe_unused]] constexpr bool shifts(Op op) {
  return op == Op::BitwiseLeftShift || op == Op::BitwiseRightShift;
}

template <Op op, DType dtype>
void fill_one(LoopFiller& fill) {
  using T = typename RealOp<op>::template Carrier<typename TypeOf<dtype>::type>;
  const Loop& cell = fill.table.elementwise[static_cast<int>(op)][static_cast<int>(dtype)];
  if constexpr (divides(op)) fill.enter(cell, STRIDED_LOOP(divide_loop<op, T>));
  else fill.enter(cell, loop_of<RealOp<op>, op, T>());
}

}  // namespace

void fill_real_loops(LoopFiller& fill) {
  for_each_loop(RealColumns{}, [&]<Op op, DType dtype>() {
    if constexpr (source_of(row_of(op), dtype, kFusesProducts) == Source::Real) fill_one<op, dtype>(fill);
  });
  for_each_loop(ShiftColumns{}, [&]<Op op, DType dtype>() {
    if constexpr (divides(op) || shifts(op)) fill_one<op, dtype>(fill);
  });
  // Handing on sees only the size of an element, so half types need no detour through float32.
  for (const Op op : {Op::Where, Op::Positive, Op::Conj}) {
    const auto& row = fill.table.elementwise[static_cast<int>(op)];
    fill.share(row[static_cast<int>(DType::Float16)], row[static_cast<int>(DType::UInt16)]);
    fill.share(row[static_cast<int>(DType::BFloat16)], row[static_cast<int>(DType::UInt16)]);
  }
}

}  // namespace strided::kernels::elementwise::STRIDED_ISA
