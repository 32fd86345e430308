// Index arrays: positions are checked against their axis and resolved to places in memory.
#pragma once

#include <memory>
#include <span>

#include "kernels/convert/packed.hpp"
#include "plan/operand.hpp"

namespace strided::kernels::index {

// The axis that positions count along, in bytes.
struct PickedAxis {
  Index length;
  Index step;
};

class PositionReader {
 public:
  PositionReader(DType dtype, PickedAxis axis)
      : reader_(dtype, DType::Int64), axis_(axis), wide_(dtype == DType::UInt64) {}

  // Writes how far from the first element each of n <= kPackedBlock positions lies, in bytes. False if one is
  // outside; its place is then 0. Without `places` that is all that is asked.
  bool read(const std::byte* positions, Index stride, Index n, Index* places);

 private:
  kernels::convert::PackedReader reader_;
  PickedAxis axis_;
  bool wide_;  // uint64: what is negative as int64 is beyond every axis
};

// Raises IndexOutOfBounds for the first position, in row-major order, that is outside.
void check_positions(const Operand& positions, Index length, int axis);

// Places for tuples of positions (one operand per axis of `picked`, of one shape), in row-major order.
std::unique_ptr<Index[]> places_of(const Operand& picked, std::span<const Operand> positions);
// Places for positions that count the elements of `picked` in row-major order.
std::unique_ptr<Index[]> places_of_flat(const Operand& picked, const Operand& positions);

}  // namespace strided::kernels::index
