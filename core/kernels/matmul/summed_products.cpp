#include "summed_products.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <limits>

#include "kernels/convert/packed.hpp"
#include "kernels/loop_names.hpp"
#include "kernels/loop_table.hpp"
#include "plan/matrix.hpp"
#include "plan/sizes.hpp"
#include "plan/split.hpp"
#include "plan/walk.hpp"
#include "run/arena.hpp"
#include "run/interrupt.hpp"
#include "run/machine.hpp"

namespace strided::kernels::matmul {
namespace {

// Which kernel: fixed, as it decides the bits.
constexpr Index kFewSteps = 16;    // a kernel that takes one product at a time needs longer to begin
constexpr Index kFewResults = 16;  // too short for a loop over results
// That are added up before their sum is added to the others: it rounds less. Fixed: it decides the bits.
constexpr Index kSteps = 64;
constexpr Index kShortBlock = 128;  // results that repay the calls of five loops per step
constexpr Index kBuffers = 5;       // of a block: sums, partial sums, products, and both factors converted

// Results whose buffers stay in the first cache.
Index longest_block(Index size) { return std::max(kShortBlock, machine().l1 / ((kBuffers + 1) * size)); }

// How far a and b step along an axis, both together.
Index width_of(const IterationSpace& axes, int axis) {
  return std::abs(axes.strides[kProductA][axis]) + std::abs(axes.strides[kProductB][axis]);
}

}  // namespace

bool SummedProducts::takes(const ProductSpace& space) {
  const IterationSpace& axes = space.axes();
  constexpr Index kFar = std::numeric_limits<Index>::max();
  Index map = kFar, inner = kFar;
  for (int axis = 0; axis < space.batch().end; ++axis) {
    if (axes.shape[axis] >= kFewResults) map = std::min(map, width_of(axes, axis));
  }
  for (int axis = space.inner().begin; axis < space.inner().end; ++axis) inner = std::min(inner, width_of(axes, axis));
  return map != kFar && (size_of(axes, space.inner()) <= kFewSteps || map < inner);
}

SummedProducts::SummedProducts(const ProductSpace& space, std::byte* const* storage, const DType* dtypes,
                               DType compute)
    : axes_(space.axes()), storage_{storage[0], storage[1], storage[2]}, dtypes_{dtypes[0], dtypes[1], dtypes[2]},
      accumulate_(is_complex(compute) ? compute : accumulate_dtype(compute)), steps_(size_of(axes_, space.inner())) {
  drop_unit_axes(axes_);
  order_axes(axes_, only(kProductA) | only(kProductB));
  fuse_axes(axes_);
  while (maps_ < axes_.rank() && axes_.roles[maps_] == Role::Map) ++maps_;
  // Not too short for the loops.
  for (int axis = maps_ - 1; axes_.shape[maps_ - 1] < kFewResults && axis >= 0; --axis) {
    if (axes_.shape[axis] >= kFewResults) move_axis(axes_, axis, maps_ - 1);
  }
  const Index length = axes_.shape[maps_ - 1], outer = axes_.size_of_first(maps_ - 1);
  const Index elements = outer * length * steps_;
  const Index read = itemsize(dtypes[kProductA]) + itemsize(dtypes[kProductB]);
  const Index chunks =
      interruptible_chunks_for(static_cast<std::size_t>(elements) * static_cast<std::size_t>(read));
  // Sums do not depend on where blocks end.
  block_ = std::clamp(round_up(ceil_div(length, ceil_div(chunks, outer)), kShortBlock), kShortBlock,
                      longest_block(itemsize(accumulate_)));
  blocks_ = ceil_div(length, block_);
  count_ = outer * blocks_;
  chunks_ = std::min(count_, chunks);
}

std::string SummedProducts::text() const {
  return "blocks of " + std::to_string(std::min(block_, axes_.shape[maps_ - 1])) + " results, sums of " +
         std::to_string(std::min(kSteps, steps_)) + " steps";
}

Loop SummedProducts::loop_of(Op op) const {
  return loops().elementwise[static_cast<int>(op)][static_cast<int>(accumulate_)];
}

std::vector<std::string> SummedProducts::inner_loops() const {
  std::vector<std::string> names = {loop_name(loop_of(Op::Multiply)), loop_name(loop_of(Op::Add))};
  const auto add_cast = [&](DType from, DType to) {
    const std::string name = loop_name(convert::loop_between(from, to));
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  };
  for (int k : {kProductA, kProductB}) if (!same_bits(dtypes_[k], accumulate_)) add_cast(dtypes_[k], accumulate_);
  add_cast(accumulate_, dtypes_[kProductC]);
  return names;
}

std::byte* SummedProducts::converted(int operand, std::byte* from, Index length, std::byte* memory, Index& step) const {
  step = axes_.strides[operand][maps_ - 1];
  if (same_bits(dtypes_[operand], accumulate_)) return from;
  convert::elements(dtypes_[operand], from, step, accumulate_, memory, itemsize(accumulate_), length);
  step = itemsize(accumulate_);
  return memory;
}

void SummedProducts::run_block(const Block& block, std::byte* memory) const {
  const Index size = itemsize(accumulate_), bytes = block_ * size, n = block.length;
  std::byte *const sums = memory, *const partial = sums + bytes, *const product = partial + bytes;
  const Loop times = loop_of(Op::Multiply), plus = loop_of(Op::Add);
  const Index together[] = {size, size, size};
  for (Index p = 0; p < steps_; p += kSteps) {
    if (p > 0) check_interrupt();  // few results may be long sums
    const Index count = std::min(kSteps, steps_ - p);
    Index a_offsets[kSteps], b_offsets[kSteps];
    list_offsets(axes_, kProductA, maps_, axes_.rank(), p, count, a_offsets);
    list_offsets(axes_, kProductB, maps_, axes_.rank(), p, count, b_offsets);
    // The first partial sum is the sum, and the first product the partial sum: there is no zero to begin with.
    std::byte* const total = p == 0 ? sums : partial;
    for (Index i = 0; i < count; ++i) {
      Index steps[] = {size, 0, 0};
      std::byte* const a = block.places[kProductA] + a_offsets[i];
      std::byte* const b = block.places[kProductB] + b_offsets[i];
      std::byte* const factors[] = {i == 0 ? total : product, converted(kProductA, a, n, product + bytes, steps[1]),
                                    converted(kProductB, b, n, product + 2 * bytes, steps[2])};
      times(n, factors, steps);
      if (i == 0) continue;
      std::byte* const terms[] = {total, total, product};
      plus(n, terms, together);
    }
    if (p == 0) continue;
    std::byte* const terms[] = {sums, sums, partial};
    plus(n, terms, together);
  }
  convert::elements(accumulate_, sums, size, dtypes_[kProductC], block.places[kProductC],
                    axes_.strides[kProductC][maps_ - 1], n);
}

void SummedProducts::run() const {
  const Index bytes = kBuffers * block_ * itemsize(accumulate_), length = axes_.shape[maps_ - 1];
  run_range_in_chunks(count_, static_cast<int>(chunks_), [&](Index begin, Index end) {
    Scratch scratch;
    std::byte* const memory = scratch.take<std::byte>(bytes);
    for (Index i = begin; i < end; ++i) {
      const Index first = i % blocks_ * block_;
      Block block{{}, std::min(block_, length - first)};
      for (int k = 0; k < 3; ++k) {
        block.places[k] = storage_[k] + axes_.start[k] + offset_of(axes_, k, 0, maps_ - 1, i / blocks_) +
                          first * axes_.strides[k][maps_ - 1];
      }
      run_block(block, memory);
    }
  });
}

}  // namespace strided::kernels::matmul
