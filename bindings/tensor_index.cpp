// t[key], t[key] = value, len(t) and iteration.
#include <algorithm>

#include "arguments.hpp"
#include "basic_index.hpp"
#include "errors.hpp"
#include "graph.hpp"
#include "layout/views.hpp"
#include "services.hpp"
#include "tensor/assign.hpp"
#include "tensor_object.hpp"
#include "tensor_parts.hpp"

namespace strided::python {
namespace {

// NumPy and PyTorch let the value have extra leading axes of length 1.
Layout without_leading_units(const Layout& value, int rank) {
  Layout layout = value;
  while (layout.rank() > rank && layout.length(0) == 1) layout = selected(layout, 0, 0);
  return layout;
}

void assign_python(const Tensor& target, PyObject* value) {
  Scalar scalar;
  if (!is_tensor(value) && to_scalar(value, scalar)) {
    alignas(16) std::byte bits[16];
    scalar.store(target.dtype, bits);
    const KernelTime released(target.layout.size());
    assign_value(target, bits, "index assignment");
    return;
  }
  const Ref holder = as_tensor_object(value);
  Tensor source = expect_tensor(holder.get(), "value");
  source.layout = without_leading_units(source.layout, target.layout.rank());
  const KernelTime released(target.layout.size());
  assign(target, source, "index assignment");
}

bool is_number(PyObject* value) {
  return PyFloat_Check(value) || PyLong_Check(value) || PyComplex_Check(value);
}

// Is this the second half of `x[key] += y`? Then the value is the view itself.
bool is_written_already(PyObject* view, PyObject* value) {
  const Tensor &to = as_tensor(view), &from = as_tensor(value);
  return owner_of(value) == owner_of(view) && from.dtype == to.dtype && from.layout == to.layout;
}

// With gradients it is a write into the view x[key].
[[gnu::cold]] void assign_tracked(PyObject* self, PyObject* key, PyObject* value) {
  static PyObject* const fill = PyUnicode_InternFromString("fill_");
  static PyObject* const copy = PyUnicode_InternFromString("copy_");
  const Ref view = Ref::checked(tensor_get_item(self, key));
  if (!is_tensor(value) && is_number(value)) {
    Ref::checked(PyObject_CallMethodOneArg(view.get(), fill, value));
    return;
  }
  Ref source = as_tensor_object(value);
  const Ref first = Ref::checked(PyLong_FromLong(0));
  while (as_tensor(source.get()).layout.rank() > as_tensor(view.get()).layout.rank() &&
         as_tensor(source.get()).layout.length(0) == 1) {
    source = Ref::checked(tensor_get_item(source.get(), first.get()));
  }
  if (is_written_already(view.get(), source.get())) return;
  Ref::checked(PyObject_CallMethodOneArg(view.get(), copy, source.get()));
}

// ---- iteration over the first axis ----

struct PyIterator {
  PyObject_HEAD
  PyObject* tensor;
  Index next;
};
PyTypeObject* iterator_type = nullptr;

PyObject* iterator_next(PyObject* self) {
  auto* iterator = reinterpret_cast<PyIterator*>(self);
  if (iterator->tensor == nullptr) return nullptr;  // the collector has broken a cycle here
  const Layout& own = as_tensor(iterator->tensor).layout;
  // The tensor may have changed its layout since (squeeze_).
  if (own.rank() == 0 || iterator->next >= own.length(0)) return nullptr;
  const Index index = iterator->next++;
  return guarded([&] {
    return new_view<ViewKind::OfSeveral>(iterator->tensor,
                                         [&](const Layout& layout) { return selected(layout, 0, index); });
  });
}

// A tensor with attributes may hold the iterator over itself.
int iterator_traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  Py_VISIT(reinterpret_cast<PyIterator*>(self)->tensor);
  return 0;
}

int iterator_clear(PyObject* self) {
  Py_CLEAR(reinterpret_cast<PyIterator*>(self)->tensor);
  return 0;
}

void iterator_free(PyObject* self) {
  PyTypeObject* type = Py_TYPE(self);
  PyObject_GC_UnTrack(self);
  iterator_clear(self);
  PyObject_GC_Del(self);
  Py_DECREF(type);
}

PyObject* iterator_self(PyObject* self) { return Py_NewRef(self); }

PyType_Slot iterator_slots[] = {
    {Py_tp_iter, reinterpret_cast<void*>(iterator_self)},
    {Py_tp_iternext, reinterpret_cast<void*>(iterator_next)},
    {Py_tp_dealloc, reinterpret_cast<void*>(iterator_free)},
    {Py_tp_traverse, reinterpret_cast<void*>(iterator_traverse)},
    {Py_tp_clear, reinterpret_cast<void*>(iterator_clear)},
    {0, nullptr},
};
PyType_Spec iterator_spec = {"strided._TensorIterator", sizeof(PyIterator), 0,
                             Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                             iterator_slots};

bool refuse_rank0(PyObject* self, const char* what) {
  if (as_tensor(self).layout.rank() > 0) return false;
  PyErr_Format(PyExc_TypeError, "%s of a rank-0 tensor; use .item() for its value", what);
  return true;
}

}  // namespace

PyObject* tensor_get_item(PyObject* self, PyObject* key) {
  return guarded([&] {
    const Layout& own = as_tensor(self).layout;
    if (PyLong_CheckExact(key) && own.rank() > 0) {
      const Index index = to_position(key);
      return new_view(self, [&](const Layout& layout) { return selected(layout, 0, index); });
    }
    const BasicIndex index(own, key);
    if (index.is_basic()) {
      return new_view(self, [&](const Layout& layout) { return index.apply(layout); });
    }
    PyObject* args[] = {self, key};
    return PyObject_Vectorcall(service(Service::get_advanced), args, 2, nullptr);
  });
}

int tensor_set_item(PyObject* self, PyObject* key, PyObject* value) {
  return guarded(-1, [&] {
    if (value == nullptr) {
      PyErr_SetString(PyExc_TypeError, "elements of a tensor cannot be deleted");
      throw PythonError{};
    }
    const Tensor& tensor = as_tensor(self);
    const BasicIndex index(tensor.layout, key);
    if (index.is_basic()) {
      if ((is_watched(self) || (is_tensor(value) && is_tracked(value))) && is_recording()) [[unlikely]] {
        assign_tracked(self, key, value);
        return 0;
      }
      assign_python({tensor.storage, index.apply(tensor.layout), tensor.dtype}, value);
      return 0;
    }
    PyObject* args[] = {self, key, value};
    Ref::checked(PyObject_Vectorcall(service(Service::set_advanced), args, 3, nullptr));
    return 0;
  });
}

Py_ssize_t tensor_length(PyObject* self) {
  if (refuse_rank0(self, "len()")) return -1;
  return as_tensor(self).layout.length(0);
}

PyObject* tensor_iterate(PyObject* self) {
  if (refuse_rank0(self, "iteration")) return nullptr;
  auto* iterator = PyObject_GC_New(PyIterator, iterator_type);
  if (iterator == nullptr) return nullptr;
  iterator->tensor = Py_NewRef(self);
  iterator->next = 0;
  PyObject_GC_Track(iterator);
  return reinterpret_cast<PyObject*>(iterator);
}

void add_iterator_type() {
  iterator_type =
      reinterpret_cast<PyTypeObject*>(Ref::checked(PyType_FromSpec(&iterator_spec)).release());
}

}  // namespace strided::python
