// Tensors that shared memory and were pickled separately: the later one brings both onto one storage.
#include <algorithm>

#include "arguments.hpp"
#include "tensor_object.hpp"
#include "tensor_parts.hpp"

namespace strided::python {
namespace {

// _rebind(x, view): x, which nobody has looked at yet, becomes what the view is.
PyObject* rebind(PyObject*, PyObject* const* args, Py_ssize_t nargs) {
  return guarded([&] {
    if (nargs != 2) {
      PyErr_SetString(PyExc_TypeError, "_rebind(x, view) takes two arguments");
      throw PythonError{};
    }
    Tensor& tensor = expect_tensor(args[0], "x");
    const Tensor from = expect_tensor(args[1], "view");
    if (from.dtype != tensor.dtype || !std::ranges::equal(from.layout.shape(), tensor.layout.shape())) {
      PyErr_SetString(PyExc_ValueError, "a tensor keeps its dtype and shape where it moves to");
      throw PythonError{};
    }
    tensor = from;
    PyObject* const base = owner_of(args[1]);
    Py_XSETREF(as_object(args[0])->base, base == args[0] ? nullptr : Py_NewRef(base));
    return Py_NewRef(args[0]);
  });
}

// _written(x): another library has written into the memory of x.
PyObject* written(PyObject*, PyObject* x) {
  return guarded([&] {
    expect_tensor(x, "x").storage->bump_version("another library");
    return Py_NewRef(Py_None);
  });
}

PyMethodDef functions[] = {
    {"_rebind", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(rebind)), METH_FASTCALL,
     nullptr},
    {"_written", written, METH_O, nullptr},
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace

void add_exchange_pickle(PyObject* module) {
  if (PyModule_AddFunctions(module, functions) < 0) throw PythonError{};
}

}  // namespace strided::python
