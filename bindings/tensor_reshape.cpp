// view, reshape, flatten and reinterpretation: the same storage in another shape or dtype, where that
// exists; reshape alone may copy, and says so.
#include "arguments.hpp"
#include "errors.hpp"
#include "graph.hpp"
#include "layout/contiguity.hpp"
#include "layout/reshape.hpp"
#include "layout/views.hpp"
#include "tensor/materialise.hpp"
#include "tensor_object.hpp"
#include "tensor_parts.hpp"

namespace strided::python {
namespace {

using Args = PyObject* const*;

enum class MayCopy { IfNeeded, Always, Never };

MayCopy to_may_copy(PyObject* copy) {
  if (copy == nullptr || copy == Py_None) return MayCopy::IfNeeded;
  const int truth = PyObject_IsTrue(copy);
  if (truth < 0) throw PythonError{};
  return truth ? MayCopy::Always : MayCopy::Never;
}

[[noreturn]] void refuse_view(const Tensor& tensor, Span shape, const ReshapeRefusal& refusal) {
  Error error = errors::view_not_possible(tensor.layout.shape(), tensor.layout.strides(),
                                          tensor.layout.offset(), shape, refusal.axis, refusal.step,
                                          refusal.needed);
  throw error.with("nbytes", tensor.nbytes());
}

PyObject* view_as_shape(PyObject* self, Dims shape) {
  const Tensor& tensor = as_tensor(self);
  resolve_shape(shape, tensor.layout.shape());
  return new_view(self, [&](const Layout& layout) {
    Layout result;
    ReshapeRefusal refusal;
    if (!try_reshape(layout, shape, result, refusal)) refuse_view(tensor, shape, refusal);
    return result;
  });
}

PyObject* reshape_to(PyObject* self, Dims shape, MayCopy may_copy) {
  const Tensor& tensor = as_tensor(self);
  resolve_shape(shape, tensor.layout.shape());
  // The common case needs no search: what is row-major stays row-major in every shape.
  if (may_copy != MayCopy::Always && is_row_major(tensor.layout) && tensor.layout.size() > 0) {
    return new_view(self, [&](const Layout& layout) {
      return Layout::row_major_unchecked(shape, layout.offset());
    });
  }
  Layout result;
  ReshapeRefusal refusal;
  if (may_copy != MayCopy::Always && try_reshape(tensor.layout, shape, result, refusal)) {
    return new_view(self, [&](const Layout& layout) {
      if (&layout == &tensor.layout) return result;
      Layout place;
      try_reshape(layout, shape, place, refusal);  // of a row-major tensor: always possible
      return place;
    });
  }
  if (may_copy == MayCopy::Never) refuse_view(tensor, shape, refusal);
  const CopyReason reason = may_copy == MayCopy::Always ? CopyReason::Clone : CopyReason::Reshape;
  const Tensor kept = tensor;  // other threads may run meanwhile
  Tensor packed = [&] {
    const KernelTime released(kept.layout.size());
    return materialise(kept, reason);
  }();
  packed.layout = Layout::row_major(shape);
  return recorded_copy("clone", self, new_tensor(std::move(packed)));
}

// A keyword `copy`, if given, is taken out of the call; the rest are the dims.
PyObject* reshape(PyObject* self, Args args, Py_ssize_t nargs, PyObject* kwnames) {
  return guarded([&] {
    if (kwnames == nullptr || PyTuple_GET_SIZE(kwnames) == 0) {
      return reshape_to(self, variadic_dims("reshape", "shape", args, nargs, nullptr),
                        MayCopy::IfNeeded);
    }
    if (nargs > 1) {
      const char* const names[] = {"copy"};
      const Arguments given("reshape", names, 1, args + nargs, 0, kwnames);
      return reshape_to(self, variadic_dims("reshape", "shape", args, nargs, nullptr),
                        to_may_copy(given[0]));
    }
    const char* const names[] = {"size", "copy"};
    const Arguments given("reshape", names, 1, args, nargs, kwnames);
    return reshape_to(self, given.dims(0), to_may_copy(given[1]));
  });
}

Layout layout_as(const Layout& layout, Index from, Index to) {
  if (from == to) return layout;
  return from > to ? split_items(layout, from / to, false) : joined_items(layout, to / from);
}

// The same bytes as elements of another dtype; when its size differs the last axis grows or shrinks.
PyObject* view_as_dtype(PyObject* self, DType dtype) {
  const Tensor& tensor = as_tensor(self);
  Layout layout = layout_as(tensor.layout, tensor.item(), itemsize(dtype));
  // Only borrowed memory can start at an odd address. Where there is no byte, that does not matter.
  if (tensor.storage->nbytes() != 0 &&
      reinterpret_cast<std::uintptr_t>(tensor.storage->data()) %
              static_cast<std::size_t>(alignment(dtype)) != 0) {
    throw errors::unsupported_operation(
        "view as " + std::string(name_of(dtype)),
        "the storage does not start at a multiple of " + std::to_string(alignment(dtype)) + " bytes",
        "copy it first: .clone()");
  }
  return new_view_as(self, std::move(layout), dtype);
}

PyObject* view(PyObject* self, Args args, Py_ssize_t nargs, PyObject* kwnames) {
  return guarded([&] {
    if (kwnames != nullptr && PyTuple_GET_SIZE(kwnames) > 0) {
      const char* const names[] = {"dtype", "size"};
      const Arguments given("view", names, 0, args, nargs, kwnames);
      if (given.has(0) == given.has(1)) {
        PyErr_SetString(PyExc_TypeError, "view() takes a shape or a dtype");
        throw PythonError{};
      }
      if (given.has(1)) return view_as_shape(self, given.dims(1));
      return view_as_dtype(self, to_dtype(given[0]));
    }
    if (nargs == 0) return new_view(self, [](const Layout& layout) { return layout; });
    const bool is_shape = nargs > 1 || PyLong_Check(args[0]) || PyTuple_Check(args[0]) ||
                          PyList_Check(args[0]) || (is_tensor(args[0]) && PyIndex_Check(args[0]));
    if (!is_shape) return view_as_dtype(self, to_dtype(args[0]));
    return view_as_shape(self, variadic_dims("view", "shape", args, nargs, nullptr));
  });
}

PyObject* flatten(PyObject* self, Args args, Py_ssize_t nargs, PyObject* kwnames) {
  return guarded([&] {
    const char* const names[] = {"start_dim", "end_dim"};
    const Arguments given("flatten", names, 0, args, nargs, kwnames);
    const Index first = given.integer_or(0, 0), last = given.integer_or(1, -1);
    // Made in place: a copy would read words in pairs that were just written one by one, which stalls.
    return reshape_to(self, flattened_shape(as_tensor(self).layout, first, last), MayCopy::IfNeeded);
  });
}

// Real and imaginary parts as a new last axis of length 2 (PyTorch's view_as_real).
PyObject* parts(PyObject* self, PyObject*) {
  return guarded([&] {
    const Tensor& tensor = as_tensor(self);
    if (!is_complex(tensor.dtype)) {
      throw errors::dtype_mismatch("view_as_real", std::string(name_of(tensor.dtype)),
                                   "only complex tensors have two parts",
                                   "use the tensor as it is");
    }
    return new_view_as(self, split_items(tensor.layout, 2, true), real_of(tensor.dtype));
  });
}

}  // namespace

PyMethodDef reshape_methods[] = {
    {"reshape", fast(reshape), METH_FASTCALL | METH_KEYWORDS, nullptr},
    {"view", fast(view), METH_FASTCALL | METH_KEYWORDS, nullptr},
    {"flatten", fast(flatten), METH_FASTCALL | METH_KEYWORDS, nullptr},
    {"view_as_real", parts, METH_NOARGS, nullptr},
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace strided::python
