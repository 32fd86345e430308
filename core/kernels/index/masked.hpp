// Boolean masks: the elements where one is true, in row-major order.
#pragma once

#include <vector>

#include "plan/axes.hpp"
#include "plan/operand.hpp"

namespace strided::kernels::index {

// Counts when it is made, so that results can be allocated; what another thread writes to the mask meanwhile
// changes which elements are taken, but not how many are written.
class Masked {
 public:
  // Whatever is not zero counts as true; any dtype.
  explicit Masked(const Operand& mask);

  Index count() const { return counts_.back(); }

  // The index tuples, as rows of out (count, rank), int64.
  void write_positions(const Operand& out) const;
  // out[0], out[1], ... = the elements of `in`, which has the mask's shape; out has rank 1.
  void take(const Operand& out, const Operand& in) const;
  // The elements of `out`, which has the mask's shape, = in[0], in[1], ...; in has at least count elements.
  void put(const Operand& out, const Operand& in) const;

 private:
  template <class Block>
  void for_each_block(const char* operation, const char* loop, const Layout& other, Index itemsize,
                      Block&& block) const;
  template <class Move>
  void move(const char* operation, const char* loop, const Operand& list, const Operand& other, Move&& move) const;

  Operand mask_;
  std::vector<Index> counts_;  // how many come before each chunk, and in all
};

}  // namespace strided::kernels::index
