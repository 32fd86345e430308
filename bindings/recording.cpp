// How calls join the graph, and what strided/autograd asks and sets of tensors.
#include "graph.hpp"

#include "arguments.hpp"
#include "memory/heap.hpp"
#include "services.hpp"
#include "tensor/compute.hpp"

#include <algorithm>
#include <vector>

namespace strided::python {
namespace {

thread_local bool recording = true;

std::string text_of(PyObject* name) {
  const char* const text = PyUnicode_AsUTF8(name);
  if (text == nullptr) throw PythonError{};
  return text;
}

Ref interned(const char* name) { return Ref::checked(PyUnicode_InternFromString(name)); }

[[noreturn]] void refuse_gradient(const std::string& operation, const char* reason, const char* hint) {
  const Ref fields = Ref::checked(
      Py_BuildValue("{ssssss}", "operation", operation.c_str(), "reason", reason, "hint", hint));
  raise_error("GradientNotPossible", fields.get());
}

// The rule of an operation, borrowed; null for an op of the table that has no gradient.
PyObject* rule_of(PyObject* name) {
  PyObject* const rule = PyDict_GetItemWithError(service(Service::rules), name);
  if (rule == nullptr && PyErr_Occurred()) throw PythonError{};
  if (rule != nullptr || find_op(text_of(name))) return rule;
  refuse_gradient("a gradient of " + text_of(name), "there is no rule for its gradient",
                  "call it under strided.no_grad(), or on .detach()");
}

// What the rule makes of a call: the function that turns gradients of its results into those of its arguments.
Ref backward_of(PyObject* name, PyObject* rule, PyObject* call, PyObject* const* args, Py_ssize_t nargs,
                PyObject* kwnames) {
  static PyObject* const prepare_name = PyUnicode_InternFromString("prepare");
  const Ref prepare = Ref::checked(PyObject_GetAttr(rule, prepare_name));
  const Py_ssize_t all = nargs + (kwnames == nullptr ? 0 : PyTuple_GET_SIZE(kwnames));
  std::vector<PyObject*> values{nullptr, call};
  values.insert(values.end(), args, args + all);
  const std::size_t placed = static_cast<std::size_t>(nargs + 1) | PY_VECTORCALL_ARGUMENTS_OFFSET;
  Ref backward = Ref::checked(PyObject_Vectorcall(prepare.get(), values.data() + 1, placed, kwnames));
  if (PyCallable_Check(backward.get())) [[likely]] return backward;
  refuse_gradient("a gradient of " + text_of(name), "its rule returned no function",
                  "let the rule return the function that takes gradients of the results");
}

// Results without a gradient (positions, masks) are not counted.
bool is_differentiable(PyObject* result) { return is_tensor(result) && has_gradient(as_tensor(result).dtype); }

void join(PyObject* name, PyObject* output, PyObject* const* args, Py_ssize_t nargs, PyObject* kwnames) {
  PyObject* const rule = rule_of(name);
  if (rule == nullptr) return;
  const Operands found = operands_of(args, nargs + (kwnames == nullptr ? 0 : PyTuple_GET_SIZE(kwnames)));
  if (!found.take_part) return;
  const Ref call = new_call(output, found.tensors.get(), found.edges.get());
  const Ref backward = backward_of(name, rule, call.get(), args, nargs, kwnames);
  const bool keeps = call_keeps(call.get());
  if (is_tensor(output)) {
    const Ref node = new_node(name, found.edges.get(), backward.get(), 1, keeps);
    return set_track(output, new_track(node.get(), 0).get());
  }
  const Ref results = Ref::checked(PySequence_Fast(output, "expected a tensor, or several"));
  PyObject** const first = PySequence_Fast_ITEMS(results.get());
  PyObject** const last = first + PySequence_Fast_GET_SIZE(results.get());
  const auto outputs = static_cast<int>(std::count_if(first, last, is_differentiable));
  const Ref node = new_node(name, found.edges.get(), backward.get(), outputs, keeps);
  int index = 0;
  for (PyObject** result = first; result != last; ++result) {
    if (is_differentiable(*result)) set_track(*result, new_track(node.get(), index++).get());
  }
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

bool takes_part(PyObject* argument) {
  if (is_tensor(argument)) return is_tracked(argument);
  if (!PyTuple_CheckExact(argument) && !PyList_CheckExact(argument)) return false;
  for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(argument); ++i) {
    PyObject* const item = PySequence_Fast_GET_ITEM(argument, i);
    if (is_tensor(item) && is_tracked(item)) return true;
  }
  return false;
}

PyObject* recorded(const char* name, PyObject* made, PyObject* const* args, Py_ssize_t nargs) {
  Ref held(made);
  if (!recording || (is_tensor(made) && !has_gradient(as_tensor(made).dtype))) return held.release();
  const Ref called = interned(name);
  const WithoutRecording off;
  join(called.get(), made, args, nargs, nullptr);
  return held.release();
}

PyObject* recorded_result(PyObject* name, Ref made, PyObject* const* args, Py_ssize_t nargs, PyObject* kwnames) {
  PyObject* const result = made.get();
  if (is_tensor(result)) {
    if (!has_gradient(as_tensor(result).dtype) || std::find(args, args + nargs, result) != args + nargs) {
      return made.release();
    }
    // What it is a view of was made inside, and is nobody's.
    if (as_object(result)->base != nullptr && !is_tracked(owner_of(result))) made = Ref(new_alias(result));
  } else if (!PyTuple_Check(result) && !PyList_Check(result)) {
    return made.release();
  }
  const WithoutRecording off;
  join(name, made.get(), args, nargs, kwnames);
  return made.release();
}

PyObject* record_write(const char* name, PyObject* function, PyObject* target, PyObject* const* args,
                       Py_ssize_t nargs) {
  const Ref called = interned(name), given = Ref::checked(PyTuple_New(nargs));
  for (Py_ssize_t i = 0; i < nargs; ++i) PyTuple_SET_ITEM(given.get(), i, Py_NewRef(args[i]));
  PyObject* const values[] = {called.get(), function, target, given.get()};
  return Ref::checked(PyObject_Vectorcall(service(Service::record_write), values, 4, nullptr)).release();
}

void refuse_out(std::string name) {
  refuse_gradient(name + "(out=...)", "gradients do not pass a result that is written into a given tensor",
                  "leave out= away, or call it under strided.no_grad()");
}

void refuse_export(PyObject* tensor) {
  const Ref track = track_of(tensor);
  if (track.get() == Py_None || !reinterpret_cast<const PyTrack*>(track.get())->requires_grad) return;
  refuse_gradient("sharing the memory of a tensor that requires a gradient",
                  "what another library computes or writes there is not recorded",
                  "say that this is meant: x.detach().numpy()");
}

void track_view(PyObject* self, PyObject* view, const Layout& place, ViewKind kind) {
  PyTensor* const object = as_object(view);
  if (!recording) return separate_history(object, OwnHistory::MadeWithoutGrad);
  const WithoutRecording off;
  const Ref edge = edge_of(self);
  if (edge.get() == Py_None) return;
  const Ref strides(to_tuple(place.strides()));
  const Ref offset = Ref::checked(PyLong_FromSsize_t(place.offset()));
  const Ref number = Ref::checked(PyLong_FromLong(static_cast<long>(kind)));
  PyObject* const values[] = {self, view, strides.get(), offset.get(), number.get()};
  const Ref backward = Ref::checked(PyObject_Vectorcall(service(Service::view_adjoint), values, 5, nullptr));
  if (backward.get() == Py_None) return separate_history(object, OwnHistory::Detached);  // bits have no gradient
  static PyObject* const name = PyUnicode_InternFromString("view");
  const Ref edges = Ref::checked(PyTuple_Pack(1, edge.get()));
  const Ref node = new_node(name, edges.get(), backward.get(), 1, false);
  const Ref made = new_track(node.get(), 0);
  auto* const track = reinterpret_cast<PyTrack*>(made.get());
  const auto* const above = reinterpret_cast<const PyTrack*>(as_object(self)->track);
  PyObject* const root = as_object(owner_of(view))->track;
  if (root != nullptr && root != Py_None) {
    Py_SETREF(track->root, Py_NewRef(root));
    track->root_epoch = reinterpret_cast<const PyTrack*>(root)->epoch;
  }
  const bool has_track = above != nullptr && as_object(self)->track != Py_None;
  track->is_piece = kind == ViewKind::OfSeveral || (has_track && above->is_piece);
  set_track(view, made.get());
}

// ---- what strided/autograd asks and sets ----

namespace {

PyObject* get_track(PyObject* self, void*) {
  PyObject* track = as_object(self)->track;
  return Py_NewRef(track != nullptr ? track : Py_None);
}

int set_track_attribute(PyObject* self, PyObject* track, void*) {
  if (track != nullptr && track != Py_None && !is_track(track)) {
    PyErr_SetString(PyExc_TypeError, "a track is a Track or None");
    return -1;
  }
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

// rule_of(name) -> the rule of an operation; None for an op of the table that has no gradient
PyObject* rule_of_name(PyObject*, PyObject* name) {
  return guarded([&] {
    PyObject* const rule = rule_of(name);
    return Py_NewRef(rule != nullptr ? rule : Py_None);
  });
}

// refuse_out(name), raises
PyObject* refuse_out_of(PyObject*, PyObject* name) {
  return guarded([&]() -> PyObject* { refuse_out(text_of(name)); });
}

PyMethodDef functions[] = {
    {"any_tracked", any_tracked, METH_O, nullptr},
    {"rule_of", rule_of_name, METH_O, nullptr},
    {"refuse_out", refuse_out_of, METH_O, nullptr},
    {"grad_mode", grad_mode, METH_NOARGS, nullptr},
    {"set_grad_mode", set_grad_mode, METH_O, nullptr},
    {"alias", alias, METH_O, nullptr},
    {"is_sole", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(is_sole)), METH_FASTCALL, nullptr},
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace

PyGetSetDef tracking_attributes[] = {
    {"_track", get_track, set_track_attribute, nullptr, nullptr},
    {"_apart", get_apart, set_apart, nullptr, nullptr},
    {"_root", get_root, nullptr, nullptr, nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr},
};

void add_recording(PyObject* module) {
  if (PyModule_AddFunctions(module, functions) < 0) throw PythonError{};
}

}  // namespace strided::python
