#include "tracking.hpp"

#include "arguments.hpp"
#include "memory/heap.hpp"

namespace strided::python {
namespace {

thread_local bool recording = true;

Ref tuple_of(PyObject* const* items, Py_ssize_t count) {
  Ref tuple = Ref::checked(PyTuple_New(count));
  for (Py_ssize_t i = 0; i < count; ++i) PyTuple_SET_ITEM(tuple.get(), i, Py_NewRef(items[i]));
  return tuple;
}

Ref named_of(PyObject* const* values, PyObject* kwnames) {
  if (kwnames == nullptr || PyTuple_GET_SIZE(kwnames) == 0) return Ref::borrowed(Py_None);
  Ref named = Ref::checked(PyDict_New());
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(kwnames); ++i) {
    if (PyDict_SetItem(named.get(), PyTuple_GET_ITEM(kwnames, i), values[i]) < 0) throw PythonError{};
  }
  return named;
}

Ref interned(const char* name) { return Ref::checked(PyUnicode_InternFromString(name)); }

bool gives_out(PyObject* const* values, PyObject* kwnames) {
  const Py_ssize_t count = kwnames == nullptr ? 0 : PyTuple_GET_SIZE(kwnames);
  for (Py_ssize_t i = 0; i < count; ++i) {
    if (values[i] != Py_None &&
        PyUnicode_CompareWithASCIIString(PyTuple_GET_ITEM(kwnames, i), "out") == 0) return true;
  }
  return false;
}

// A view that does not share its base's history keeps the memory alive, not the graph.
void separate_history(PyTensor* view, OwnHistory own_history) {
  view->own_history = own_history;
  PyObject* owner = view->base;
  if (as_object(owner)->base != nullptr) owner = as_object(owner)->base;
  if (is_tracked(view->base) || is_tracked(owner)) Py_XSETREF(view->base, new_alias(owner));
}

}  // namespace

bool is_recording() { return recording; }

WithoutRecording::WithoutRecording() : before_(recording) { recording = false; }
WithoutRecording::~WithoutRecording() { recording = before_; }

PyObject* recorded(const char* name, PyObject* made, PyObject* const* args, Py_ssize_t nargs,
                   PyObject* kwnames) {
  Ref held(made);
  if (!recording || (is_tensor(made) && !has_gradient(as_tensor(made).dtype))) return held.release();
  const Ref called = interned(name), given = tuple_of(args, nargs), named = named_of(args + nargs, kwnames);
  const WithoutRecording off;
  PyObject* const values[] = {called.get(), made, given.get(), named.get()};
  Ref::checked(PyObject_Vectorcall(hooks().record, values, 4, nullptr));
  return held.release();
}

PyObject* recorded_as(PyObject* name, PyObject* made, PyObject* const* args, Py_ssize_t nargs) {
  const Ref held(made), given = tuple_of(args, nargs);
  const WithoutRecording off;
  PyObject* const values[] = {name, made, given.get(), Py_None};
  Ref::checked(PyObject_Vectorcall(hooks().record, values, 4, nullptr));
  return Py_NewRef(made);
}

PyObject* record_method(const char* name, FastCall function, PyObject* self, PyObject* const* args,
                        Py_ssize_t nargs, PyObject* kwnames) {
  if (!recording) return function(self, args, nargs, kwnames);
  return guarded([&] {
    if (gives_out(args + nargs, kwnames)) refuse_out(name);
    Ref made;
    {
      const WithoutRecording off;
      made = Ref::checked(function(self, args, nargs, kwnames));
    }
    const Py_ssize_t named = kwnames == nullptr ? 0 : PyTuple_GET_SIZE(kwnames);
    // The tuple holds what the call holds: self in front of its arguments.
    const Ref all = Ref::checked(PyTuple_New(nargs + named + 1));
    PyTuple_SET_ITEM(all.get(), 0, Py_NewRef(self));
    for (Py_ssize_t i = 0; i < nargs + named; ++i) PyTuple_SET_ITEM(all.get(), i + 1, Py_NewRef(args[i]));
    return recorded(name, made.release(), &PyTuple_GET_ITEM(all.get(), 0), nargs + 1, kwnames);
  });
}

PyObject* record_write(const char* name, PyObject* function, PyObject* target, PyObject* const* args,
                       Py_ssize_t nargs) {
  const Ref called = interned(name), given = tuple_of(args, nargs);
  PyObject* const values[] = {called.get(), function, target, given.get()};
  return Ref::checked(PyObject_Vectorcall(hooks().record_write, values, 4, nullptr)).release();
}

void refuse_out(const char* name) {
  const Ref called = interned(name);
  Ref::checked(PyObject_CallOneArg(hooks().refuse_out, called.get()));
}

void track_view(PyObject* self, PyObject* view, const Layout& place, ViewKind kind) {
  if (!recording) return separate_history(as_object(view), OwnHistory::MadeWithoutGrad);
  const Ref strides(to_tuple(place.strides()));
  const Ref offset = Ref::checked(PyLong_FromSsize_t(place.offset()));
  const Ref number = Ref::checked(PyLong_FromLong(static_cast<long>(kind)));
  PyObject* const values[] = {self, view, strides.get(), offset.get(), number.get()};
  const WithoutRecording off;
  Ref::checked(PyObject_Vectorcall(hooks().record_view, values, 5, nullptr));
}

void set_track(PyObject* tensor, PyObject* track) {
  PyTensor* const object = as_object(tensor);
  const bool none = track == nullptr || track == Py_None;
  if (Py_TYPE(tensor) == tensor_type) {
    if (none && object->track != nullptr) PyObject_GC_UnTrack(tensor);
    if (!none && object->track == nullptr) PyObject_GC_Track(tensor);
  }
  Py_XSETREF(object->track, none ? nullptr : Py_NewRef(track));
}

// ---- what autograd/ in Python asks and sets ----

namespace {

PyObject* get_track(PyObject* self, void*) {
  PyObject* track = as_object(self)->track;
  return Py_NewRef(track != nullptr ? track : Py_None);
}

int set_track_attribute(PyObject* self, PyObject* track, void*) {
  set_track(self, track);
  return 0;
}

PyObject* get_apart(PyObject* self, void*) {
  return PyLong_FromLong(static_cast<long>(as_object(self)->own_history));
}

// A detached view has a history of its own; an owner always has.
int set_apart(PyObject* self, PyObject* value, void*) {
  return guarded(-1, [&] {
    const auto own_history = static_cast<OwnHistory>(to_index(value));
    if (as_object(self)->base != nullptr) separate_history(as_object(self), own_history);
    return 0;
  });
}

// The tensor whose history a view shares; itself when it is no view or has a history of its own.
PyObject* get_root(PyObject* self, void*) { return Py_NewRef(owner_of(self)); }

PyObject* grad_mode(PyObject*, PyObject*) { return PyBool_FromLong(recording); }

// set_grad_mode(on) -> what it was
PyObject* set_grad_mode(PyObject*, PyObject* on) {
  const bool before = recording;
  recording = on == Py_True;
  return PyBool_FromLong(before);
}

PyObject* alias(PyObject*, PyObject* x) {
  return guarded([&] {
    expect_tensor(x, "x");
    return new_alias(x);
  });
}

// is_sole(gradients, place): does nobody but this list or tuple hold the tensor there, is it alone with its
// memory, and does it fill all of it? Then whoever has the list may write to it. The list is asked, since how
// many references a name counts for differs between versions of Python.
PyObject* is_sole(PyObject*, PyObject* const* args, Py_ssize_t nargs) {
  return guarded([&] {
    if (nargs != 2 || !(PyList_Check(args[0]) || PyTuple_Check(args[0]))) {
      PyErr_SetString(PyExc_TypeError, "is_sole(gradients, place) takes a list or tuple and a place in it");
      throw PythonError{};
    }
    const Py_ssize_t place = PyLong_AsSsize_t(args[1]);
    if (place < 0 || place >= PySequence_Fast_GET_SIZE(args[0])) {
      if (!PyErr_Occurred()) PyErr_SetString(PyExc_IndexError, "is_sole(): no such place");
      throw PythonError{};
    }
    PyObject* const x = PySequence_Fast_GET_ITEM(args[0], place);
    if (!is_tensor(x) || Py_REFCNT(x) != 1 || is_tracked(x)) return Py_NewRef(Py_False);
    const Tensor& tensor = as_tensor(x);
    const Storage& storage = *tensor.storage.get();
    return PyBool_FromLong(storage.references() == 1 && is_heap(storage) &&
                           static_cast<std::size_t>(tensor.nbytes()) == storage.nbytes() &&
                           overlaps_itself(tensor.layout) == Overlap::No);
  });
}

PyObject* last_writer(PyObject*, PyObject* x) {
  return guarded([&] {
    const char* name = expect_tensor(x, "x").storage->last_writer();
    return PyUnicode_FromString(name);
  });
}

// any_tracked(objects): would an operation on these be recorded?
PyObject* any_tracked(PyObject*, PyObject* objects) {
  return guarded([&] {
    if (!recording) return Py_NewRef(Py_False);
    const Ref list = Ref::checked(PySequence_Fast(objects, "expected a sequence"));
    for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(list.get()); ++i) {
      PyObject* const item = PySequence_Fast_GET_ITEM(list.get(), i);
      if (is_tensor(item) && is_tracked(item)) return Py_NewRef(Py_True);
    }
    return Py_NewRef(Py_False);
  });
}

// A kernel that writes may have let go of the GIL.
void tell_python(const Storage& storage) {
  const Interpreter interpreter;
  const Ref place(PyLong_FromVoidPtr(storage.data()));
  const Ref told(PyObject_CallOneArg(hooks().write_seen, place.get()));
  if (!told) PyErr_WriteUnraisable(hooks().write_seen);
}

PyObject* watch_writes(PyObject*, PyObject* on) {
  Storage::write_hook = on == Py_True ? tell_python : nullptr;
  return Py_NewRef(Py_None);
}

PyMethodDef functions[] = {
    {"any_tracked", any_tracked, METH_O, nullptr},
    {"watch_writes", watch_writes, METH_O, nullptr},
    {"grad_mode", grad_mode, METH_NOARGS, nullptr},
    {"set_grad_mode", set_grad_mode, METH_O, nullptr},
    {"alias", alias, METH_O, nullptr},
    {"is_sole", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(is_sole)), METH_FASTCALL, nullptr},
    {"last_writer", last_writer, METH_O, nullptr},
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace

PyGetSetDef tracking_attributes[] = {
    {"_track", get_track, set_track_attribute, nullptr, nullptr},
    {"_apart", get_apart, set_apart, nullptr, nullptr},
    {"_root", get_root, nullptr, nullptr, nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr},
};

void add_tracking(PyObject* module) {
  if (PyModule_AddFunctions(module, functions) < 0) throw PythonError{};
}

}  // namespace strided::python
