// The methods of Layout that return the layout of a view.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/variant.h>

#include "bind_layout.hpp"
#include "convert_dims.hpp"
#include "layout/reshape.hpp"
#include "layout/views.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace strided {
namespace {

// One axis or several.
using Axes = std::variant<Index, Numbers>;

Span span_of(const Axes& axes) {
  if (const Index* one = std::get_if<Index>(&axes)) return {one, 1};
  return std::get<Numbers>(axes);
}

void bind_parts(LayoutClass& layout) {
  layout
      .def("sliced", &sliced, "dim"_a, "start"_a = nb::none(), "stop"_a = nb::none(), "step"_a = 1,
           R"(A view of part of one axis, by the rules of Python slices; steps may be negative.

>>> Layout((3, 4)).sliced(1, 1, None, 2)
Layout((3, 2):(4, 2)+1)
>>> Layout((5,)).sliced(0, step=-1)
Layout((5,):(-1,)+4)
)")
      .def("narrowed", &narrowed, "dim"_a, "start"_a, "length"_a,
           R"(A view of length neighbours of one axis, from start on.

>>> Layout((3, 4)).narrowed(1, 1, 2)
Layout((3, 2):(4, 1)+1)
)")
      .def("selected", &selected, "dim"_a, "index"_a,
           R"(A view of one place of an axis, without that axis.

>>> Layout((3, 4)).selected(0, -1)
Layout((4,):(1,)+8)
)")
      .def("diagonal", &diagonal, "offset"_a = 0, "dim1"_a = 0, "dim2"_a = 1,
           R"(A view of the diagonal of two axes as a new last axis; offset 1 is the one above.

>>> Layout((3, 4)).diagonal(1)
Layout((3,):(5,)+1)
)")
      .def("unfolded", &unfolded, "dim"_a, "size"_a, "step"_a,
           R"(A view of all windows of size elements, step apart, each along a new last axis.

>>> Layout((5,)).unfolded(0, 3, 1)
Layout((3, 3):(1, 1)+0)
)");
}

void bind_axes(LayoutClass& layout) {
  layout
      .def("transposed", &transposed, "dim0"_a, "dim1"_a,
           R"(A view with two axes exchanged.

>>> Layout((2, 3)).transposed(0, 1)
Layout((3, 2):(1, 3)+0)
)")
      .def("permuted", &permuted, "dims"_a,
           R"(A view with the axes in another order.

>>> Layout((2, 3, 4)).permuted((2, 0, 1))
Layout((4, 2, 3):(1, 12, 4)+0)
)")
      .def(
          "moved",
          [](const Layout& self, const Axes& source, const Axes& destination) {
            return moved(self, span_of(source), span_of(destination));
          },
          "source"_a, "destination"_a,
          R"(A view with some axes moved to other places, the rest in order around them.

>>> Layout((2, 3, 4)).moved(0, -1)
Layout((3, 4, 2):(4, 1, 12)+0)
)")
      .def(
          "flipped",
          [](const Layout& self, const Axes& dims) { return flipped(self, span_of(dims)); },
          "dims"_a,
          R"(A view that travels some axes backwards.

>>> Layout((2, 3)).flipped(1)
Layout((2, 3):(3, -1)+2)
)")
      .def(
          "squeezed",
          [](const Layout& self, const std::optional<Axes>& dims) {
            return dims ? squeezed(self, span_of(*dims)) : squeezed(self);
          },
          "dims"_a = nb::none(),
          R"(A view without the axes of length 1, or without those of them that are named.

>>> Layout((1, 3, 1)).squeezed()
Layout((3,):(1,)+0)
>>> Layout((1, 3, 1)).squeezed(0)
Layout((3, 1):(1, 1)+0)
)")
      .def("unsqueezed", &unsqueezed, "dim"_a,
           R"(A view with a new axis of length 1.

>>> Layout((3, 4)).unsqueezed(0)
Layout((1, 3, 4):(12, 4, 1)+0)
)")
      .def("expanded", &expanded, "shape"_a,
           R"(A view that repeats axes of length 1, and new ones on the left, by stride 0; -1 keeps.

>>> Layout((3, 1)).expanded((2, -1, 4))
Layout((2, 3, 4):(0, 1, 0)+0)
)")
      .def("broadcast_to", &broadcast_to, "shape"_a,
           R"(A view in a shape that this one broadcasts to, by NumPy's rules.

>>> Layout((3, 1)).broadcast_to((3, 4))
Layout((3, 4):(1, 0)+0)
)")
      .def("reshaped", &reshaped, "shape"_a,
           R"(A view in another shape, one length of which may be -1; raises ViewNotPossible.

>>> Layout((2, 3, 4)).reshaped((6, -1))
Layout((6, 4):(4, 1)+0)
)")
      .def("flattened", &flattened, "first"_a = 0, "last"_a = -1,
           R"(A view with a run of axes joined into one; raises ViewNotPossible.

>>> Layout((2, 3, 4)).flattened(1)
Layout((2, 12):(12, 1)+0)
)")
      .def(
          "restrided",
          [](const Layout& self, Span shape, Span strides, std::optional<Index> offset) {
            return restrided(shape, strides, offset.value_or(self.offset()));
          },
          "shape"_a, "strides"_a, "offset"_a = nb::none(),
          R"(A view with these lengths and strides, at this offset unless one is given.

>>> Layout((12,)).restrided((2, 2), (5, 1), 3)
Layout((2, 2):(5, 1)+3)
)");
}

}  // namespace
}  // namespace strided

void bind_layout_views(LayoutClass& layout) {
  strided::bind_parts(layout);
  strided::bind_axes(layout);
}
