#include "scan.hpp"

#include <algorithm>
#include <complex>
#include <cstdlib>

#include "block_reader.hpp"
#include "copy.hpp"
#include "layout/views.hpp"
#include "plan/plan.hpp"

namespace strided {
namespace {

template <class T>
inline constexpr bool is_half_type = std::is_same_v<T, float16> || std::is_same_v<T, bfloat16>;

// What is carried along: half types as float; integers as unsigned ones no narrower than int, so that
// they wrap around without passing through a signed type.
template <class T>
auto carried(T x) {
  if constexpr (std::is_same_v<T, bool>) return x;
  else if constexpr (is_half_type<T>) return static_cast<float>(x);
  else if constexpr (!std::is_integral_v<T>) return x;
  else if constexpr (sizeof(T) == 8) return static_cast<std::uint64_t>(x);
  else return static_cast<std::uint32_t>(x);
}

template <Scan op, class Carry>
Carry joined(Carry a, Carry b) {
  if constexpr (std::is_same_v<Carry, bool>) return op == Scan::Sum ? a || b : a && b;
  else return op == Scan::Sum ? a + b : a * b;
}

template <Scan op, class T, class Carry>
[[gnu::always_inline]] inline void take(Carry& carry, std::byte* out, const std::byte* in) {
  carry = joined<op>(carry, carried(load<T>(in)));
  store(out, static_cast<T>(carry));
}

// One element further along the axis, for each of n lines.
template <Scan op, class T, class Carry>
void take_row(Index n, Carry* __restrict carry, std::byte* out, Index out_stride,
              const std::byte* in, Index in_stride) {
  constexpr Index size = sizeof(T);
  if (out_stride == size && in_stride == size) {
    for (Index c = 0; c < n; ++c) take<op, T>(carry[c], out + c * size, in + c * size);
  } else {
    for (Index c = 0; c < n; ++c) take<op, T>(carry[c], out + c * out_stride, in + c * in_stride);
  }
}

template <Scan op, class T>
void scan_lines(const Operand& out, const Operand& in, int axis) {
  using Carry = decltype(carried(T()));
  const Index size = sizeof(T);
  const Index length = out.layout->length(axis);
  const Index out_step = out.layout->stride(axis) * size;
  const Index in_step = in.layout->stride(axis) * size;
  // Where the lines start: everything but the axis, in any order.
  const Layout out_starts = selected(*out.layout, axis, 0);
  const Layout in_starts = selected(*in.layout, axis, 0);
  const PlanOperand operands[] = {{&out_starts, size}, {&in_starts, size}};
  const Plan starts = make_plan(operands);
  const Index lines = starts.inner_length();
  const Index out_stride = starts.inner_stride(0);
  const Index in_stride = starts.inner_stride(1);
  // Whichever steps less is walked inside: along a line, or across up to kBlock lines.
  const Index together = std::abs(out_step) < out_stride ? 1 : kBlock;

  std::byte* const storage[] = {out.storage, in.storage};
  for_each_row(starts, storage, [&](std::byte* const* row) {
    for (Index first = 0; first < lines; first += together) {
      const Index n = std::min(together, lines - first);
      std::byte* to = row[0] + first * out_stride;
      const std::byte* from = row[1] + first * in_stride;
      Carry carry[kBlock];
      std::fill_n(carry, n, static_cast<Carry>(op == Scan::Prod));
      if (n == 1) {
        for (Index i = 0; i < length; ++i) take<op, T>(carry[0], to + i * out_step, from + i * in_step);
      } else {
        for (Index i = 0; i < length; ++i) {
          take_row<op, T>(n, carry, to + i * out_step, out_stride, from + i * in_step, in_stride);
        }
      }
    }
  });
}

}  // namespace

void scan(Scan op, const Operand& out, const Operand& in, int axis) {
  if (out.layout->size() == 0) return;
  if (in.dtype != out.dtype) {  // the result is a place to convert to
    copy(out, in);
    return scan(op, out, out, axis);
  }
  visit(out.dtype, [&]<class T>(Type<T>) {
    if (op == Scan::Sum) scan_lines<Scan::Sum, T>(out, in, axis);
    else scan_lines<Scan::Prod, T>(out, in, axis);
  });
}

}  // namespace strided
