// Gather and scatter by tuples of positions, along one axis, or by positions that count all elements.
#include "gather.hpp"

#include <cstdlib>
#include <memory>

#include "layout/bounds.hpp"
#include "gather_scatter.hpp"

namespace strided::kernels::index {
namespace {

Index bytes_of(const Operand& operand, int axis) {
  return scaled(operand.layout->stride(axis), itemsize(operand.dtype), 1);
}

PickedAxis picked_axis(const Operand& picked, int axis) {
  return {picked.layout->length(axis), bytes_of(picked, axis)};
}

// The first `count` axes of `picked` are replaced by those of the index.
TransferAxes axes_by_tuple(const Operand& listed, const Operand& picked, const Operand& index, int count) {
  TransferAxes axes;
  const int batch = index.layout->rank();
  for (int axis = 0; axis < listed.layout->rank(); ++axis) {
    const Index length = listed.layout->length(axis), step = bytes_of(listed, axis);
    if (axis < batch) axes.add_replaced(length, step, bytes_of(index, axis));
    else axes.add(length, step, bytes_of(picked, axis - batch + count), 0);
  }
  return axes;
}

TransferAxes axes_along(const Operand& listed, const Operand& picked, const Operand& index, int along) {
  TransferAxes axes;
  for (int axis = 0; axis < listed.layout->rank(); ++axis) {
    const Index length = listed.layout->length(axis), step = bytes_of(listed, axis);
    if (axis == along) axes.add_replaced(length, step, bytes_of(index, axis));
    else axes.add(length, step, bytes_of(picked, axis), bytes_of(index, axis));
  }
  return axes;
}

// Several positions per element, or positions that count all elements, become places first.
class Resolved {
 public:
  Resolved(const Operand& picked, std::span<const Operand> indices)
      : places_(places_of(picked, indices)), layout_(Layout::row_major(indices[0].layout->shape())),
        count_(static_cast<int>(indices.size())), step_(std::abs(bytes_of(picked, 0))) {
    for (int axis = 1; axis < count_; ++axis) step_ = std::min(step_, std::abs(bytes_of(picked, axis)));
  }
  Resolved(const Operand& picked, const Operand& index)
      : places_(places_of_flat(picked, index)), layout_(Layout::row_major(index.layout->shape())),
        count_(picked.layout->rank()), step_(itemsize(picked.dtype)) {}

  Resolved(const Resolved&) = delete;  // index_ points into it

  TransferAxes axes(const Operand& listed, const Operand& picked) const {
    return axes_by_tuple(listed, picked, index_, count_);
  }
  PickedPositions positions() const { return {index_, {0, step_}, true, 0}; }

 private:
  std::unique_ptr<Index[]> places_;
  Layout layout_;
  Operand index_{reinterpret_cast<std::byte*>(places_.get()), &layout_, DType::Int64};
  int count_;   // axes that a place stands for
  Index step_;  // the least that positions step
};

}  // namespace

void gather(const Operand& out, const Operand& in, std::span<const Operand> indices) {
  if (indices.size() == 1) {
    const Operand& index = indices[0];
    return run_gather(axes_by_tuple(out, in, index, 1), out, in, {index, picked_axis(in, 0), false, 0});
  }
  const Resolved resolved(in, indices);
  run_gather(resolved.axes(out, in), out, in, resolved.positions());
}

void scatter(const Operand& out, const Operand& in, std::span<const Operand> indices, Combine how) {
  if (indices.size() == 1) {
    const Operand& index = indices[0];
    const PickedPositions positions{index, picked_axis(out, 0), false, 0};
    return run_scatter(axes_by_tuple(in, out, index, 1), in, out, positions, how);
  }
  const Resolved resolved(out, indices);
  run_scatter(resolved.axes(in, out), in, out, resolved.positions(), how);
}

void gather_along(const Operand& out, const Operand& in, const Operand& index, int axis) {
  run_gather(axes_along(out, in, index, axis), out, in, {index, picked_axis(in, axis), false, axis});
}

void scatter_along(const Operand& out, const Operand& in, const Operand& index, int axis, Combine how) {
  const PickedPositions positions{index, picked_axis(out, axis), false, axis};
  run_scatter(axes_along(in, out, index, axis), in, out, positions, how);
}

void gather_flat(const Operand& out, const Operand& in, const Operand& index) {
  const Resolved resolved(in, index);
  run_gather(resolved.axes(out, in), out, in, resolved.positions());
}

void scatter_flat(const Operand& out, const Operand& in, const Operand& index, Combine how) {
  const Resolved resolved(out, index);
  run_scatter(resolved.axes(in, out), in, out, resolved.positions(), how);
}

}  // namespace strided::kernels::index
