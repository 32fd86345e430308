// Fills the rows of the ops that vectorise, for one instruction set.
#include "kernels/elementwise/ops/divide_by.hpp"
#include "inner_loop.hpp"
#include "kernels/elementwise/ops/real_ops.hpp"

namespace strided::STRIDED_ISA {
namespace {

constexpr bool divides(Op op) { return op == Op::FloorDivide || op == Op::Remainder; }
[[maybe_unused]] constexpr bool shifts(Op op) {
  return op == Op::BitwiseLeftShift || op == Op::BitwiseRightShift;
}

template <Op op, DType dtype>
void fill_one(LoopTable& table) {
  using T = typename RealOp<op>::template Carrier<typename TypeOf<dtype>::type>;
  Loop& loop = table.elementwise[static_cast<int>(op)][static_cast<int>(dtype)];
  if constexpr (divides(op)) loop = &divide_loop<op, T>;
  else loop = loop_of<RealOp<op>, op, T>();
}

}  // namespace

void fill_real_loops(LoopTable& table) {
  for_each_loop(RealColumns{}, [&]<Op op, DType dtype>() {
    if constexpr (is_built_per_isa(row_of(op), dtype)) fill_one<op, dtype>(table);
  });
  for_each_loop(ShiftColumns{}, [&]<Op op, DType dtype>() {
    if constexpr (divides(op) || shifts(op)) fill_one<op, dtype>(table);
  });
  // Handing on sees only the size of an element, so half types need no detour through float32.
  for (const Op op : {Op::Where, Op::Positive, Op::Conj}) {
    Loop* const row = table.elementwise[static_cast<int>(op)];
    row[static_cast<int>(DType::Float16)] = row[static_cast<int>(DType::UInt16)];
    row[static_cast<int>(DType::BFloat16)] = row[static_cast<int>(DType::UInt16)];
  }
}

}  // namespace strided::STRIDED_ISA
