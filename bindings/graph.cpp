// Nodes, tracks and edges. They are made for every recorded operation, natively in a tenth of the time.
#include "graph.hpp"

#include "arguments.hpp"
#include "services.hpp"

#include <structmember.h>

#include <cstring>

namespace strided::python {
namespace {

// Nodes and leaves share their numbers: what is computed from them has higher ones.
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

// Nodes are of a class in Python, which calls this and keeps long chains of them from recursing.
template <class T>
void deallocate(PyObject* object) {
  PyTypeObject* const type = Py_TYPE(object);
  PyObject_GC_UnTrack(object);
  if (reinterpret_cast<T*>(object)->weak_refs != nullptr) PyObject_ClearWeakRefs(object);
  clear<T>(object);
  type->tp_free(object);
  Py_DECREF(type);
}

[[noreturn]] void refuse(const char* what) {
  PyErr_SetString(PyExc_TypeError, what);
  throw PythonError{};
}

PyNode* as_node(PyObject* object) { return reinterpret_cast<PyNode*>(object); }
PyTrack* as_track(PyObject* object) { return reinterpret_cast<PyTrack*>(object); }
bool is_none(const PyObject* object) { return object == nullptr || object == Py_None; }

PyTypeObject* node_base = nullptr;
PyTypeObject* track_type = nullptr;

// Attributes are there from the start: so Python reads them without a call.
template <class T>
void fill_rest(T* self) {
  for (int i = 0; i < count_of(self); ++i) {
    PyObject*& field = fields_of(self)[i];
    if (field == nullptr) field = Py_NewRef(Py_None);
  }
}

void fill_node(PyNode* node, PyObject* operation, PyObject* edges, PyObject* backward, int outputs, bool keeps) {
  node->operation = Py_NewRef(operation);
  node->edges = Py_NewRef(edges);
  node->backward = Py_NewRef(backward);
  node->outputs = outputs;
  node->keeps = keeps;
  node->order = orders++;
  fill_rest(node);
}

int to_int(PyObject* number) {
  const long value = PyLong_AsLong(number);
  if (value == -1 && PyErr_Occurred()) throw PythonError{};
  return static_cast<int>(value);
}

bool has_keywords(PyObject* kwargs) { return kwargs != nullptr && PyDict_GET_SIZE(kwargs) > 0; }

// Node(operation, edges, backward, outputs=1, keeps=False)
PyObject* make_node(PyTypeObject* type, PyObject* args, PyObject* kwargs) {
  return guarded([&] {
    const Py_ssize_t given = PyTuple_GET_SIZE(args);
    if (given < 3 || given > 5 || has_keywords(kwargs)) refuse("Node() takes 3 to 5 positional arguments");
    PyObject* const* items = &PyTuple_GET_ITEM(args, 0);
    if (!PyTuple_Check(items[1])) refuse("Node(): edges must be a tuple");
    const int outputs = given > 3 ? to_int(items[3]) : 1;
    Ref made = Ref::checked(type->tp_alloc(type, 0));
    fill_node(as_node(made.get()), items[0], items[1], items[2], outputs, given > 4 && items[4] == Py_True);
    return made.release();
  });
}

// Track(node, index=0, root=None)
PyObject* make_track(PyTypeObject*, PyObject* args, PyObject* kwargs) {
  return guarded([&] {
    const Py_ssize_t given = PyTuple_GET_SIZE(args);
    if (given < 1 || given > 3 || has_keywords(kwargs)) refuse("Track() takes 1 to 3 positional arguments");
    PyObject* const root = given > 2 ? PyTuple_GET_ITEM(args, 2) : Py_None;
    if (root != Py_None && !is_track(root)) refuse("root must be a Track or None");
    Ref made = new_track(PyTuple_GET_ITEM(args, 0), given > 1 ? to_int(PyTuple_GET_ITEM(args, 1)) : 0);
    PyTrack* const self = as_track(made.get());
    if (root != Py_None) {
      Py_SETREF(self->root, Py_NewRef(root));
      self->root_epoch = as_track(root)->epoch;
    }
    return made.release();
  });
}

PyMemberDef node_members[] = {
    {"operation", T_OBJECT_EX, offsetof(PyNode, operation), 0, nullptr},
    {"edges", T_OBJECT_EX, offsetof(PyNode, edges), 0, nullptr},
    {"backward", T_OBJECT_EX, offsetof(PyNode, backward), 0, nullptr},
    {"line", T_OBJECT_EX, offsetof(PyNode, line), 0, nullptr},
    {"hooks", T_OBJECT_EX, offsetof(PyNode, hooks), 0, nullptr},
    {"prehooks", T_OBJECT_EX, offsetof(PyNode, prehooks), 0, nullptr},
    {"result_hooks", T_OBJECT_EX, offsetof(PyNode, result_hooks), 0, nullptr},
    {"user_data", T_OBJECT_EX, offsetof(PyNode, user_data), 0, nullptr},
    {"order", T_LONGLONG, offsetof(PyNode, order), READONLY, nullptr},
    {"outputs", T_INT, offsetof(PyNode, outputs), 0, nullptr},
    {"keeps", T_BOOL, offsetof(PyNode, keeps), 0, nullptr},
    {"__weaklistoffset__", T_PYSSIZET, offsetof(PyNode, weak_refs), READONLY, nullptr},
    {nullptr, 0, 0, 0, nullptr},
};

PyMemberDef track_members[] = {
    {"node", T_OBJECT_EX, offsetof(PyTrack, node), 0, nullptr},
    {"grad", T_OBJECT_EX, offsetof(PyTrack, grad), 0, nullptr},
    {"hooks", T_OBJECT_EX, offsetof(PyTrack, hooks), 0, nullptr},
    {"post_hooks", T_OBJECT_EX, offsetof(PyTrack, post_hooks), 0, nullptr},
    {"root", T_OBJECT_EX, offsetof(PyTrack, root), 0, nullptr},
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
PyTypeObject* add_type(PyObject* module, const char* name, newfunc make, PyMemberDef* members, unsigned flags) {
  PyType_Slot slots[] = {
      {Py_tp_new, reinterpret_cast<void*>(make)},
      {Py_tp_traverse, reinterpret_cast<void*>(traverse<T>)},
      {Py_tp_clear, reinterpret_cast<void*>(clear<T>)},
      {Py_tp_dealloc, reinterpret_cast<void*>(deallocate<T>)},
      {Py_tp_members, members},
      {0, nullptr},
  };
  PyType_Spec spec = {name, sizeof(T), 0,
                      static_cast<unsigned>(Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC) | flags, slots};
  const Ref type = Ref::checked(PyType_FromSpec(&spec));
  const char* const last = std::strrchr(name, '.') + 1;
  if (PyModule_AddObjectRef(module, last, type.get()) < 0) throw PythonError{};
  return reinterpret_cast<PyTypeObject*>(type.get());  // the module keeps it
}

// ---- what strided/autograd asks ----

PyObject* next_order(PyObject*, PyObject*) { return PyLong_FromLongLong(orders++); }

PyObject* edge_of_object(PyObject*, PyObject* x) {
  return guarded([&] {
    expect_tensor(x, "x");
    return edge_of(x).release();
  });
}

PyObject* track_of_object(PyObject*, PyObject* x) {
  return guarded([&] {
    expect_tensor(x, "x");
    return track_of(x).release();
  });
}

// node_of(operation, edges, backward, keeps, outputs=1): in anomaly mode the node knows its line
PyObject* node_of(PyObject*, PyObject* const* args, Py_ssize_t nargs) {
  return guarded([&] {
    if (nargs < 4 || nargs > 5 || !PyTuple_Check(args[1])) {
      refuse("node_of(operation, edges, backward, keeps, outputs=1) takes a tuple of edges");
    }
    return new_node(args[0], args[1], args[2], nargs > 4 ? to_int(args[4]) : 1, args[3] == Py_True).release();
  });
}

PyMethodDef functions[] = {
    {"next_order", next_order, METH_NOARGS, nullptr},
    {"edge_of", edge_of_object, METH_O, nullptr},
    {"track_of", track_of_object, METH_O, nullptr},
    {"node_of", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(node_of)), METH_FASTCALL, nullptr},
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace

Ref new_node(PyObject* operation, PyObject* edges, PyObject* backward, int outputs, bool keeps) {
  PyTypeObject* const type = reinterpret_cast<PyTypeObject*>(service(Service::node));
  Ref made = Ref::checked(type->tp_alloc(type, 0));
  fill_node(as_node(made.get()), operation, edges, backward, outputs, keeps);
  Ref line = line_at_work();
  if (line.get() != Py_None) Py_SETREF(as_node(made.get())->line, line.release());
  return made;
}

bool is_track(PyObject* object) { return Py_IS_TYPE(object, track_type); }

bool is_node_class(PyObject* object) {
  return PyType_Check(object) && PyType_IsSubtype(reinterpret_cast<PyTypeObject*>(object), node_base) != 0;
}

Ref new_track(PyObject* node, int index) {
  Ref made = Ref::checked(track_type->tp_alloc(track_type, 0));
  PyTrack* const self = as_track(made.get());
  self->node = Py_NewRef(node);
  self->index = index;
  self->requires_grad = node != Py_None;
  self->order = -1;
  fill_rest(self);
  return made;
}

void set_track(PyObject* tensor, PyObject* track) {
  PyTensor* const object = as_object(tensor);
  const bool none = is_none(track);
  if (Py_TYPE(tensor) == tensor_type) {
    if (none && object->track != nullptr) PyObject_GC_UnTrack(tensor);
    if (!none && object->track == nullptr) PyObject_GC_Track(tensor);
  }
  Py_XSETREF(object->track, none ? nullptr : Py_NewRef(track));
}

Ref track_of(PyObject* tensor) {
  const PyTensor* const object = as_object(tensor);
  if (!is_tracked(object)) return Ref::borrowed(Py_None);
  if (!is_none(object->track)) {
    const PyTrack* const own = as_track(object->track);
    if (is_none(own->root) || as_track(own->root)->epoch == own->root_epoch) return Ref::borrowed(object->track);
  }
  return Ref::checked(PyObject_CallOneArg(service(Service::renewed_track), tensor));
}

Ref edge_of(PyObject* tensor) {
  const Ref track = track_of(tensor);
  if (track.get() == Py_None) return track;
  const PyTrack* const fields = as_track(track.get());
  const bool is_leaf = is_none(fields->node);
  if (is_leaf && !fields->requires_grad) return Ref::borrowed(Py_None);
  static PyObject* const name = PyUnicode_InternFromString("shape");
  const Ref index = Ref::checked(PyLong_FromLong(fields->index));
  const Ref shape = Ref::checked(PyObject_GetAttr(tensor, name));
  const Ref dtype = Ref::checked(from_dtype(as_tensor(tensor).dtype));
  return Ref::checked(PyTuple_Pack(4, is_leaf ? track.get() : fields->node, index.get(), shape.get(), dtype.get()));
}

void add_graph(PyObject* module) {
  node_base = add_type<PyNode>(module, "strided._native.NodeFields", make_node, node_members, Py_TPFLAGS_BASETYPE);
  track_type = add_type<PyTrack>(module, "strided._native.Track", make_track, track_members, 0);
  if (PyModule_AddFunctions(module, functions) < 0) throw PythonError{};
}

}  // namespace strided::python
