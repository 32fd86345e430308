// The fields of autograd's Node and Track. Both are Python classes (strided/autograd/node.py, track.py) whose
// objects are made for every recorded operation; here they are made in a tenth of the time.
#include "arguments.hpp"
#include "tracking.hpp"

#include <structmember.h>

#include <cstring>

namespace strided::python {
namespace {

// Nodes and leaves are numbered as they come to be: what is computed from them has higher numbers.
long long orders = 0;

struct PyNode {
  PyObject_HEAD
  PyObject* operation;
  PyObject* edges;
  PyObject* backward;
  PyObject* line;
  PyObject* hooks;
  PyObject* prehooks;
  PyObject* taps;
  PyObject* user_data;
  PyObject* weak_refs;
  long long order;
  int outputs;
  char keeps;
};

struct PyTrack {
  PyObject_HEAD
  PyObject* node;
  PyObject* grad;
  PyObject* hooks;
  PyObject* post_hooks;
  PyObject* root;
  PyObject* weak_refs;
  long long order;
  long long epoch;
  long long root_epoch;
  int index;
  char requires_grad;
  char retains_grad;
  char is_piece;
};

using Fields = PyObject**;
Fields fields_of(PyNode* node) { return &node->operation; }
Fields fields_of(PyTrack* track) { return &track->node; }
constexpr int count_of(const PyNode*) { return 8; }
constexpr int count_of(const PyTrack*) { return 5; }

template <class T>
int traverse(PyObject* object, visitproc visit, void* arg) {
  T* const self = reinterpret_cast<T*>(object);
  Py_VISIT(Py_TYPE(object));
  for (int i = 0; i < count_of(self); ++i) Py_VISIT(fields_of(self)[i]);
  return 0;
}

template <class T>
int clear(PyObject* object) {
  T* const self = reinterpret_cast<T*>(object);
  for (int i = 0; i < count_of(self); ++i) Py_CLEAR(fields_of(self)[i]);
  return 0;
}

// The class in Python calls this, and keeps long chains of nodes from recursing.
template <class T>
void deallocate(PyObject* object) {
  PyTypeObject* const type = Py_TYPE(object);
  PyObject_GC_UnTrack(object);
  if (reinterpret_cast<T*>(object)->weak_refs != nullptr) PyObject_ClearWeakRefs(object);
  clear<T>(object);
  type->tp_free(object);
  Py_DECREF(type);
}

bool refuse(PyObject* args, Py_ssize_t least, Py_ssize_t most, PyObject* kwargs) {
  const Py_ssize_t given = PyTuple_GET_SIZE(args);
  if (given >= least && given <= most && (kwargs == nullptr || PyDict_GET_SIZE(kwargs) == 0)) return false;
  PyErr_Format(PyExc_TypeError, "takes %zd to %zd positional arguments (%zd given)", least, most, given);
  return true;
}

// Node(operation, edges, backward, outputs=1, keeps=False)
PyObject* make_node(PyTypeObject* type, PyObject* args, PyObject* kwargs) {
  if (refuse(args, 3, 5, kwargs)) return nullptr;
  const Py_ssize_t given = PyTuple_GET_SIZE(args);
  const long outputs = given > 3 ? PyLong_AsLong(PyTuple_GET_ITEM(args, 3)) : 1;
  if (outputs == -1 && PyErr_Occurred()) return nullptr;
  PyObject* const object = type->tp_alloc(type, 0);
  if (object == nullptr) return nullptr;
  PyNode* const self = reinterpret_cast<PyNode*>(object);
  self->operation = Py_NewRef(PyTuple_GET_ITEM(args, 0));
  self->edges = Py_NewRef(PyTuple_GET_ITEM(args, 1));
  self->backward = Py_NewRef(PyTuple_GET_ITEM(args, 2));
  self->outputs = static_cast<int>(outputs);
  self->keeps = given > 4 && PyTuple_GET_ITEM(args, 4) == Py_True;
  self->order = orders++;
  return object;
}

PyTypeObject* track_base = nullptr;

// Track(node, index=0, root=None)
PyObject* make_track(PyTypeObject* type, PyObject* args, PyObject* kwargs) {
  if (refuse(args, 1, 3, kwargs)) return nullptr;
  const Py_ssize_t given = PyTuple_GET_SIZE(args);
  const long index = given > 1 ? PyLong_AsLong(PyTuple_GET_ITEM(args, 1)) : 0;
  if (index == -1 && PyErr_Occurred()) return nullptr;
  PyObject* const node = PyTuple_GET_ITEM(args, 0);
  PyObject* const root = given > 2 ? PyTuple_GET_ITEM(args, 2) : Py_None;
  if (root != Py_None && !PyObject_TypeCheck(root, track_base)) {
    PyErr_SetString(PyExc_TypeError, "root must be a Track or None");
    return nullptr;
  }
  PyObject* const object = type->tp_alloc(type, 0);
  if (object == nullptr) return nullptr;
  PyTrack* const self = reinterpret_cast<PyTrack*>(object);
  self->node = Py_NewRef(node);
  self->index = static_cast<int>(index);
  self->requires_grad = node != Py_None;
  self->order = -1;
  if (root != Py_None) {
    self->root = Py_NewRef(root);
    self->root_epoch = reinterpret_cast<PyTrack*>(root)->epoch;
  }
  return object;
}

PyMemberDef node_members[] = {
    {"operation", T_OBJECT, offsetof(PyNode, operation), 0, nullptr},
    {"edges", T_OBJECT, offsetof(PyNode, edges), 0, nullptr},
    {"backward", T_OBJECT, offsetof(PyNode, backward), 0, nullptr},
    {"line", T_OBJECT, offsetof(PyNode, line), 0, nullptr},
    {"hooks", T_OBJECT, offsetof(PyNode, hooks), 0, nullptr},
    {"prehooks", T_OBJECT, offsetof(PyNode, prehooks), 0, nullptr},
    {"taps", T_OBJECT, offsetof(PyNode, taps), 0, nullptr},
    {"user_data", T_OBJECT, offsetof(PyNode, user_data), 0, nullptr},
    {"order", T_LONGLONG, offsetof(PyNode, order), READONLY, nullptr},
    {"outputs", T_INT, offsetof(PyNode, outputs), 0, nullptr},
    {"keeps", T_BOOL, offsetof(PyNode, keeps), 0, nullptr},
    {"__weaklistoffset__", T_PYSSIZET, offsetof(PyNode, weak_refs), READONLY, nullptr},
    {nullptr, 0, 0, 0, nullptr},
};

PyMemberDef track_members[] = {
    {"node", T_OBJECT, offsetof(PyTrack, node), 0, nullptr},
    {"grad", T_OBJECT, offsetof(PyTrack, grad), 0, nullptr},
    {"hooks", T_OBJECT, offsetof(PyTrack, hooks), 0, nullptr},
    {"post_hooks", T_OBJECT, offsetof(PyTrack, post_hooks), 0, nullptr},
    {"root", T_OBJECT, offsetof(PyTrack, root), 0, nullptr},
    {"order", T_LONGLONG, offsetof(PyTrack, order), 0, nullptr},
    {"epoch", T_LONGLONG, offsetof(PyTrack, epoch), 0, nullptr},
    {"root_epoch", T_LONGLONG, offsetof(PyTrack, root_epoch), 0, nullptr},
    {"index", T_INT, offsetof(PyTrack, index), 0, nullptr},
    {"requires_grad", T_BOOL, offsetof(PyTrack, requires_grad), 0, nullptr},
    {"retains_grad", T_BOOL, offsetof(PyTrack, retains_grad), 0, nullptr},
    {"is_piece", T_BOOL, offsetof(PyTrack, is_piece), 0, nullptr},
    {"__weaklistoffset__", T_PYSSIZET, offsetof(PyTrack, weak_refs), READONLY, nullptr},
    {nullptr, 0, 0, 0, nullptr},
};

template <class T>
PyTypeObject* add_type(PyObject* module, const char* name, newfunc make, PyMemberDef* members) {
  PyType_Slot slots[] = {
      {Py_tp_new, reinterpret_cast<void*>(make)},
      {Py_tp_traverse, reinterpret_cast<void*>(traverse<T>)},
      {Py_tp_clear, reinterpret_cast<void*>(clear<T>)},
      {Py_tp_dealloc, reinterpret_cast<void*>(deallocate<T>)},
      {Py_tp_members, members},
      {0, nullptr},
  };
  PyType_Spec spec = {name, sizeof(T), 0,
                      Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC, slots};
  const Ref type = Ref::checked(PyType_FromSpec(&spec));
  const char* const last = std::strrchr(name, '.') + 1;
  if (PyModule_AddObjectRef(module, last, type.get()) < 0) throw PythonError{};
  return reinterpret_cast<PyTypeObject*>(type.get());  // the module keeps it
}

// ---- the arguments of a recorded call ----

// (target, index, shape, dtype) of the place a tensor comes from, or None when it takes no part.
Ref edge_of(PyObject* tensor) {
  const PyTensor* const object = as_object(tensor);
  if (!is_tracked(object)) return Ref::borrowed(Py_None);
  Ref track = Ref::borrowed(object->track);
  const auto fields = [&] { return reinterpret_cast<const PyTrack*>(track.get()); };
  // A view whose memory was rewritten takes its history anew, which is written in Python.
  const bool own = track && track.get() != Py_None;
  const PyTrack* const root = own ? reinterpret_cast<const PyTrack*>(fields()->root) : nullptr;
  const bool has_root = root != nullptr && reinterpret_cast<const PyObject*>(root) != Py_None;
  if (!own || (has_root && root->epoch != fields()->root_epoch)) {
    track = Ref::checked(PyObject_CallOneArg(hooks().track_of, tensor));
    if (track.get() == Py_None) return track;
  }
  const bool is_leaf = fields()->node == nullptr || fields()->node == Py_None;
  if (is_leaf && !fields()->requires_grad) return Ref::borrowed(Py_None);
  const Ref index = Ref::checked(PyLong_FromLong(fields()->index));
  static PyObject* const name = PyUnicode_InternFromString("shape");
  const Ref shape = Ref::checked(PyObject_GetAttr(tensor, name));
  const Ref dtype = Ref::checked(from_dtype(object->tensor.dtype));
  PyObject* const target = is_leaf ? track.get() : fields()->node;
  return Ref::checked(PyTuple_Pack(4, target, index.get(), shape.get(), dtype.get()));
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
    if (nargs != 2 || !PyTuple_Check(args[0])) {
      PyErr_SetString(PyExc_TypeError, "tensors_and_edges(args, kwargs) takes a tuple and a dict or None");
      throw PythonError{};
    }
    const Ref tensors = Ref::checked(PyList_New(0));
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(args[0]); ++i) {
      add_tensors(tensors.get(), PyTuple_GET_ITEM(args[0], i), true);
    }
    PyObject *name, *value;
    Py_ssize_t at = 0;
    while (PyDict_Check(args[1]) && PyDict_Next(args[1], &at, &name, &value)) {
      add_tensors(tensors.get(), value, true);
    }
    const Ref edges = Ref::checked(PyTuple_New(PyList_GET_SIZE(tensors.get())));
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(tensors.get()); ++i) {
      PyTuple_SET_ITEM(edges.get(), i, edge_of(PyList_GET_ITEM(tensors.get(), i)).release());
    }
    return Ref::checked(PyTuple_Pack(2, tensors.get(), edges.get())).release();
  });
}

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

// kept(saved, tensors, edges, output) -> ((alias, version, place) or None, ...): what a rule saves, where the
// place is an edge, the number of a result, or None for what the rule made itself.
PyObject* kept(PyObject*, PyObject* const* args, Py_ssize_t nargs) {
  return guarded([&] {
    if (nargs != 4 || !PyTuple_Check(args[0]) || !PyList_Check(args[1]) || !PyTuple_Check(args[2])) {
      PyErr_SetString(PyExc_TypeError, "kept(saved, tensors, edges, output)");
      throw PythonError{};
    }
    const Py_ssize_t count = PyTuple_GET_SIZE(args[0]);
    Ref made = Ref::checked(PyTuple_New(count));
    for (Py_ssize_t i = 0; i < count; ++i) {
      PyObject* const x = PyTuple_GET_ITEM(args[0], i);
      if (x == Py_None) {
        PyTuple_SET_ITEM(made.get(), i, Py_NewRef(Py_None));
        continue;
      }
      const Tensor& tensor = expect_tensor(x, "saved tensor");
      Ref place = result_number(x, args[3]);
      // An in-place operation has its result among its arguments too, as it was before.
      const bool is_result = place.get() != Py_None;
      const Py_ssize_t given = std::min(PyTuple_GET_SIZE(args[2]), PyList_GET_SIZE(args[1]));
      for (Py_ssize_t k = 0; !is_result && k < given; ++k) {
        if (PyList_GET_ITEM(args[1], k) == x) place = Ref::borrowed(PyTuple_GET_ITEM(args[2], k));
      }
      const Ref version = Ref::checked(PyLong_FromUnsignedLongLong(tensor.storage->version()));
      const Ref alias(new_alias(x));
      PyTuple_SET_ITEM(made.get(), i,
                       Ref::checked(PyTuple_Pack(3, alias.get(), version.get(), place.get())).release());
    }
    return made.release();
  });
}

PyObject* next_order(PyObject*, PyObject*) { return PyLong_FromLongLong(orders++); }

PyCFunction plain(PyObject* (*function)(PyObject*, PyObject* const*, Py_ssize_t)) {
  return reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(function));
}

PyMethodDef functions[] = {
    {"next_order", next_order, METH_NOARGS, nullptr},
    {"tensors_and_edges", plain(tensors_and_edges), METH_FASTCALL, nullptr},
    {"kept", plain(kept), METH_FASTCALL, nullptr},
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace

void add_graph_objects(PyObject* module) {
  add_type<PyNode>(module, "strided._native.NodeFields", make_node, node_members);
  track_base = add_type<PyTrack>(module, "strided._native.TrackFields", make_track, track_members);
  if (PyModule_AddFunctions(module, functions) < 0) throw PythonError{};
}

}  // namespace strided::python
