// Elements as Python numbers: item, tolist, flat, bool, int, float, index.
#include "arguments.hpp"
#include "errors.hpp"
#include "layout/reshape.hpp"
#include "tensor_object.hpp"
#include "tensor_parts.hpp"

namespace strided::python {
namespace {

using Args = PyObject* const*;

// The only element, or an error that says how many there are.
Scalar only_element(PyObject* self, const char* operation) {
  const Tensor& tensor = as_tensor(self);
  if (tensor.layout.size() != 1) {
    throw errors::unsupported_operation(
        operation,
        "needs exactly one element, this tensor has shape " + text_of(tensor.layout.shape()),
        "index it first, or reduce it with .any(), .all() or .sum()");
  }
  return load_scalar(tensor.dtype, tensor.data());
}

PyObject* item(PyObject* self, Args args, Py_ssize_t nargs, PyObject* kwnames) {
  return guarded([&] {
    const bool keywords = kwnames != nullptr && PyTuple_GET_SIZE(kwnames) > 0;
    if (nargs == 0 && !keywords) return from_scalar(only_element(self, "item()"));
    const Dims index = variadic_dims("item", "index", args, nargs, kwnames);
    const Tensor& tensor = as_tensor(self);
    const Index position = offset_of(tensor.layout, index);
    return from_scalar(load_scalar(tensor.dtype, tensor.storage->data() + position * tensor.item()));
  });
}

// The n-th element in row-major order, for any strides, as a rank-0 view.
PyObject* flat(PyObject* self, PyObject* index) {
  return guarded([&] {
    const Index position = to_index(index);
    return new_view(self, [&](const Layout& layout) {
      const Index flat_index = normal_index(position, layout.size(), 0);
      return Layout::uninitialised(0, offset_of_flat(layout, flat_index));
    });
  });
}

PyObject* list_from(const Tensor& tensor, int axis, const std::byte* place) {
  const Layout& layout = tensor.layout;
  if (axis == layout.rank()) return from_scalar(load_scalar(tensor.dtype, place));
  const Index length = layout.length(axis);
  const Index step = tensor.step(axis);
  Ref list = Ref::checked(PyList_New(length));
  for (Index i = 0; i < length; ++i) {
    PyObject* element = list_from(tensor, axis + 1, place + i * step);
    if (element == nullptr) throw PythonError{};
    PyList_SET_ITEM(list.get(), i, element);
  }
  return list.release();
}

PyObject* tolist(PyObject* self, PyObject*) {
  return guarded([&] {
    const Tensor tensor = as_tensor(self);
    return list_from(tensor, 0, tensor.data());
  });
}

PyObject* as_complex(PyObject* self, PyObject*) {
  return guarded([&] {
    const Scalar scalar = only_element(self, "complex()");
    const bool whole = scalar.kind == ScalarKind::Bool || scalar.kind == ScalarKind::Int;
    if (!whole) return PyComplex_FromDoubles(scalar.real, scalar.imag);
    const Ref number(from_scalar(scalar));
    return PyComplex_FromDoubles(PyLong_AsDouble(number.get()), 0.0);
  });
}

}  // namespace

int tensor_truth(PyObject* self) {
  return guarded(-1, [&] {
    const Scalar scalar = only_element(self, "bool()");
    return scalar.integer != 0 || (scalar.real != 0 || scalar.imag != 0) ? 1 : 0;
  });
}

PyObject* tensor_as_int(PyObject* self) {
  return guarded([&] {
    const Ref number(from_scalar(only_element(self, "int()")));
    return PyNumber_Long(number.get());
  });
}

PyObject* tensor_as_float(PyObject* self) {
  return guarded([&] {
    const Ref number(from_scalar(only_element(self, "float()")));
    return PyNumber_Float(number.get());
  });
}

PyObject* tensor_as_index(PyObject* self) {
  return guarded([&] {
    const Tensor& tensor = as_tensor(self);
    if (!is_integral(tensor.dtype) || tensor.layout.rank() != 0) {
      PyErr_SetString(PyExc_TypeError, "only rank-0 integer tensors can be used as an index");
      throw PythonError{};
    }
    return from_scalar(only_element(self, "index()"));
  });
}

PyMethodDef value_methods[] = {
    {"item", fast(item), METH_FASTCALL | METH_KEYWORDS, nullptr},
    {"_flat_element", flat, METH_O, nullptr},
    {"tolist", tolist, METH_NOARGS, nullptr},
    {"__complex__", as_complex, METH_NOARGS, nullptr},
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace strided::python
