// The Python object around a Tensor, and how one is made. All views go through `new_view`.
#pragma once

#include "python.hpp"
#include "tensor/tensor.hpp"

namespace strided::python {

struct PyTensor {
  PyObject_HEAD
  Tensor tensor;
  PyObject* base;        // the Tensor that owns what this is a view of; null for an owner
  PyObject* shape_tuple; // what `.shape` returns, made when first asked for
  PyObject* weak_refs;
};

extern PyTypeObject* tensor_type;

inline bool is_tensor(PyObject* object) { return PyObject_TypeCheck(object, tensor_type); }
inline PyTensor* as_object(PyObject* object) { return reinterpret_cast<PyTensor*>(object); }
inline Tensor& as_tensor(PyObject* object) { return as_object(object)->tensor; }
// Raises TypeError unless it is one.
Tensor& expect_tensor(PyObject* object, const char* argument);

// A PyTensor whose `tensor` is still raw memory; the caller constructs it there.
PyTensor* raw_object();
void free_object(PyObject* object);

// A new Tensor object that owns its storage (or shares it with nobody Python knows of).
PyObject* new_tensor(Tensor tensor);

// The same for the tensor that make() returns, which is built in place.
template <class Make>
PyObject* new_tensor_from(Make&& make) {
  PyTensor* object = raw_object();
  try {
    new (&object->tensor) Tensor(make());
  } catch (...) {
    free_object(reinterpret_cast<PyObject*>(object));
    throw;
  }
  return reinterpret_cast<PyObject*>(object);
}

// What `view.base` is: views of views name the first owner, as in NumPy.
inline PyObject* owner_of(PyObject* self) {
  PyObject* base = as_object(self)->base;
  return base != nullptr ? base : self;
}

// While copy_everything() is on, each new view passes hooks().handed_out, which may put a copy in its place.
// Written and read under the GIL. The call is marked cold: otherwise reshape becomes 3 ns slower.
extern bool views_are_watched;
[[gnu::cold]] PyObject* handed_out(PyObject* view);

// A view of `self` with the layout that make(layout) returns, built in place without a copy of it.
template <class Make>
PyObject* new_view(PyObject* self, Make&& make) {
  const Tensor& from = as_tensor(self);
  PyTensor* view = raw_object();
  try {
    new (&view->tensor.layout) Layout(make(from.layout));
  } catch (...) {
    free_object(reinterpret_cast<PyObject*>(view));
    throw;
  }
  new (&view->tensor.storage) StorageRef(from.storage);
  view->tensor.dtype = from.dtype;
  view->base = Py_NewRef(owner_of(self));
  PyObject* const made = reinterpret_cast<PyObject*>(view);
  if (views_are_watched) [[unlikely]] return handed_out(made);
  return made;
}

// A view whose dtype differs as well.
PyObject* new_view_as(PyObject* self, Layout layout, DType dtype);

}  // namespace strided::python
