#include "bind_layout.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

#include "convert_dims.hpp"
#include "errors.hpp"
#include "layout/bounds.hpp"
#include "layout/contiguity.hpp"
#include "layout/overlap.hpp"
#include "layout/reshape.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace strided {
namespace {

bool decided(Overlap overlap) {
  if (overlap == Overlap::TooHard) throw errors::overlap_too_hard(kOverlapWork);
  return overlap == Overlap::Yes;
}

Layout made(Span shape, const std::optional<Numbers>& strides, Index offset) {
  return strides ? Layout(shape, *strides, offset) : Layout::row_major(shape, offset);
}

bool is_contiguous(const Layout& layout, const std::optional<Numbers>& order) {
  return order ? is_in_order(layout, *order) : is_row_major(layout);
}

std::optional<std::string> why_not_contiguous(const Layout& layout) {
  OrderFault fault;
  if (!find_order_fault(layout, fault)) return std::nullopt;
  return "axis " + std::to_string(fault.axis) + " steps " + std::to_string(fault.stride) +
         ", row-major needs " + std::to_string(fault.needed);
}

std::optional<std::tuple<int, Index, Index>> reshape_refusal(const Layout& layout, Span shape) {
  Layout result;
  ReshapeRefusal refusal;
  if (try_reshape(layout, resolved_shape(shape, layout.shape()), result, refusal)) return {};
  return std::tuple(refusal.axis, refusal.step, refusal.needed);
}

std::optional<std::pair<Index, Index>> reached(const Layout& layout) {
  const Bounds bounds = bounds_of(layout);
  if (bounds.empty()) return std::nullopt;
  return std::pair(bounds.lowest, bounds.highest);
}

std::optional<IntTuple> found_index(const Layout& layout, Index position) {
  Dims index;
  if (!index_of(layout, position, index)) return std::nullopt;
  return tuple_of(index);
}

nb::tuple state_of(const Layout& layout) {
  return nb::make_tuple(tuple_of(layout.shape()), tuple_of(layout.strides()), layout.offset());
}

void bind_value(LayoutClass& layout) {
  layout
      // __new__ rather than __init__: calling it again on an instance cannot change the value.
      .def(nb::new_(&made), "shape"_a, "strides"_a = nb::none(), "offset"_a = 0,
           R"(A layout with these strides, in elements; row-major where none are given.

>>> Layout((2, 3))
Layout((2, 3):(3, 1)+0)
>>> Layout((2, 3), (1, 2), 4)
Layout((2, 3):(1, 2)+4)
)")
      .def_static("row_major", &Layout::row_major, "shape"_a, "offset"_a = 0,
                  R"(The gap-free layout whose last axis steps fastest.

>>> Layout.row_major((2, 3, 4))
Layout((2, 3, 4):(12, 4, 1)+0)
)")
      .def_static("column_major", &Layout::column_major, "shape"_a, "offset"_a = 0,
                  R"(The gap-free layout whose first axis steps fastest.

>>> Layout.column_major((2, 3, 4))
Layout((2, 3, 4):(1, 2, 6)+0)
)")
      .def_static("ordered", &Layout::ordered, "shape"_a, "order"_a, "offset"_a = 0,
                  R"(The gap-free layout whose axes step in this order, slowest first.

>>> Layout.ordered((1, 3, 4, 5), (0, 2, 3, 1))
Layout((1, 3, 4, 5):(60, 1, 15, 3)+0)
)")
      .def_prop_ro(
          "shape", [](const Layout& self) { return tuple_of(self.shape()); },
          R"(The length of each axis.

>>> Layout((2, 3)).shape
(2, 3)
)")
      .def_prop_ro(
          "strides", [](const Layout& self) { return tuple_of(self.strides()); },
          R"(The distance, in elements, that one step along each axis goes.

>>> Layout((2, 3)).strides
(3, 1)
)")
      .def_prop_ro("offset", &Layout::offset,
                   R"(The storage position of the first element.

>>> Layout((2, 3)).selected(0, 1).offset
3
)")
      .def_prop_ro("rank", &Layout::rank,
                   R"(The number of axes.

>>> Layout((2, 3)).rank
2
)")
      .def_prop_ro("size", &Layout::size,
                   R"(The number of index tuples; several may share a storage position.

>>> Layout((2, 3)).size
6
)")
      .def(
          "__eq__", [](const Layout& self, const Layout& other) { return self == other; },
          nb::is_operator(), nb::sig("def __eq__(self, other: object, /) -> bool"),
          R"(True for the same shape, strides and offset; see same_elements for equal effect.

>>> Layout((2, 3)) == Layout((2, 3), (3, 1))
True
)")
      .def("__hash__", [](const Layout& self) { return nb::hash(state_of(self)); })
      .def("__repr__", [](const Layout& self) { return "Layout(" + self.text() + ")"; })
      .def("__str__", &Layout::text)
      .def("__reduce__", [](const Layout& self) {
        return nb::make_tuple(nb::type<Layout>(), state_of(self));
      });
}

void bind_questions(LayoutClass& layout) {
  layout
      .def("is_row_major", &is_row_major,
           R"(True when gap-free with the last axis fastest; axes of length 1 do not count.

>>> Layout((2, 1), (1, 9)).is_row_major()
True
)")
      .def("is_column_major", &is_column_major,
           R"(True when gap-free with the first axis fastest.

>>> Layout((2, 3)).transposed(0, 1).is_column_major()
True
)")
      .def("is_packed", &is_packed,
           R"(True when gap-free and free of repeats in some axis order and direction.

>>> Layout((2, 3, 4)).permuted((1, 0, 2)).flipped(0).is_packed()
True
)")
      .def("is_contiguous", &is_contiguous, "order"_a = nb::none(),
           R"(True when gap-free in the given axis order, slowest first; by default row-major.

>>> Layout((2, 3), (1, 2)).is_contiguous(), Layout((2, 3), (1, 2)).is_contiguous((1, 0))
(False, True)
)")
      .def("why_not_contiguous", &why_not_contiguous,
           R"(The first axis from the right that spoils row-major order, in words, or None.

>>> Layout((2, 3), (4, 1)).why_not_contiguous()
'axis 0 steps 4, row-major needs 3'
)")
      .def(
          "memory_order", [](const Layout& self) { return tuple_of(memory_order(self)); },
          R"(The axes from the slowest to the fastest.

>>> Layout.column_major((2, 3, 4)).memory_order()
(2, 1, 0)
)")
      .def("reshape_refusal", &reshape_refusal, "shape"_a,
           R"(Why no view has this shape: an axis, its stride, and the stride it needs; or None.

>>> Layout((4, 6), (1, 4)).reshape_refusal((24,))
(0, 1, 24)
)")
      .def("offset_of", &offset_of, "index"_a,
           R"(The storage position of an index tuple.

>>> Layout((2, 3)).offset_of((1, -1))
5
)")
      .def("index_of", &found_index, "position"_a,
           R"(The first index tuple that lands on a storage position, or None.

>>> Layout((2, 3), (1, 2)).index_of(3)
(1, 1)
)")
      .def_prop_ro("bounds", &reached,
                   R"(The lowest and highest storage position reached, or None when empty.

>>> Layout((2, 3)).flipped(0).bounds
(0, 5)
)")
      .def(
          "overlaps_itself", [](const Layout& self) { return decided(overlaps_itself(self)); },
          R"(True when two index tuples share a storage position.

>>> Layout((5,)).unfolded(0, 3, 1).overlaps_itself()
True
)")
      .def(
          "overlaps",
          [](const Layout& self, const Layout& other, Index itemsize, Index other_itemsize) {
            return decided(overlaps(self, itemsize, other, other_itemsize));
          },
          "other"_a, "itemsize"_a = 1, "other_itemsize"_a = 1,
          R"(True when two layouts over one storage share a byte.

>>> Layout((8,)).sliced(0, 0, None, 2).overlaps(Layout((8,)).sliced(0, 1, None, 2))
False
)")
      .def("same_elements", &same_elements, "other"_a,
           R"(True when both visit the same positions in the same order; unused strides may differ.

>>> Layout((2, 1), (1, 9)).same_elements(Layout((2, 1)))
True
)");
}

}  // namespace
}  // namespace strided

void bind_layout(nb::module_& m) {
  using namespace strided;
  LayoutClass layout(m, "Layout", nb::is_final(),
                     R"(Where a tensor's elements lie: shape, strides and offset, in elements.

A Layout is an immutable value. Methods named by a participle return the layout of a view.

>>> Layout((2, 3)).transposed(0, 1)
Layout((3, 2):(1, 3)+0)
)");
  bind_value(layout);
  bind_layout_views(layout);
  bind_questions(layout);
}
