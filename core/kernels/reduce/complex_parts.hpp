// A complex tensor as one of floats: the two parts are one more axis, the last.
#pragma once

#include "dtype/promotion.hpp"
#include "plan/operand.hpp"

namespace strided::kernels::reduce {

class ComplexParts {
 public:
  // A real operand gets an axis of length 1. `both`: or else only real parts are seen, without the axis.
  ComplexParts(const Operand& from, bool both) : storage_(from.storage), dtype_(real_of(from.dtype)) {
    const Layout& layout = *from.layout;
    const Index parts = is_complex(from.dtype) ? 2 : 1;
    const bool empty = layout.size() == 0;  // then strides may be anything
    layout_ = Layout::uninitialised(layout.rank() + (both ? 1 : 0), layout.offset() * parts);
    for (int axis = 0; axis < layout.rank(); ++axis) {
      const bool steps = !empty && layout.length(axis) > 1;
      layout_.set_axis(axis, layout.length(axis), steps ? scaled(layout.stride(axis), parts, 1) : 0);
    }
    if (both) layout_.set_axis(layout.rank(), parts, 1);
  }

  Operand operand() const { return {storage_, &layout_, dtype_}; }

 private:
  std::byte* storage_;
  Layout layout_;
  DType dtype_;
};

}  // namespace strided::kernels::reduce
