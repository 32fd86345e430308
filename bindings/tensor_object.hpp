// The Python object around a Tensor, and how one is made. All views go through `new_view`.
#pragma once

#include "python.hpp"
#include "tensor/tensor.hpp"

namespace strided::python {

// Whether a view shares the history of gradients of its base.
enum class OwnHistory : std::uint8_t { No, Detached, MadeWithoutGrad };

// Tracked by the garbage collector only while it has a `track`: a plain tensor is in no cycle.
struct PyTensor {
  PyObject_HEAD
  Tensor tensor;
  PyObject* base;         // the Tensor whose elements these are (see owner_of); null for an owner
  PyObject* track;        // its place in a graph of gradients (strided.autograd.track); null when plain
  PyObject* shape_tuple;  // what `.shape` returns, made when first asked for
  PyObject* weak_refs;
  OwnHistory own_history;
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

// The base of a new view of self: views of views name the first owner, as in NumPy, or the first that
// has a history of its own, since gradients go no further.
inline PyObject* owner_of(PyObject* self) {
  const PyTensor* object = as_object(self);
  return object->base != nullptr && object->own_history == OwnHistory::No ? object->base : self;
}

// May it be part of a graph? For a plain tensor one load, for a view of one two. A view has no track of its
// own when its base became part of a graph after the view was made.
inline bool is_tracked(const PyTensor* object) {
  if (object->track != nullptr) [[unlikely]] return true;
  return object->base != nullptr && object->own_history == OwnHistory::No &&
         as_object(object->base)->track != nullptr;
}
inline bool is_tracked(PyObject* tensor) { return is_tracked(as_object(tensor)); }

// Must a write to it be told? That into a view which was made without a graph, of a tensor that has one, is
// refused.
inline bool is_watched(PyObject* target) {
  const PyTensor* const object = as_object(target);
  if (is_tracked(object) || object->own_history == OwnHistory::MadeWithoutGrad) [[unlikely]] return true;
  return object->base != nullptr && as_object(object->base)->own_history == OwnHistory::MadeWithoutGrad;
}

// What the new view of a tracked tensor is recorded as.
enum class ViewKind { One, OfSeveral, OfStorage };

// The view joins the graph of self, or gets a history of its own when nothing is recorded. `place` is where the
// view would lie in a row-major tensor of self's shape (OfStorage: where it lies in the storage).
[[gnu::cold]] void track_view(PyObject* self, PyObject* view, const Layout& place, ViewKind kind);

// While copy_everything() is on, each new view passes the function that watch_views() was given, which may put a
// copy in its place. Written and read under the GIL. The call is marked cold: otherwise reshape becomes 3 ns slower.
extern bool views_are_watched;
[[gnu::cold]] PyObject* handed_out(PyObject* view);
// The same for what an operation in Python returned: its views of `operands` may be replaced.
[[gnu::cold]] Ref results_handed_out(PyObject* result, PyObject* operands);
// A function (result, operands), where operands are None for a new view; None ends it.
void watch_views(PyObject* function);

// A view of `self` with the layout that make(layout) returns, built in place without a copy of it.
// `make` is pure arithmetic: a tracked tensor calls it again with a row-major layout.
template <ViewKind kind = ViewKind::One, class Make>
PyObject* new_view_from(PyObject* self, const Layout& layout, Make&& make) {
  const Tensor& from = as_tensor(self);
  PyTensor* view = raw_object();
  try {
    new (&view->tensor.layout) Layout(make(layout));
  } catch (...) {
    free_object(reinterpret_cast<PyObject*>(view));
    throw;
  }
  new (&view->tensor.storage) StorageRef(from.storage);
  view->tensor.dtype = from.dtype;
  view->base = Py_NewRef(owner_of(self));
  PyObject* const made = reinterpret_cast<PyObject*>(view);
  if (is_tracked(self)) [[unlikely]] {
    Ref held(made);
    if constexpr (kind == ViewKind::OfStorage) {
      track_view(self, made, view->tensor.layout, kind);
    } else {
      track_view(self, made, make(Layout::row_major(layout.shape())), kind);
    }
    held.release();
  }
  if (views_are_watched) [[unlikely]] return handed_out(made);
  return made;
}

template <ViewKind kind = ViewKind::One, class Make>
PyObject* new_view(PyObject* self, Make&& make) {
  return new_view_from<kind>(self, as_tensor(self).layout, std::forward<Make>(make));
}

// Another object for the same elements that is no view and part of no graph.
PyObject* new_alias(PyObject* self);

// A view whose dtype differs as well.
PyObject* new_view_as(PyObject* self, Layout layout, DType dtype);

}  // namespace strided::python
