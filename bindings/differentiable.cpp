// Differentiable: a Python function that has a gradient rule. A call looks at its arguments; unless a tensor
// among them is tracked, the function is called as it is.
#include "graph.hpp"
#include "services.hpp"

#include <structmember.h>

namespace strided::python {
namespace {

struct PyDifferentiable {
  PyObject_HEAD
  vectorcallfunc call;
  PyObject* function;
  PyObject* name;
  PyObject* dict;    // __name__, __doc__, __wrapped__ and whatever else a function has
  PyObject* weak_refs;
  char in_place;     // it overwrites its first argument
};

PyDifferentiable* as_differentiable(PyObject* self) { return reinterpret_cast<PyDifferentiable*>(self); }

bool gives_out(PyObject* const* values, PyObject* kwnames) {
  const Py_ssize_t count = kwnames == nullptr ? 0 : PyTuple_GET_SIZE(kwnames);
  for (Py_ssize_t i = 0; i < count; ++i) {
    if (values[i] != Py_None &&
        PyUnicode_CompareWithASCIIString(PyTuple_GET_ITEM(kwnames, i), "out") == 0) return true;
  }
  return false;
}

// Runs on plain values; what comes out joins the graph.
[[gnu::cold]] PyObject* record(PyDifferentiable* self, PyObject* const* args, Py_ssize_t nargs, PyObject* kwnames) {
  return guarded([&] {
    if (gives_out(args + nargs, kwnames)) refuse_out(PyUnicode_AsUTF8(self->name));
    Ref made;
    {
      const WithoutRecording off;
      made = Ref::checked(PyObject_Vectorcall(self->function, args, static_cast<std::size_t>(nargs), kwnames));
    }
    return recorded_result(self->name, std::move(made), args, nargs, kwnames);
  });
}

// Python checks a write, runs it and records it.
[[gnu::cold]] PyObject* record_in_place(PyDifferentiable* self, PyObject* const* args, Py_ssize_t nargs,
                                        PyObject* kwnames) {
  return guarded([&] {
    const Ref given = Ref::checked(PyTuple_New(nargs)), named = Ref::checked(PyDict_New());
    for (Py_ssize_t i = 0; i < nargs; ++i) PyTuple_SET_ITEM(given.get(), i, Py_NewRef(args[i]));
    for (Py_ssize_t i = 0; kwnames != nullptr && i < PyTuple_GET_SIZE(kwnames); ++i) {
      if (PyDict_SetItem(named.get(), PyTuple_GET_ITEM(kwnames, i), args[nargs + i]) < 0) throw PythonError{};
    }
    PyObject* const values[] = {self->name, self->function, args[0], given.get(), named.get()};
    return Ref::checked(PyObject_Vectorcall(service(Service::record_write), values, 5, nullptr)).release();
  });
}

PyObject* call(PyObject* object, PyObject* const* args, std::size_t flagged, PyObject* kwnames) {
  PyDifferentiable* const self = as_differentiable(object);
  const Py_ssize_t nargs = PyVectorcall_NARGS(flagged);
  const Py_ssize_t all = nargs + (kwnames == nullptr ? 0 : PyTuple_GET_SIZE(kwnames));
  for (Py_ssize_t i = 0; i < all; ++i) {
    if (!takes_part(args[i]) || !is_recording()) [[likely]] continue;
    if (!self->in_place) return record(self, args, nargs, kwnames);
    if (nargs > 0) return record_in_place(self, args, nargs, kwnames);
  }
  return PyObject_Vectorcall(self->function, args, flagged, kwnames);
}

PyObject* make(PyTypeObject* type, PyObject* args, PyObject* kwargs) {
  PyObject *function, *name;
  int in_place;
  if (kwargs != nullptr && PyDict_GET_SIZE(kwargs) > 0) {
    PyErr_SetString(PyExc_TypeError, "Differentiable(function, name, in_place) takes no keywords");
    return nullptr;
  }
  if (!PyArg_ParseTuple(args, "OUp", &function, &name, &in_place)) return nullptr;
  PyObject* object = type->tp_alloc(type, 0);
  if (object == nullptr) return nullptr;
  PyDifferentiable* const self = as_differentiable(object);
  self->call = call;
  self->function = Py_NewRef(function);
  self->name = Py_NewRef(name);
  self->in_place = static_cast<char>(in_place);
  return object;
}

int traverse(PyObject* object, visitproc visit, void* arg) {
  const PyDifferentiable* const self = as_differentiable(object);
  Py_VISIT(Py_TYPE(object));
  Py_VISIT(self->function);
  Py_VISIT(self->dict);
  return 0;
}

int clear(PyObject* object) {
  PyDifferentiable* const self = as_differentiable(object);
  Py_CLEAR(self->function);
  Py_CLEAR(self->name);
  Py_CLEAR(self->dict);
  return 0;
}

void deallocate(PyObject* object) {
  PyTypeObject* const type = Py_TYPE(object);
  PyObject_GC_UnTrack(object);
  if (as_differentiable(object)->weak_refs != nullptr) PyObject_ClearWeakRefs(object);
  clear(object);
  type->tp_free(object);
  Py_DECREF(type);
}

// As a method it is bound, as functions are.
PyObject* bind(PyObject* self, PyObject* instance, PyObject*) {
  if (instance == nullptr || instance == Py_None) return Py_NewRef(self);
  return PyMethod_New(self, instance);
}

PyObject* text(PyObject* object) {
  return PyUnicode_FromFormat("<differentiable %U>", as_differentiable(object)->name);
}

PyMemberDef members[] = {
    {"__vectorcalloffset__", T_PYSSIZET, offsetof(PyDifferentiable, call), READONLY, nullptr},
    {"__dictoffset__", T_PYSSIZET, offsetof(PyDifferentiable, dict), READONLY, nullptr},
    {"__weaklistoffset__", T_PYSSIZET, offsetof(PyDifferentiable, weak_refs), READONLY, nullptr},
    {"rule_name", T_OBJECT, offsetof(PyDifferentiable, name), READONLY, nullptr},
    {nullptr, 0, 0, 0, nullptr},
};

PyGetSetDef attributes[] = {
    {"__dict__", PyObject_GenericGetDict, PyObject_GenericSetDict, nullptr, nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr},
};

PyType_Slot slots[] = {
    {Py_tp_new, reinterpret_cast<void*>(make)},
    {Py_tp_call, reinterpret_cast<void*>(PyVectorcall_Call)},
    {Py_tp_traverse, reinterpret_cast<void*>(traverse)},
    {Py_tp_clear, reinterpret_cast<void*>(clear)},
    {Py_tp_dealloc, reinterpret_cast<void*>(deallocate)},
    {Py_tp_descr_get, reinterpret_cast<void*>(bind)},
    {Py_tp_repr, reinterpret_cast<void*>(text)},
    {Py_tp_members, members},
    {Py_tp_getset, attributes},
    {0, nullptr},
};
PyType_Spec spec = {"strided._native.Differentiable", sizeof(PyDifferentiable), 0,
                    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_HAVE_VECTORCALL |
                        Py_TPFLAGS_METHOD_DESCRIPTOR,
                    slots};

}  // namespace

void add_differentiable(PyObject* module) {
  const Ref type = Ref::checked(PyType_FromSpec(&spec));
  if (PyModule_AddObjectRef(module, "Differentiable", type.get()) < 0) throw PythonError{};
}

}  // namespace strided::python
