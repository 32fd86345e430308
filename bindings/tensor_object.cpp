#include "tensor_object.hpp"

namespace strided::python {

PyTypeObject* tensor_type = nullptr;
bool views_are_watched = false;

namespace {

// Dead objects wait here for their next life; views come and go by the million.
constexpr int kKept = 256;
PyTensor* kept[kKept];
int kept_count = 0;

PyObject* view_observer = nullptr;

}  // namespace

Tensor& expect_tensor(PyObject* object, const char* argument) {
  if (!is_tensor(object)) {
    PyErr_Format(PyExc_TypeError, "%s must be a strided.Tensor, got %.100s", argument,
                 Py_TYPE(object)->tp_name);
    throw PythonError{};
  }
  return as_tensor(object);
}

PyTensor* raw_object() {
  PyTensor* object;
  if (kept_count > 0) {
    object = kept[--kept_count];
    PyObject_Init(reinterpret_cast<PyObject*>(object), tensor_type);
  } else {
    // The collector must not run here: finalisers could change the layout that a view is made from.
    const bool collects = PyGC_Disable() != 0;
    object = PyObject_GC_New(PyTensor, tensor_type);
    if (collects) PyGC_Enable();
    if (object == nullptr) throw PythonError{};
  }
  object->base = nullptr;
  object->track = nullptr;
  object->shape_tuple = nullptr;
  object->weak_refs = nullptr;
  object->own_history = OwnHistory::No;
  return object;
}

void free_object(PyObject* self) {
  PyTypeObject* type = Py_TYPE(self);
  if (type == tensor_type && kept_count < kKept) {
    kept[kept_count++] = as_object(self);
  } else {
    type->tp_free(self);
  }
  Py_DECREF(type);
}

PyObject* new_tensor(Tensor tensor) {
  PyTensor* object = raw_object();
  new (&object->tensor) Tensor(std::move(tensor));
  return reinterpret_cast<PyObject*>(object);
}

PyObject* new_alias(PyObject* self) {
  PyTensor* alias = raw_object();
  new (&alias->tensor) Tensor(as_tensor(self));
  return reinterpret_cast<PyObject*>(alias);
}

PyObject* new_view_as(PyObject* self, Layout layout, DType dtype) {
  PyTensor* view = raw_object();
  new (&view->tensor) Tensor{as_tensor(self).storage, std::move(layout), dtype};
  view->base = Py_NewRef(owner_of(self));
  PyObject* const made = reinterpret_cast<PyObject*>(view);
  if (is_tracked(self)) [[unlikely]] {
    Ref held(made);
    track_view(self, made, view->tensor.layout, ViewKind::OfStorage);
    held.release();
  }
  return views_are_watched ? handed_out(made) : made;
}

PyObject* handed_out(PyObject* view) {
  const Ref held(view);
  return results_handed_out(view, Py_None).release();
}

Ref results_handed_out(PyObject* result, PyObject* operands) {
  const Ref observer = Ref::borrowed(view_observer);
  if (!observer) return Ref::borrowed(result);  // the operation itself ended the watch
  PyObject* const args[] = {result, operands};
  return Ref::checked(PyObject_Vectorcall(observer.get(), args, 2, nullptr));
}

void watch_views(PyObject* function) {
  const bool on = function != Py_None;
  if (on && !PyCallable_Check(function)) {
    PyErr_SetString(PyExc_TypeError, "watch_views() takes a function or None");
    throw PythonError{};
  }
  views_are_watched = on;
  Py_XSETREF(view_observer, on ? Py_NewRef(function) : nullptr);
}

}  // namespace strided::python
