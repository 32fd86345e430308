#include "graph_objects.hpp"

#include "arguments.hpp"
#include "tracking.hpp"

#include <structmember.h>

#include <cstring>

namespace strided::python {
namespace {

// Nodes and leaves are numbered as they come to be: what is computed from them has higher numbers.
long long orders = 0;

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

PyNode* as_node(PyObject* object) { return reinterpret_cast<PyNode*>(object); }
PyTrack* as_track(PyObject* object) { return reinterpret_cast<PyTrack*>(object); }

// An object of a Python class, whose fields are all zero.
PyObject* new_object(PyObject* type) {
  PyTypeObject* const made = reinterpret_cast<PyTypeObject*>(type);
  return made->tp_alloc(made, 0);
}

void fill_node(PyNode* node, PyObject* operation, PyObject* edges, PyObject* backward, int outputs, bool keeps) {
  node->operation = Py_NewRef(operation);
  node->edges = Py_NewRef(edges);
  node->backward = Py_NewRef(backward);
  node->outputs = outputs;
  node->keeps = keeps;
  node->order = orders++;
}

void fill_track(PyTrack* track, PyObject* node, int index) {
  track->node = Py_NewRef(node);
  track->index = index;
  track->requires_grad = node != Py_None;
  track->order = -1;
}

// Node(operation, edges, backward, outputs=1, keeps=False)
PyObject* make_node(PyTypeObject* type, PyObject* args, PyObject* kwargs) {
  if (refuse(args, 3, 5, kwargs)) return nullptr;
  const Py_ssize_t given = PyTuple_GET_SIZE(args);
  const long outputs = given > 3 ? PyLong_AsLong(PyTuple_GET_ITEM(args, 3)) : 1;
  if (outputs == -1 && PyErr_Occurred()) return nullptr;
  PyObject* const object = type->tp_alloc(type, 0);
  if (object == nullptr) return nullptr;
  fill_node(as_node(object), PyTuple_GET_ITEM(args, 0), PyTuple_GET_ITEM(args, 1), PyTuple_GET_ITEM(args, 2),
            static_cast<int>(outputs), given > 4 && PyTuple_GET_ITEM(args, 4) == Py_True);
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
  PyTrack* const self = as_track(object);
  fill_track(self, node, static_cast<int>(index));
  if (root != Py_None) {
    self->root = Py_NewRef(root);
    self->root_epoch = as_track(root)->epoch;
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

PyObject* next_order(PyObject*, PyObject*) { return PyLong_FromLongLong(orders++); }

// attach(output, operation, edges, backward, keeps) -> Node: makes a tensor the only result of a new node.
PyObject* attach(PyObject*, PyObject* const* args, Py_ssize_t nargs) {
  return guarded([&] {
    if (nargs != 5 || !is_tensor(args[0])) {
      PyErr_SetString(PyExc_TypeError, "attach(output, operation, edges, backward, keeps) takes a tensor first");
      throw PythonError{};
    }
    Ref node = Ref::checked(new_object(hooks().node_class));
    fill_node(as_node(node.get()), args[1], args[2], args[3], 1, args[4] == Py_True);
    const Ref track = Ref::checked(new_object(hooks().track_class));
    fill_track(as_track(track.get()), node.get(), 0);
    set_track(args[0], track.get());
    return node.release();
  });
}

PyMethodDef functions[] = {
    {"next_order", next_order, METH_NOARGS, nullptr},
    {"attach", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(attach)), METH_FASTCALL, nullptr},
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace

void add_graph_objects(PyObject* module) {
  add_type<PyNode>(module, "strided._native.NodeFields", make_node, node_members);
  track_base = add_type<PyTrack>(module, "strided._native.TrackFields", make_track, track_members);
  if (PyModule_AddFunctions(module, functions) < 0) throw PythonError{};
}

}  // namespace strided::python
