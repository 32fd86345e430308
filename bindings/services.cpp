// Registration of what the extension asks of Python.
#include "services.hpp"

#include <iterator>

#include "errors.hpp"
#include "graph.hpp"
#include "tensor_object.hpp"

namespace strided::python {
namespace {

constexpr const char* kNames[] = {
#define STRIDED_SERVICE(name) #name,
    STRIDED_SERVICES(STRIDED_SERVICE)
#undef STRIDED_SERVICE
};
constexpr int kCount = static_cast<int>(std::size(kNames));

// Owned, and never released: the library may be used as long as there is an interpreter.
PyObject* registered[kCount] = {};

[[noreturn]] void refuse(PyObject* exception, const char* format, PyObject* name) {
  PyErr_Format(exception, format, name);
  throw PythonError{};
}

Ref names() {
  Ref made = Ref::checked(PyTuple_New(kCount));
  for (int i = 0; i < kCount; ++i) {
    PyTuple_SET_ITEM(made.get(), i, Ref::checked(PyUnicode_InternFromString(kNames[i])).release());
  }
  return made;
}

void expect_same_names(PyObject* fields, PyObject* known) {
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(known); ++i) {
    const int found = PySequence_Contains(fields, PyTuple_GET_ITEM(known, i));
    if (found < 0) throw PythonError{};
    if (found != 0) continue;
    refuse(PyExc_TypeError, "register_services(): the service %U is missing", PyTuple_GET_ITEM(known, i));
  }
  const Ref listed = Ref::checked(PySequence_Tuple(fields));
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(listed.get()); ++i) {
    PyObject* const name = PyTuple_GET_ITEM(listed.get(), i);
    const int found = PySequence_Contains(known, name);
    if (found < 0) throw PythonError{};
    if (found == 0) refuse(PyExc_TypeError, "register_services(): there is no service %S", name);
  }
}

// What the extension does with a service: it calls it, looks up a rule in it, or makes objects of it.
bool fits(int place, PyObject* value) {
  const auto which = static_cast<Service>(place);
  if (which == Service::rules) return PyDict_Check(value);
  if (which == Service::node) return is_node_class(value);
  return PyCallable_Check(value) != 0;
}

// register_services(services): an object with the names of all services in `_fields`, and one attribute for each
PyObject* register_services(PyObject*, PyObject* services) {
  return guarded([&] {
    if (registered[0] != nullptr) {
      PyErr_SetString(PyExc_RuntimeError, "register_services(): services are registered once per process");
      throw PythonError{};
    }
    const Ref fields = Ref::checked(PyObject_GetAttrString(services, "_fields")), known = names();
    expect_same_names(fields.get(), known.get());
    Ref values[kCount];
    for (int i = 0; i < kCount; ++i) {
      PyObject* const name = PyTuple_GET_ITEM(known.get(), i);
      values[i] = Ref::checked(PyObject_GetAttr(services, name));
      if (!fits(i, values[i].get())) refuse(PyExc_TypeError, "register_services(): %U is of the wrong type", name);
    }
    for (int i = 0; i < kCount; ++i) registered[i] = values[i].release();
    return Py_NewRef(Py_None);
  });
}

// as_tensor(x): a tensor as it is, anything array-like by the service asarray
PyObject* as_tensor_function(PyObject*, PyObject* x) {
  return guarded([&] { return as_tensor_object(x).release(); });
}

PyMethodDef functions[] = {
    {"register_services", register_services, METH_O, nullptr},
    {"as_tensor", as_tensor_function, METH_O, nullptr},
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace

PyObject* service(Service which) {
  PyObject* const found = registered[static_cast<int>(which)];
  if (found != nullptr) [[likely]] return found;
  throw errors::unsupported_operation(std::string("strided._native asking for ") + kNames[static_cast<int>(which)],
                                      "the Python side of the library is not loaded", "import strided first");
}

Ref as_tensor_object(PyObject* object) {
  if (is_tensor(object)) return Ref::borrowed(object);
  return Ref::checked(PyObject_CallOneArg(service(Service::asarray), object));
}

void add_services(PyObject* module) {
  if (PyModule_AddFunctions(module, functions) < 0) throw PythonError{};
  if (PyModule_AddObjectRef(module, "SERVICES", names().get()) < 0) throw PythonError{};
}

}  // namespace strided::python
