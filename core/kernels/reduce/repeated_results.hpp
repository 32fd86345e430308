// Results along an axis that the input repeats are all the same: one is computed, the others are copies of it.
#pragma once

#include <cstdint>

#include "plan/operand.hpp"

namespace strided {

// The axes, bit by bit, that `out` keeps and along which `in` has step 0.
inline std::uint64_t repeated_results(const Operand& out, const Operand& in) {
  std::uint64_t axes = 0;
  for (int axis = 0; axis < in.layout->rank(); ++axis) {
    const bool repeats = in.layout->stride(axis) == 0 && in.layout->length(axis) > 1;
    if (repeats && out.layout->length(axis) > 1) axes |= std::uint64_t{1} << axis;
  }
  return axes;
}

// The first index of each of these axes.
Layout at_first_indices(const Layout& layout, std::uint64_t axes);
// Copies the results at the first index of each of these axes to all others.
void repeat_results(const Operand& out, std::uint64_t axes);

// Where there are such axes: calls run(out, also, in), all at the first index of each, repeats what it wrote and
// returns true. `also` is a second operand for results, which may be null.
template <class Run>
bool run_once_per_repeat(const Operand& out, const Operand* also, const Operand& in, Run&& run) {
  const std::uint64_t axes = repeated_results(out, in);
  if (axes == 0) return false;
  const Layout from = at_first_indices(*in.layout, axes), to = at_first_indices(*out.layout, axes);
  const Layout also_to = also == nullptr ? Layout() : at_first_indices(*also->layout, axes);
  const Operand first_out{out.storage, &to, out.dtype}, first_in{in.storage, &from, in.dtype};
  const Operand first_also{also == nullptr ? nullptr : also->storage, &also_to,
                           also == nullptr ? out.dtype : also->dtype};
  run(first_out, also == nullptr ? nullptr : &first_also, first_in);
  repeat_results(out, axes);
  if (also != nullptr) repeat_results(*also, axes);
  return true;
}

}  // namespace strided
