// Tensors that a rule keeps for the backward pass.
//
// What is kept is another object over the same elements, outside every graph, so that nothing refers to its own past.
// It is given back only if its storage was not written to since; while a graph of the gradients is wanted, it is given
// back in its place in the graph.
#include "arguments.hpp"
#include "graph.hpp"

namespace strided::python {
namespace {

struct Kept {
  PyObject* alias;  // null where None was saved
  PyObject* place;  // an edge, the number of a result of the node, or None
  std::uint64_t version;
};

struct PySaved {
  PyObject_VAR_HEAD
  Kept items[1];
};

PyTypeObject* saved_type = nullptr;
// The node at work in this thread: saved results belong to it.
thread_local PyObject* visited = nullptr;

PySaved* as_saved(PyObject* object) { return reinterpret_cast<PySaved*>(object); }

[[noreturn]] void refuse(const char* what) {
  PyErr_SetString(PyExc_TypeError, what);
  throw PythonError{};
}

[[gnu::cold]] [[noreturn]] void raise_stale(const Kept& kept) {
  const Tensor& x = as_tensor(kept.alias);
  const auto* const node = reinterpret_cast<const PyNode*>(visited);
  const Ref fields = Ref::checked(PyDict_New());
  const auto set = [&](const char* name, const Ref& value) {
    if (PyDict_SetItemString(fields.get(), name, value.get()) < 0) throw PythonError{};
  };
  const auto known = [](PyObject* text) { return Ref::borrowed(text != nullptr ? text : Py_None); };
  set("saved_by", node != nullptr ? known(node->operation) : Ref::checked(PyUnicode_FromString("")));
  set("changed_by", Ref::checked(PyUnicode_FromString(x.storage->last_writer())));
  set("shape", Ref::checked(to_tuple(x.layout.shape())));
  set("versions", Ref::checked(Py_BuildValue("(KK)", static_cast<unsigned long long>(kept.version),
                                             static_cast<unsigned long long>(x.storage->version()))));
  set("saved_at", known(node != nullptr ? node->line : nullptr));
  set("changed_at", line_of_write(*x.storage.get()));
  raise_error("StaleGradient", fields.get());
}

// The tensor in its place in the graph: a result of the node at work, or where an edge says.
Ref attached(const Kept& kept) {
  Ref made(new_alias(kept.alias));
  if (PyLong_Check(kept.place)) {
    const long number = PyLong_AsLong(kept.place);
    set_track(made.get(), new_track(visited != nullptr ? visited : Py_None, static_cast<int>(number)).get());
    return made;
  }
  PyObject* const target = PyTuple_GET_ITEM(kept.place, 0);
  if (is_track(target)) {
    set_track(made.get(), target);
  } else {
    const long number = PyLong_AsLong(PyTuple_GET_ITEM(kept.place, 1));
    set_track(made.get(), new_track(target, static_cast<int>(number)).get());
  }
  return made;
}

// The tensors, None where none was needed.
PyObject* call(PyObject* object, PyObject*, PyObject*) {
  return guarded([&] {
    PySaved* const self = as_saved(object);
    const bool graph_is_wanted = is_recording();
    const Ref made = Ref::checked(PyTuple_New(Py_SIZE(self)));
    for (Py_ssize_t i = 0; i < Py_SIZE(self); ++i) {
      const Kept& kept = self->items[i];
      PyObject* item = Py_None;
      if (kept.alias != nullptr) {
        if (as_tensor(kept.alias).storage->version() != kept.version) raise_stale(kept);
        const bool has_place = graph_is_wanted && kept.place != Py_None;
        item = has_place ? attached(kept).release() : Py_NewRef(kept.alias);
      }
      PyTuple_SET_ITEM(made.get(), i, item);
    }
    return Py_NewRef(made.get());
  });
}

bool is_place(PyObject* place) {
  return place == Py_None || PyLong_Check(place) || (PyTuple_Check(place) && PyTuple_GET_SIZE(place) == 4);
}

// Saved(kept): of each a tensor with its place in the graph, or None
PyObject* make(PyTypeObject*, PyObject* args, PyObject* kwargs) {
  return guarded([&] {
    PyObject* const given = PyTuple_GET_SIZE(args) == 1 ? PyTuple_GET_ITEM(args, 0) : nullptr;
    if (given == nullptr || !PyList_Check(given) || (kwargs != nullptr && PyDict_GET_SIZE(kwargs) > 0)) {
      refuse("Saved(kept) takes a list");
    }
    Ref made = new_saved(PyList_GET_SIZE(given));
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(given); ++i) {
      PyObject* const pair = PyList_GET_ITEM(given, i);
      if (pair == Py_None) continue;
      if (!PyTuple_Check(pair) || PyTuple_GET_SIZE(pair) != 2 || !is_place(PyTuple_GET_ITEM(pair, 1))) {
        refuse("Saved(kept): each is (tensor, place) or None");
      }
      keep(made.get(), i, PyTuple_GET_ITEM(pair, 0), PyTuple_GET_ITEM(pair, 1));
    }
    return made.release();
  });
}

int traverse(PyObject* object, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(object));
  for (Py_ssize_t i = 0; i < Py_SIZE(object); ++i) {
    Py_VISIT(as_saved(object)->items[i].alias);
    Py_VISIT(as_saved(object)->items[i].place);
  }
  return 0;
}

int clear(PyObject* object) {
  for (Py_ssize_t i = 0; i < Py_SIZE(object); ++i) {
    Py_CLEAR(as_saved(object)->items[i].alias);
    Py_CLEAR(as_saved(object)->items[i].place);
  }
  return 0;
}

void deallocate(PyObject* object) {
  PyTypeObject* const type = Py_TYPE(object);
  PyObject_GC_UnTrack(object);
  clear(object);
  type->tp_free(object);
  Py_DECREF(type);
}

// visit_node(node or None) -> the node that was at work in this thread before
PyObject* visit_node(PyObject*, PyObject* node) {
  PyObject* const before = visited;
  visited = node == Py_None ? nullptr : Py_NewRef(node);
  return before != nullptr ? before : Py_NewRef(Py_None);
}

PyObject* visited_node(PyObject*, PyObject*) { return Py_NewRef(visited != nullptr ? visited : Py_None); }

PyMethodDef functions[] = {
    {"visit_node", visit_node, METH_O, nullptr},
    {"visited_node", visited_node, METH_NOARGS, nullptr},
    {nullptr, nullptr, 0, nullptr},
};

PyType_Slot slots[] = {
    {Py_tp_new, reinterpret_cast<void*>(make)},
    {Py_tp_call, reinterpret_cast<void*>(call)},
    {Py_tp_traverse, reinterpret_cast<void*>(traverse)},
    {Py_tp_clear, reinterpret_cast<void*>(clear)},
    {Py_tp_dealloc, reinterpret_cast<void*>(deallocate)},
    {0, nullptr},
};
PyType_Spec spec = {"strided._native.Saved", offsetof(PySaved, items), sizeof(Kept),
                    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC, slots};

}  // namespace

Ref new_saved(Py_ssize_t count) { return Ref::checked(saved_type->tp_alloc(saved_type, count)); }

void keep(PyObject* saved, Py_ssize_t at, PyObject* tensor, PyObject* place) {
  const Tensor& x = expect_tensor(tensor, "saved tensor");
  as_saved(saved)->items[at] = {new_alias(tensor), Py_NewRef(place), x.storage->version()};
}

void add_saved(PyObject* module) {
  const Ref type = Ref::checked(PyType_FromSpec(&spec));
  if (PyModule_AddObjectRef(module, "Saved", type.get()) < 0) throw PythonError{};
  saved_type = reinterpret_cast<PyTypeObject*>(type.get());  // the module keeps it
  if (PyModule_AddFunctions(module, functions) < 0) throw PythonError{};
}

}  // namespace strided::python
