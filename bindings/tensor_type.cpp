// The native Tensor type, put together from the tables of the other files.
#include "graph.hpp"
#include "services.hpp"
#include "tensor_object.hpp"
#include "tensor_parts.hpp"

#include <structmember.h>

#include <vector>

namespace strided::python {
namespace {

void deallocate(PyObject* self) {
  PyTensor* object = as_object(self);
  // Objects of subclasses are always tracked by the collector.
  if (object->track != nullptr || Py_TYPE(self) != tensor_type) PyObject_GC_UnTrack(self);
  if (object->weak_refs != nullptr) PyObject_ClearWeakRefs(self);
  object->tensor.~Tensor();
  Py_CLEAR(object->shape_tuple);
  Py_CLEAR(object->base);
  Py_CLEAR(object->track);
  free_object(self);
}

int traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  Py_VISIT(as_object(self)->base);
  Py_VISIT(as_object(self)->track);
  return 0;
}

// Every cycle passes through a track. None stays in its place: the collector still knows the object, and
// deallocate tells by the track.
int clear(PyObject* self) {
  if (as_object(self)->track != nullptr) Py_SETREF(as_object(self)->track, Py_NewRef(Py_None));
  return 0;
}

PyObject* text(PyObject* self, PyObject* is_repr) {
  return guarded([&] {
    PyObject* args[] = {self, is_repr};
    return PyObject_Vectorcall(service(Service::text), args, 2, nullptr);
  });
}
PyObject* repr(PyObject* self) {
  return text(self, Py_True);
}
PyObject* str(PyObject* self) {
  return text(self, Py_False);
}

// Tensor(x) is a view of x. A subclass is made the same way and may take more arguments for its __init__.
PyObject* make(PyTypeObject* type, PyObject* args, PyObject* kwargs) {
  return guarded([&]() -> PyObject* {
    const Py_ssize_t given = PyTuple_GET_SIZE(args);
    const bool extra = given > 1 || (kwargs != nullptr && PyDict_GET_SIZE(kwargs) > 0);
    if (given == 0 || (extra && type == tensor_type)) {
      PyErr_SetString(PyExc_TypeError,
                      "Tensor(data) takes one argument; use strided.tensor(data, dtype=...) to say more");
      throw PythonError{};
    }
    const Ref source = as_tensor_object(PyTuple_GET_ITEM(args, 0));
    const Tensor& tensor = expect_tensor(source.get(), "data");
    PyObject* self = type->tp_alloc(type, 0);
    if (self == nullptr) throw PythonError{};
    if (type == tensor_type) PyObject_GC_UnTrack(self);
    new (&as_object(self)->tensor) Tensor(tensor);
    as_object(self)->base = Py_NewRef(owner_of(source.get()));
    if (is_tracked(source.get())) {
      Ref held(self);
      track_view(source.get(), self, Layout::row_major(tensor.layout.shape()), ViewKind::One);
      held.release();
    }
    return self;
  });
}

std::vector<PyMethodDef> join_methods() {
  std::vector<PyMethodDef> all;
  for (const PyMethodDef* table : {attribute_methods, view_methods, reshape_methods, copy_methods,
                                   value_methods}) {
    for (; table->ml_name != nullptr; ++table) all.push_back(*table);
  }
  all.push_back({nullptr, nullptr, 0, nullptr});
  return all;
}

std::vector<PyGetSetDef> join_attributes() {
  std::vector<PyGetSetDef> all;
  for (const PyGetSetDef* table : {tensor_attributes, tracking_attributes}) {
    for (; table->name != nullptr; ++table) all.push_back(*table);
  }
  all.push_back({nullptr, nullptr, nullptr, nullptr, nullptr});
  return all;
}

PyMemberDef members[] = {
    {"__weaklistoffset__", T_PYSSIZET, offsetof(PyTensor, weak_refs), READONLY, nullptr},
    {nullptr, 0, 0, 0, nullptr},
};

}  // namespace

void add_tensor_type(PyObject* module) {
  // PyMethodDef tables must live as long as the type.
  static std::vector<PyMethodDef> methods = join_methods();
  static std::vector<PyGetSetDef> attributes = join_attributes();
  std::vector<PyType_Slot> slots = {
      {Py_tp_new, reinterpret_cast<void*>(make)},
      {Py_tp_dealloc, reinterpret_cast<void*>(deallocate)},
      {Py_tp_traverse, reinterpret_cast<void*>(traverse)},
      {Py_tp_clear, reinterpret_cast<void*>(clear)},
      {Py_tp_repr, reinterpret_cast<void*>(repr)},
      {Py_tp_str, reinterpret_cast<void*>(str)},
      // == compares elements, so identity is what is left to hash by (as in PyTorch).
      {Py_tp_hash, reinterpret_cast<void*>(PyBaseObject_Type.tp_hash)},
      {Py_tp_richcompare, reinterpret_cast<void*>(tensor_compare)},
      {Py_tp_iter, reinterpret_cast<void*>(tensor_iterate)},
      {Py_mp_subscript, reinterpret_cast<void*>(tensor_get_item)},
      {Py_mp_ass_subscript, reinterpret_cast<void*>(tensor_set_item)},
      {Py_mp_length, reinterpret_cast<void*>(tensor_length)},
      {Py_bf_getbuffer, reinterpret_cast<void*>(tensor_get_buffer)},
      {Py_bf_releasebuffer, reinterpret_cast<void*>(tensor_release_buffer)},
      {Py_tp_methods, methods.data()},
      {Py_tp_getset, attributes.data()},
      {Py_tp_members, members},
  };
  for (const PyType_Slot* slot = number_slots; slot->slot != 0; ++slot) slots.push_back(*slot);
  slots.push_back({0, nullptr});
  PyType_Spec spec = {"strided.Tensor", sizeof(PyTensor), 0,
                      Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC, slots.data()};
  tensor_type = reinterpret_cast<PyTypeObject*>(Ref::checked(PyType_FromSpec(&spec)).release());
  add_iterator_type();
  if (PyModule_AddObjectRef(module, "Tensor", reinterpret_cast<PyObject*>(tensor_type)) < 0) {
    throw PythonError{};
  }
}

}  // namespace strided::python
