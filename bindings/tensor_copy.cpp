// Methods that move elements: contiguous, clone, to, copy_, fill_.
#include "arguments.hpp"
#include "graph.hpp"
#include "layout/contiguity.hpp"
#include "services.hpp"
#include "tensor/assign.hpp"
#include "tensor/materialise.hpp"
#include "tensor_object.hpp"
#include "tensor_parts.hpp"

namespace strided::python {
namespace {

using Args = PyObject* const*;

PyObject* materialised(PyObject* self, CopyReason reason, DType dtype, Span order) {
  const Tensor kept = as_tensor(self);  // other threads may run meanwhile
  PyObject* const made = new_tensor_from([&] {
    const KernelTime released(kept.layout.size());
    return materialise(kept, reason, dtype, order);
  });
  return recorded_copy("clone", self, made);
}

Dims row_major_order(int rank) {
  Dims order;
  for (int axis = 0; axis < rank; ++axis) order.push_back(axis);
  return order;
}

PyObject* contiguous(PyObject* self, Args args, Py_ssize_t nargs, PyObject* kwnames) {
  return guarded([&] {
    const char* const names[] = {"memory_format"};
    const Arguments given("contiguous", names, 0, args, nargs, kwnames);
    const Tensor& tensor = as_tensor(self);
    if (!given.has(0)) {
      if (is_row_major(tensor.layout)) return Py_NewRef(self);
      return materialised(self, CopyReason::Contiguous, tensor.dtype,
                          row_major_order(tensor.layout.rank()));
    }
    const Dims order = to_memory_order(self, given[0]);
    if (is_in_order(tensor.layout, order)) return Py_NewRef(self);
    return materialised(self, CopyReason::Contiguous, tensor.dtype, order);
  });
}

// Without a format the result keeps the axis order of the source and closes its gaps.
PyObject* clone(PyObject* self, Args args, Py_ssize_t nargs, PyObject* kwnames) {
  return guarded([&] {
    const char* const names[] = {"memory_format"};
    const Arguments given("clone", names, 0, args, nargs, kwnames);
    const Tensor& tensor = as_tensor(self);
    const Dims order =
        given.has(0) ? to_memory_order(self, given[0]) : memory_order(tensor.layout);
    return materialised(self, CopyReason::Clone, tensor.dtype, order);
  });
}

// _convert(dtype, copy, memory_format, reason): what to() and astype() stand on. Without a reason the log
// says what was asked for.
PyObject* convert(PyObject* self, Args args, Py_ssize_t nargs, PyObject* kwnames) {
  return guarded([&] {
    const char* const names[] = {"dtype", "copy", "memory_format", "reason"};
    const Arguments given("_convert", names, 0, args, nargs, kwnames);
    const Tensor& tensor = as_tensor(self);
    const DType dtype = given.has(0) ? to_dtype(given[0]) : tensor.dtype;
    const Dims order =
        given.has(2) ? to_memory_order(self, given[2]) : memory_order(tensor.layout);
    const bool in_order = !given.has(2) || is_in_order(tensor.layout, order);
    if (!given.flag_or(1, false) && dtype == tensor.dtype && in_order) return Py_NewRef(self);
    const CopyReason reason = given.has(3)            ? to_copy_reason(given[3])
                              : dtype != tensor.dtype ? CopyReason::Convert
                              : in_order              ? CopyReason::Clone
                                                      : CopyReason::Contiguous;
    return materialised(self, reason, dtype, order);
  });
}

PyObject* copy_in(PyObject* self, PyObject* source) {
  return guarded([&] {
    const Ref holder = as_tensor_object(source);
    source = holder.get();
    if ((is_watched(self) || is_tracked(source)) && is_recording()) [[unlikely]] {
      PyObject* const args[] = {self, source};
      return record_write("copy_", Py_None, self, args, 2);
    }
    const Tensor from = expect_tensor(source, "source");
    const Tensor to = as_tensor(self);
    {
      const KernelTime released(to.layout.size());
      assign(to, from, "copy_");
    }
    return Py_NewRef(self);
  });
}

PyObject* filled(PyObject* self, PyObject* value, const char* operation) {
  return guarded([&] {
    Scalar scalar;
    if (!to_scalar(value, scalar)) return copy_in(self, value);
    if (is_watched(self) && is_recording()) [[unlikely]] {
      PyObject* const args[] = {self, value};
      return record_write("fill_", Py_None, self, args, 2);
    }
    const Tensor to = as_tensor(self);
    alignas(16) std::byte bits[16];
    scalar.store(to.dtype, bits);
    {
      const KernelTime released(to.layout.size());
      assign_value(to, bits, operation);
    }
    return Py_NewRef(self);
  });
}

PyObject* fill_in(PyObject* self, PyObject* value) { return filled(self, value, "fill_"); }

PyObject* zero_in(PyObject* self, PyObject*) {
  const Ref zero(PyLong_FromLong(0));
  return filled(self, zero.get(), "zero_");
}

}  // namespace

PyMethodDef copy_methods[] = {
    {"contiguous", fast(contiguous), METH_FASTCALL | METH_KEYWORDS, nullptr},
    {"clone", fast(clone), METH_FASTCALL | METH_KEYWORDS, nullptr},
    {"_convert", fast(convert), METH_FASTCALL | METH_KEYWORDS, nullptr},
    {"copy_", copy_in, METH_O, nullptr},
    {"fill_", fill_in, METH_O, nullptr},
    {"zero_", zero_in, METH_NOARGS, nullptr},
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace strided::python
