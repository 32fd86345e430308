// Sorting along one axis: the values in order, the places they had before, or both.
//
// NaN counts as the largest value; -0.0 and 0.0 count as equal. Elements that count as equal keep their
// order, in rising and in falling order.
#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "plan/operand.hpp"

namespace strided::kernels::sort {

// Raises DTypeMismatch for dtypes without an order.
void require_order(DType dtype, const char* operation);

class Sorting {
 public:
  struct Request {
    bool values;
    bool places;
    bool descending;
    Index keep = std::numeric_limits<Index>::max();  // only the first so many of each list
  };

  // Raises OutOfMemory for lines that no memory holds.
  Sorting(const Operand& in, int axis, Request request);

  // How many bytes `run` works in, besides the operands.
  std::size_t memory() const { return static_cast<std::size_t>(slots_) * slot_bytes_; }

  // Results have in's shape, but for what is kept along the axis, and do not overlap it; the one not wanted
  // is null. Places are int64.
  void run(const Operand* values, const Operand* places, std::byte* memory) const;

 private:
  std::vector<std::string> names_of_loops() const;

  Operand in_;
  int axis_;
  Index length_;
  Index keep_;
  bool values_;
  bool places_;
  bool descending_;
  bool short_lines_ = true;
  Index together_ = 1;          // lines in a block
  int slots_ = 1;               // blocks that are worked on at a time
  int line_chunks_ = 1;         // that one line is cut into
  std::size_t slot_bytes_ = 0;
};

}  // namespace strided::kernels::sort
