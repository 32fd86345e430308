// What a tensor says about itself. Nothing here touches an element.
#include "arguments.hpp"
#include "errors.hpp"
#include "layout/bounds.hpp"
#include "layout/contiguity.hpp"
#include "layout/views.hpp"
#include "services.hpp"
#include "tensor_object.hpp"
#include "tensor_parts.hpp"

namespace strided::python {
namespace {

const Layout& layout_of(PyObject* self) { return as_tensor(self).layout; }

// ---- attributes ----

PyObject* get_shape(PyObject* self, void*) {
  PyObject*& tuple = as_object(self)->shape_tuple;
  if (tuple != nullptr) return Py_NewRef(tuple);
  return guarded([&] {
    tuple = to_tuple(layout_of(self).shape());
    return Py_NewRef(tuple);
  });
}
PyObject* get_ndim(PyObject* self, void*) { return PyLong_FromLong(layout_of(self).rank()); }

// An int that can be called: x.size() is the shape, x.size(0) a length, as in PyTorch.
PyObject* get_size(PyObject* self, void*) {
  return guarded([&] {
    static PyObject* const shape_name = PyUnicode_InternFromString("_shape");
    const Ref number = Ref::checked(PyLong_FromSsize_t(layout_of(self).size()));
    Ref made = Ref::checked(PyObject_CallOneArg(service(Service::size), number.get()));
    const Ref shape = Ref::checked(get_shape(self, nullptr));
    if (PyObject_SetAttr(made.get(), shape_name, shape.get()) < 0) throw PythonError{};
    return made.release();
  });
}
PyObject* get_dtype(PyObject* self, void*) { return from_dtype(as_tensor(self).dtype); }
PyObject* get_itemsize(PyObject* self, void*) { return PyLong_FromSsize_t(as_tensor(self).item()); }
PyObject* get_nbytes(PyObject* self, void*) { return PyLong_FromSsize_t(as_tensor(self).nbytes()); }
PyObject* get_device(PyObject*, void*) { return PyUnicode_InternFromString("cpu"); }

PyObject* get_strides(PyObject* self, void*) {
  return guarded([&] {
    const Ref tuple(to_tuple(layout_of(self).strides()));
    return PyObject_CallOneArg(service(Service::strides), tuple.get());
  });
}

PyObject* get_byte_strides(PyObject* self, void*) {
  return guarded([&] {
    Dims bytes;
    for (Index stride : layout_of(self).strides()) {
      bytes.push_back(scaled(stride, as_tensor(self).item(), 1));
    }
    return to_tuple(bytes);
  });
}

PyObject* get_byte_offset(PyObject* self, void*) {
  return guarded([&] {
    return PyLong_FromSsize_t(shifted(0, layout_of(self).offset(), as_tensor(self).item()));
  });
}

PyObject* get_is_view(PyObject* self, void*) {
  return PyBool_FromLong(as_object(self)->base != nullptr);
}
PyObject* get_base(PyObject* self, void*) {
  PyObject* base = as_object(self)->base;
  if (base != nullptr && as_object(base)->base != nullptr) base = as_object(base)->base;
  return Py_NewRef(base != nullptr ? base : Py_None);
}
PyObject* get_bytes_kept_alive(PyObject* self, void*) {
  return PyLong_FromSize_t(as_tensor(self).storage->nbytes());
}
PyObject* get_writable(PyObject* self, void*) {
  return PyBool_FromLong(as_tensor(self).storage->writable());
}
PyObject* get_version(PyObject* self, void*) {
  return PyLong_FromUnsignedLongLong(as_tensor(self).storage->version());
}

// ---- transposes ----

[[noreturn]] void refuse_rank(const char* attribute, const Layout& layout, const char* hint) {
  throw errors::unsupported_operation(
      attribute, "needs rank 2, this tensor has shape " + text_of(layout.shape()), hint);
}

PyObject* get_transpose(PyObject* self, void*) {
  return guarded([&] {
    return new_view(self, [](const Layout& layout) {
      if (layout.rank() != 2) {
        refuse_rank(".T", layout, "use .mT for the last two axes or .permute() to say which");
      }
      return reversed_axes(layout);
    });
  });
}

PyObject* get_matrix_transpose(PyObject* self, void*) {
  return guarded([&] {
    return new_view(self, [](const Layout& layout) {
      if (layout.rank() < 2) refuse_rank(".mT", layout, "use .unsqueeze() to add an axis first");
      return transposed(layout, -2, -1);
    });
  });
}

// ---- methods ----

PyObject* stride(PyObject* self, PyObject* const* args, Py_ssize_t nargs, PyObject* kwnames) {
  return guarded([&] {
    const char* const names[] = {"dim"};
    const Arguments given("stride", names, 0, args, nargs, kwnames);
    if (!given.has(0)) return to_tuple(layout_of(self).strides());
    const Index axis = given.integer(0);
    const Layout& layout = layout_of(self);
    return PyLong_FromSsize_t(layout.stride(normal_axis(axis, layout.rank())));
  });
}

PyObject* storage_offset(PyObject* self, PyObject*) {
  return PyLong_FromSsize_t(layout_of(self).offset());
}
PyObject* data_ptr(PyObject* self, PyObject*) {
  return PyLong_FromVoidPtr(as_tensor(self).data());
}
PyObject* numel(PyObject* self, PyObject*) { return PyLong_FromSsize_t(layout_of(self).size()); }
PyObject* dim(PyObject* self, PyObject*) { return get_ndim(self, nullptr); }
PyObject* element_size(PyObject* self, PyObject*) { return get_itemsize(self, nullptr); }

PyObject* is_contiguous(PyObject* self, PyObject* const* args, Py_ssize_t nargs, PyObject* kwnames) {
  return guarded([&] {
    const char* const names[] = {"memory_format"};
    const Arguments given("is_contiguous", names, 0, args, nargs, kwnames);
    const Layout& layout = layout_of(self);
    if (!given.has(0)) return PyBool_FromLong(is_row_major(layout));
    return PyBool_FromLong(is_in_order(layout, to_memory_order(self, given[0])));
  });
}

}  // namespace

PyGetSetDef tensor_attributes[] = {
    {"shape", get_shape, nullptr, nullptr, nullptr},
    {"ndim", get_ndim, nullptr, nullptr, nullptr},
    {"size", get_size, nullptr, nullptr, nullptr},
    {"dtype", get_dtype, nullptr, nullptr, nullptr},
    {"itemsize", get_itemsize, nullptr, nullptr, nullptr},
    {"nbytes", get_nbytes, nullptr, nullptr, nullptr},
    {"device", get_device, nullptr, nullptr, nullptr},
    {"strides", get_strides, nullptr, nullptr, nullptr},
    {"byte_strides", get_byte_strides, nullptr, nullptr, nullptr},
    {"byte_offset", get_byte_offset, nullptr, nullptr, nullptr},
    {"is_view", get_is_view, nullptr, nullptr, nullptr},
    {"base", get_base, nullptr, nullptr, nullptr},
    {"bytes_kept_alive", get_bytes_kept_alive, nullptr, nullptr, nullptr},
    {"writable", get_writable, nullptr, nullptr, nullptr},
    {"_version", get_version, nullptr, nullptr, nullptr},
    {"T", get_transpose, nullptr, nullptr, nullptr},
    {"mT", get_matrix_transpose, nullptr, nullptr, nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr},
};

PyMethodDef attribute_methods[] = {
    {"stride", fast(stride), METH_FASTCALL | METH_KEYWORDS, nullptr},
    {"storage_offset", storage_offset, METH_NOARGS, nullptr},
    {"data_ptr", data_ptr, METH_NOARGS, nullptr},
    {"numel", numel, METH_NOARGS, nullptr},
    {"dim", dim, METH_NOARGS, nullptr},
    {"element_size", element_size, METH_NOARGS, nullptr},
    {"is_contiguous", fast(is_contiguous), METH_FASTCALL | METH_KEYWORDS, nullptr},
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace strided::python
