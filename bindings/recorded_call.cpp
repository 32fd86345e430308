// One call as its gradient rule sees it: what it was computed from, where each of that comes from, what is kept.
#include "arguments.hpp"
#include "graph.hpp"

#include <structmember.h>

#include <algorithm>
#include <vector>

namespace strided::python {
namespace {

struct PyRecordedCall {
  PyObject_HEAD
  PyObject* output;
  PyObject* tensors;  // a list: the tensor arguments, lists and tuples opened
  PyObject* edges;    // a tuple: one edge for each, None where no gradient is wanted
  char keeps;
};

PyTypeObject* call_type = nullptr;

PyRecordedCall* as_call(PyObject* self) { return reinterpret_cast<PyRecordedCall*>(self); }

[[noreturn]] void refuse(const char* what) {
  PyErr_SetString(PyExc_TypeError, what);
  throw PythonError{};
}

void add_tensors(PyObject* list, PyObject* value, bool open) {
  if (is_tensor(value)) {
    if (PyList_Append(list, value) < 0) throw PythonError{};
  } else if (open && (PyList_Check(value) || PyTuple_Check(value))) {
    for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(value); ++i) {
      add_tensors(list, PySequence_Fast_GET_ITEM(value, i), false);
    }
  }
}

// tensors_and_edges(args, kwargs) -> (the tensors among them, one edge or None for each)
PyObject* tensors_and_edges(PyObject*, PyObject* const* args, Py_ssize_t nargs) {
  return guarded([&] {
    if (nargs != 2 || !PyTuple_Check(args[0]) || !PyDict_Check(args[1])) {
      refuse("tensors_and_edges(args, kwargs) takes a tuple and a dict");
    }
    std::vector<PyObject*> all;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(args[0]); ++i) all.push_back(PyTuple_GET_ITEM(args[0], i));
    PyObject *name, *value;
    Py_ssize_t at = 0;
    while (PyDict_Next(args[1], &at, &name, &value)) all.push_back(value);
    const Operands found = operands_of(all.data(), static_cast<Py_ssize_t>(all.size()));
    return Ref::checked(PyTuple_Pack(2, found.tensors.get(), found.edges.get())).release();
  });
}

// operand_key(operands, takes_part) -> a bit for each operand that is a tensor, and `shift` bits higher one for
// each of those that takes part.
PyObject* operand_key(PyObject*, PyObject* const* args, Py_ssize_t nargs) {
  return guarded([&] {
    constexpr int shift = kOperandKeyBits;
    if (nargs != 2 || !PyTuple_Check(args[0]) || PyTuple_GET_SIZE(args[0]) > shift || !PyTuple_Check(args[1])) {
      refuse("operand_key(operands, takes_part) takes two tuples, of at most 3 operands");
    }
    long key = 0;
    Py_ssize_t tensors = 0;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(args[0]); ++i) {
      if (!is_tensor(PyTuple_GET_ITEM(args[0], i))) continue;
      key |= 1L << i;
      if (tensors >= PyTuple_GET_SIZE(args[1])) refuse("operand_key(): there are more tensors than edges");
      PyObject* const part = PyTuple_GET_ITEM(args[1], tensors++);
      if (part != Py_None && part != Py_False) key |= 1L << (i + shift);
    }
    return PyLong_FromLong(key);
  });
}

// ---- what a rule asks of a call ----

// Which of the differentiable results x is, as a number, or None.
Ref result_number(PyObject* x, PyObject* output) {
  if (x == output) return Ref::checked(PyLong_FromLong(0));
  const bool several = PyTuple_Check(output) || PyList_Check(output);
  long number = 0;
  for (Py_ssize_t i = 0; several && i < PySequence_Fast_GET_SIZE(output); ++i) {
    PyObject* const item = PySequence_Fast_GET_ITEM(output, i);
    if (item == x) return Ref::checked(PyLong_FromLong(number));
    number += is_tensor(item) && has_gradient(as_tensor(item).dtype);
  }
  return Ref::borrowed(Py_None);
}

// RecordedCall(output, tensors, edges)
PyObject* make_call(PyTypeObject*, PyObject* args, PyObject* kwargs) {
  return guarded([&] {
    const bool fits = PyTuple_GET_SIZE(args) == 3 && (kwargs == nullptr || PyDict_GET_SIZE(kwargs) == 0) &&
                      PyList_Check(PyTuple_GET_ITEM(args, 1)) && PyTuple_Check(PyTuple_GET_ITEM(args, 2));
    if (!fits) refuse("RecordedCall(output, tensors, edges) takes a list and a tuple");
    return new_call(PyTuple_GET_ITEM(args, 0), PyTuple_GET_ITEM(args, 1), PyTuple_GET_ITEM(args, 2)).release();
  });
}

// needs(index) -> whether a gradient of this tensor argument is wanted
PyObject* needs(PyObject* self, PyObject* index) {
  return guarded([&] {
    PyObject* const edges = as_call(self)->edges;
    const Py_ssize_t i = PyLong_AsSsize_t(index);
    if (i < 0 || i >= PyTuple_GET_SIZE(edges)) {
      if (!PyErr_Occurred()) PyErr_SetString(PyExc_IndexError, "needs(): no such tensor argument");
      throw PythonError{};
    }
    return PyBool_FromLong(PyTuple_GET_ITEM(edges, i) != Py_None);
  });
}

// Where a tensor that is saved stands: an edge, the number of a result, or None for what the rule made itself.
Ref place_of(const PyRecordedCall* call, PyObject* x) {
  Ref place = result_number(x, call->output);
  // An in-place operation has its result among its arguments too, as it was before.
  const bool is_result = place.get() != Py_None;
  const Py_ssize_t given = std::min(PyTuple_GET_SIZE(call->edges), PyList_GET_SIZE(call->tensors));
  for (Py_ssize_t k = 0; !is_result && k < given; ++k) {
    if (PyList_GET_ITEM(call->tensors, k) == x) place = Ref::borrowed(PyTuple_GET_ITEM(call->edges, k));
  }
  return place;
}

// save(*tensors) -> Saved: keeps tensors, or None, for the backward pass
PyObject* save(PyObject* self, PyObject* const* args, Py_ssize_t nargs) {
  return guarded([&] {
    PyRecordedCall* const call = as_call(self);
    Ref kept = new_saved(nargs);
    for (Py_ssize_t i = 0; i < nargs; ++i) {
      if (args[i] == Py_None) continue;
      expect_tensor(args[i], "saved tensor");
      call->keeps = 1;
      keep(kept.get(), i, args[i], place_of(call, args[i]).get());
    }
    return kept.release();
  });
}

int traverse(PyObject* object, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(object));
  Py_VISIT(as_call(object)->output);
  Py_VISIT(as_call(object)->tensors);
  Py_VISIT(as_call(object)->edges);
  return 0;
}

int clear(PyObject* object) {
  Py_CLEAR(as_call(object)->output);
  Py_CLEAR(as_call(object)->tensors);
  Py_CLEAR(as_call(object)->edges);
  return 0;
}

void deallocate(PyObject* object) {
  PyTypeObject* const type = Py_TYPE(object);
  PyObject_GC_UnTrack(object);
  clear(object);
  type->tp_free(object);
  Py_DECREF(type);
}

PyCFunction plain(PyObject* (*function)(PyObject*, PyObject* const*, Py_ssize_t)) {
  return reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(function));
}

PyMemberDef members[] = {
    {"output", T_OBJECT_EX, offsetof(PyRecordedCall, output), READONLY, nullptr},
    {"tensors", T_OBJECT_EX, offsetof(PyRecordedCall, tensors), READONLY, nullptr},
    {"edges", T_OBJECT_EX, offsetof(PyRecordedCall, edges), READONLY, nullptr},
    {"keeps", T_BOOL, offsetof(PyRecordedCall, keeps), READONLY, nullptr},
    {nullptr, 0, 0, 0, nullptr},
};

PyMethodDef methods[] = {
    {"needs", needs, METH_O, nullptr},
    {"save", plain(save), METH_FASTCALL, nullptr},
    {nullptr, nullptr, 0, nullptr},
};

PyMethodDef functions[] = {
    {"tensors_and_edges", plain(tensors_and_edges), METH_FASTCALL, nullptr},
    {"operand_key", plain(operand_key), METH_FASTCALL, nullptr},
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace

Operands operands_of(PyObject* const* args, Py_ssize_t count) {
  Operands found{Ref::checked(PyList_New(0)), Ref{}};
  PyObject* const list = found.tensors.get();
  for (Py_ssize_t i = 0; i < count; ++i) add_tensors(list, args[i], true);
  found.edges = Ref::checked(PyTuple_New(PyList_GET_SIZE(list)));
  for (Py_ssize_t i = 0; i < PyList_GET_SIZE(list); ++i) {
    Ref edge = edge_of(PyList_GET_ITEM(list, i));
    found.take_part |= edge.get() != Py_None;
    PyTuple_SET_ITEM(found.edges.get(), i, edge.release());
  }
  return found;
}

Ref new_call(PyObject* output, PyObject* tensors, PyObject* edges) {
  Ref made = Ref::checked(call_type->tp_alloc(call_type, 0));
  PyRecordedCall* const self = as_call(made.get());
  self->output = Py_NewRef(output);
  self->tensors = Py_NewRef(tensors);
  self->edges = Py_NewRef(edges);
  return made;
}

bool call_keeps(PyObject* call) { return as_call(call)->keeps != 0; }

void add_recorded_calls(PyObject* module) {
  PyType_Slot slots[] = {
      {Py_tp_new, reinterpret_cast<void*>(make_call)},   {Py_tp_traverse, reinterpret_cast<void*>(traverse)},
      {Py_tp_clear, reinterpret_cast<void*>(clear)},     {Py_tp_dealloc, reinterpret_cast<void*>(deallocate)},
      {Py_tp_members, members},                          {Py_tp_methods, methods},
      {0, nullptr},
  };
  PyType_Spec spec = {"strided._native.RecordedCall", sizeof(PyRecordedCall), 0,
                      Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC, slots};
  const Ref type = Ref::checked(PyType_FromSpec(&spec));
  if (PyModule_AddObjectRef(module, "RecordedCall", type.get()) < 0) throw PythonError{};
  call_type = reinterpret_cast<PyTypeObject*>(type.get());  // the module keeps it
  if (PyModule_AddFunctions(module, functions) < 0) throw PythonError{};
}

}  // namespace strided::python
