#include "scan.hpp"

#include <cassert>
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

// Up to kBlock lines along the axis, next to each other. Whichever of the two steps less is walked inside.
template <Scan op, class T>
struct Lines {
  using Carry = decltype(carried(T()));
  Index length;
  Index out_step, in_step;      // along the axis, bytes
  Index out_stride, in_stride;  // from line to line

  static void step(Carry& carry, std::byte* out, const std::byte* in) {
    carry = joined<op>(carry, carried(load<T>(in)));
    store(out, static_cast<T>(carry));
  }

  void run(Index n, std::byte* out, const std::byte* in) const {
    Carry carry[kBlock];
    std::fill_n(carry, n, static_cast<Carry>(op == Scan::Prod));
    if (std::abs(out_step) < std::abs(out_stride) || n == 1) {
      for (Index c = 0; c < n; ++c) {
        for (Index i = 0; i < length; ++i) {
          step(carry[c], out + c * out_stride + i * out_step, in + c * in_stride + i * in_step);
        }
      }
    } else {
      for (Index i = 0; i < length; ++i) {
        for (Index c = 0; c < n; ++c) {
          step(carry[c], out + c * out_stride + i * out_step, in + c * in_stride + i * in_step);
        }
      }
    }
  }
};

template <Scan op, class T>
void scan_lines(const Operand& out, const Operand& in, int axis) {
  const Index size = sizeof(T);
  // Where the lines start: everything but the axis, in any order.
  const Layout out_starts = selected(*out.layout, axis, 0);
  const Layout in_starts = selected(*in.layout, axis, 0);
  const PlanOperand operands[] = {{&out_starts, size}, {&in_starts, size}};
  const Plan starts = make_plan(operands);
  const Lines<op, T> lines{out.layout->length(axis),         out.layout->stride(axis) * size,
                           in.layout->stride(axis) * size,   starts.inner_stride(0),
                           starts.inner_stride(1)};
  std::byte* const storage[] = {out.storage, in.storage};
  for_each_row(starts, storage, [&](std::byte* const* row) {
    for (Index first = 0; first < starts.inner_length(); first += kBlock) {
      lines.run(std::min(kBlock, starts.inner_length() - first),
                row[0] + first * lines.out_stride, row[1] + first * lines.in_stride);
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
