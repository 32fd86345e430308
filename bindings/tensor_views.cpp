// View methods: arguments in, a new layout over the same storage out.
#include <algorithm>
#include <vector>

#include "arguments.hpp"
#include "errors.hpp"
#include "graph.hpp"
#include "layout/bounds.hpp"
#include "layout/views.hpp"
#include "tensor_object.hpp"
#include "tensor_parts.hpp"

namespace strided::python {
namespace {

using Args = PyObject* const*;

PyObject* transpose(PyObject* self, Args args, Py_ssize_t nargs, PyObject* kwnames) {
  return guarded([&] {
    const bool keywords = kwnames != nullptr && PyTuple_GET_SIZE(kwnames) > 0;
    // PyTorch swaps two axes; NumPy reverses all of them or takes the whole order. No call is both.
    if (!keywords && nargs == 0) return new_view(self, reversed_axes);
    if (!keywords && nargs != 2) {
      const Dims dims = variadic_dims("transpose", "dims", args, nargs, nullptr);
      return new_view(self, [&](const Layout& layout) { return permuted(layout, dims); });
    }
    const char* const names[] = {"dim0", "dim1"};
    const Arguments given("transpose", names, 2, args, nargs, kwnames);
    const Index dim0 = given.integer(0);
    const Index dim1 = given.integer(1);
    return new_view(self, [&](const Layout& layout) { return transposed(layout, dim0, dim1); });
  });
}

PyObject* swap_two(PyObject* self, Args args, Py_ssize_t nargs, PyObject* kwnames) {
  return guarded([&] {
    const char* const names[] = {"dim0", "dim1"};
    const Arguments given("swapaxes", names, 2, args, nargs, kwnames);
    const Index dim0 = given.integer(0);
    const Index dim1 = given.integer(1);
    return new_view(self, [&](const Layout& layout) { return transposed(layout, dim0, dim1); });
  });
}

PyObject* t(PyObject* self, PyObject*) {
  return guarded([&] {
    return new_view(self, [](const Layout& layout) {
      if (layout.rank() > 2) {
        throw errors::unsupported_operation(
            ".t()", "needs rank 0, 1 or 2, this tensor has shape " + text_of(layout.shape()),
            "use .mT for the last two axes or .permute() to say which");
      }
      return reversed_axes(layout);
    });
  });
}

PyObject* permute(PyObject* self, Args args, Py_ssize_t nargs, PyObject* kwnames) {
  return guarded([&] {
    const Dims dims = variadic_dims("permute", "dims", args, nargs, kwnames);
    return new_view(self, [&](const Layout& layout) { return permuted(layout, dims); });
  });
}

PyObject* movedim(PyObject* self, Args args, Py_ssize_t nargs, PyObject* kwnames) {
  return guarded([&] {
    const char* const names[] = {"source", "destination"};
    const Arguments given("movedim", names, 2, args, nargs, kwnames);
    const Dims source = given.dims(0);
    const Dims destination = given.dims(1);
    return new_view(self, [&](const Layout& layout) { return moved(layout, source, destination); });
  });
}

PyObject* flip(PyObject* self, Args args, Py_ssize_t nargs, PyObject* kwnames) {
  return guarded([&] {
    const bool keywords = kwnames != nullptr && PyTuple_GET_SIZE(kwnames) > 0;
    Dims dims;
    if (nargs == 0 && !keywords) {
      for (int axis = 0; axis < as_tensor(self).layout.rank(); ++axis) dims.push_back(axis);
    } else {
      dims = variadic_dims("flip", "dims", args, nargs, kwnames);
    }
    return new_view(self, [&](const Layout& layout) { return flipped(layout, dims); });
  });
}

PyObject* squeeze(PyObject* self, Args args, Py_ssize_t nargs, PyObject* kwnames) {
  return guarded([&] {
    const char* const names[] = {"dim"};
    const Arguments given("squeeze", names, 0, args, nargs, kwnames);
    if (!given.has(0)) {
      return new_view(self, [](const Layout& layout) { return squeezed(layout); });
    }
    const Dims dims = given.dims(0);
    return new_view(self, [&](const Layout& layout) { return squeezed(layout, dims); });
  });
}

PyObject* unsqueeze(PyObject* self, Args args, Py_ssize_t nargs, PyObject* kwnames) {
  return guarded([&] {
    const char* const names[] = {"dim"};
    const Index dim = Arguments("unsqueeze", names, 1, args, nargs, kwnames).integer(0);
    return new_view(self, [&](const Layout& layout) { return unsqueezed(layout, dim); });
  });
}

PyObject* expand(PyObject* self, Args args, Py_ssize_t nargs, PyObject* kwnames) {
  return guarded([&] {
    const Dims shape = variadic_dims("expand", "size", args, nargs, kwnames);
    return new_view(self, [&](const Layout& layout) { return expanded(layout, shape); });
  });
}

// As expand, but each length is said: -1 keeps none.
PyObject* broadcast_to_shape(PyObject* self, Args args, Py_ssize_t nargs, PyObject* kwnames) {
  return guarded([&] {
    const Dims shape = variadic_dims("broadcast_to", "size", args, nargs, kwnames);
    for (const Index length : shape) {
      if (length < 0) {
        throw errors::invalid_argument("shape", std::to_string(length), "must be lengths; .expand() keeps one for -1");
      }
    }
    return new_view(self, [&](const Layout& layout) { return expanded(layout, shape); });
  });
}

PyObject* narrow(PyObject* self, Args args, Py_ssize_t nargs, PyObject* kwnames) {
  return guarded([&] {
    const char* const names[] = {"dim", "start", "length"};
    const Arguments given("narrow", names, 3, args, nargs, kwnames);
    const Index dim = given.integer(0);
    const Index start = given.integer(1);
    const Index length = given.integer(2);
    return new_view(self, [&](const Layout& layout) { return narrowed(layout, dim, start, length); });
  });
}

PyObject* select(PyObject* self, Args args, Py_ssize_t nargs, PyObject* kwnames) {
  return guarded([&] {
    const char* const names[] = {"dim", "index"};
    const Arguments given("select", names, 2, args, nargs, kwnames);
    const Index dim = given.integer(0);
    const Index index = given.integer(1);
    return new_view(self, [&](const Layout& layout) { return selected(layout, dim, index); });
  });
}

PyObject* take_diagonal(PyObject* self, Args args, Py_ssize_t nargs, PyObject* kwnames) {
  return guarded([&] {
    const char* const names[] = {"offset", "dim1", "dim2"};
    const Arguments given("diagonal", names, 0, args, nargs, kwnames);
    const Index offset = given.integer_or(0, 0);
    const Index dim1 = given.integer_or(1, 0);
    const Index dim2 = given.integer_or(2, 1);
    return new_view(self, [&](const Layout& layout) { return diagonal(layout, offset, dim1, dim2); });
  });
}

PyObject* unfold(PyObject* self, Args args, Py_ssize_t nargs, PyObject* kwnames) {
  return guarded([&] {
    const char* const names[] = {"dim", "size", "step"};
    const Arguments given("unfold", names, 2, args, nargs, kwnames);
    const Index dim = given.integer(0);
    const Index size = given.integer(1);
    const Index step = given.integer_or(2, 1);
    return new_view(self, [&](const Layout& layout) { return unfolded(layout, dim, size, step); });
  });
}

PyObject* as_strided(PyObject* self, Args args, Py_ssize_t nargs, PyObject* kwnames) {
  return guarded([&] {
    const char* const names[] = {"size", "stride", "storage_offset"};
    const Arguments given("as_strided", names, 2, args, nargs, kwnames);
    const Dims shape = given.dims(0);
    const Dims strides = given.dims(1);
    const Index asked = given.integer_or(2, 0);
    const Index size = as_tensor(self).storage_size();
    return new_view<ViewKind::OfStorage>(self, [&](const Layout& layout) {
      Layout result = restrided(shape, strides, given.has(2) ? asked : layout.offset());
      check_fits(result, size);
      // An empty layout reaches nothing, but its offset is still where it would begin.
      if (asked < 0 || asked > size) {
        throw errors::out_of_storage_bounds(shape, strides, asked, asked, asked, size);
      }
      return result;
    });
  });
}

// ---- several views at once ----

// The layout is a copy of the object's: making a tuple may run finalisers, which could change it.
PyObject* split_views(PyObject* self, const Layout& layout, int axis, Span lengths) {
  Ref tuple = Ref::checked(PyTuple_New(static_cast<Py_ssize_t>(lengths.size())));
  Index start = 0;
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    PyObject* section = new_view_from<ViewKind::OfSeveral>(self, layout, [&](const Layout& from) {
      return sliced_exactly(from, axis, start, lengths[i], 1);
    });
    PyTuple_SET_ITEM(tuple.get(), static_cast<Py_ssize_t>(i), section);
    start += lengths[i];
  }
  return tuple.release();
}

// Lengths of sections: `size` each, the last one what is left.
std::vector<Index> equal_lengths(Index length, Index size) {
  if (size < 0 || (size == 0 && length > 0)) {
    throw errors::invalid_argument("split_size", std::to_string(size), "must be positive");
  }
  std::vector<Index> lengths;
  for (Index start = 0; start < length; start += size) {
    lengths.push_back(std::min(size, length - start));
  }
  if (lengths.empty()) lengths.push_back(0);
  return lengths;
}

std::vector<Index> to_lengths(PyObject* object) {
  const Ref list = Ref::checked(PySequence_Fast(object, "split_size must be an int or a list of ints"));
  std::vector<Index> lengths;
  for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(list.get()); ++i) {
    const Ref item = Ref::borrowed(PySequence_Fast_GET_ITEM(list.get(), i));
    lengths.push_back(to_index(item.get()));
  }
  return lengths;
}

void check_total(Span lengths, Index length) {
  Index total = 0;
  bool valid = true;
  for (Index one : lengths) valid = valid && one >= 0 && add(total, one, total);
  if (!valid || total != length) {
    throw errors::shape_mismatch("split", {&length, 1}, lengths,
                                 "the sizes must add up to " + std::to_string(length));
  }
}

PyObject* split(PyObject* self, Args args, Py_ssize_t nargs, PyObject* kwnames) {
  return guarded([&] {
    const char* const names[] = {"split_size", "dim"};
    const Arguments given("split", names, 1, args, nargs, kwnames);
    const bool equal = PyIndex_Check(given[0]);
    const Index size = equal ? given.integer(0) : 0;
    std::vector<Index> lengths = equal ? std::vector<Index>{} : to_lengths(given[0]);
    const Index dim = given.integer_or(1, 0);
    const Layout layout = as_tensor(self).layout;
    const int axis = normal_axis(dim, layout.rank());
    if (equal) lengths = equal_lengths(layout.length(axis), size);
    else check_total(lengths, layout.length(axis));
    return split_views(self, layout, axis, lengths);
  });
}

PyObject* unbind(PyObject* self, Args args, Py_ssize_t nargs, PyObject* kwnames) {
  return guarded([&] {
    const char* const names[] = {"dim"};
    const Arguments given("unbind", names, 0, args, nargs, kwnames);
    const Index dim = given.integer_or(0, 0);
    const Layout layout = as_tensor(self).layout;  // see split_views
    const int axis = normal_axis(dim, layout.rank());
    Ref tuple = Ref::checked(PyTuple_New(layout.length(axis)));
    for (Index i = 0; i < layout.length(axis); ++i) {
      PyTuple_SET_ITEM(tuple.get(), i,
                       new_view_from<ViewKind::OfSeveral>(self, layout, [&](const Layout& from) {
        return selected(from, axis, i);
      }));
    }
    return tuple.release();
  });
}

PyObject* detach(PyObject* self, PyObject*) {
  return guarded([&] {
    const WithoutRecording off;
    PyObject* const view = new_view(self, [](const Layout& layout) { return layout; });
    as_object(view)->own_history = OwnHistory::Detached;
    return view;
  });
}

// The in-place metadata methods (squeeze_, t_, ...): this tensor takes the layout of its own view.
PyObject* adopt(PyObject* self, PyObject* view) {
  return guarded([&] {
    const Tensor& from = expect_tensor(view, "view");
    Tensor& tensor = as_tensor(self);
    if (!(from.storage == tensor.storage) || from.dtype != tensor.dtype) {
      PyErr_SetString(PyExc_ValueError, "a tensor can only take the layout of a view of itself");
      throw PythonError{};
    }
    tensor.layout = from.layout;
    Py_CLEAR(as_object(self)->shape_tuple);
    return Py_NewRef(self);
  });
}

// Puts another tensor's memory, layout and dtype in the place of this one's: x.data = value.
PyObject* take_data(PyObject* self, PyObject* value) {
  return guarded([&] {
    const Tensor from = expect_tensor(value, "data");
    Tensor& tensor = as_tensor(self);
    tensor.storage = from.storage, tensor.layout = from.layout, tensor.dtype = from.dtype;
    Py_CLEAR(as_object(self)->shape_tuple);
    Py_XSETREF(as_object(self)->base, Py_NewRef(owner_of(value)));
    return Py_NewRef(self);
  });
}

}  // namespace

PyMethodDef view_methods[] = {
    {"transpose", fast(transpose), METH_FASTCALL | METH_KEYWORDS, nullptr},
    {"swapaxes", fast(swap_two), METH_FASTCALL | METH_KEYWORDS, nullptr},
    {"swapdims", fast(swap_two), METH_FASTCALL | METH_KEYWORDS, nullptr},
    {"t", t, METH_NOARGS, nullptr},
    {"permute", fast(permute), METH_FASTCALL | METH_KEYWORDS, nullptr},
    {"movedim", fast(movedim), METH_FASTCALL | METH_KEYWORDS, nullptr},
    {"moveaxis", fast(movedim), METH_FASTCALL | METH_KEYWORDS, nullptr},
    {"flip", fast(flip), METH_FASTCALL | METH_KEYWORDS, nullptr},
    {"squeeze", fast(squeeze), METH_FASTCALL | METH_KEYWORDS, nullptr},
    {"unsqueeze", fast(unsqueeze), METH_FASTCALL | METH_KEYWORDS, nullptr},
    {"expand_dims", fast(unsqueeze), METH_FASTCALL | METH_KEYWORDS, nullptr},
    {"expand", fast(expand), METH_FASTCALL | METH_KEYWORDS, nullptr},
    {"broadcast_to", fast(broadcast_to_shape), METH_FASTCALL | METH_KEYWORDS, nullptr},
    {"narrow", fast(narrow), METH_FASTCALL | METH_KEYWORDS, nullptr},
    {"select", fast(select), METH_FASTCALL | METH_KEYWORDS, nullptr},
    {"diagonal", fast(take_diagonal), METH_FASTCALL | METH_KEYWORDS, nullptr},
    {"unfold", fast(unfold), METH_FASTCALL | METH_KEYWORDS, nullptr},
    {"as_strided", fast(as_strided), METH_FASTCALL | METH_KEYWORDS, nullptr},
    {"split", fast(split), METH_FASTCALL | METH_KEYWORDS, nullptr},
    {"unbind", fast(unbind), METH_FASTCALL | METH_KEYWORDS, nullptr},
    {"detach", detach, METH_NOARGS, nullptr},
    {"_adopt", adopt, METH_O, nullptr},
    {"_take_data", take_data, METH_O, nullptr},
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace strided::python
