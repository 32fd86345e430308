// Functions behind the op table, indexing by arrays, and questions about memory.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "arguments.hpp"
#include "bind_ops.hpp"
#include "errors.hpp"
#include "graph.hpp"
#include "layout/views.hpp"
#include "op_inputs.hpp"
#include "tensor/assign.hpp"
#include "tensor/compute.hpp"
#include "tensor/materialise.hpp"
#include "tensor/picked.hpp"
#include "tensor/reduced.hpp"
#include "tensor_object.hpp"
#include "tensor_parts.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace strided::python {
namespace {

using Args = PyObject* const*;

// The operands args[0..n) of one elementwise call. False when one is no tensor, number or array.
bool add_operands(OpInputs& inputs, Op op, Args args, Py_ssize_t n) {
  const OpRow& row = row_of(op);
  if (n != row.arity) {
    PyErr_Format(PyExc_TypeError, "%s() takes %d operands (%zd given)", row.name.data(),
                 static_cast<int>(row.arity), n);
    throw PythonError{};
  }
  for (Py_ssize_t i = 0; i < n; ++i) {
    if (!inputs.add(args[i])) return false;
  }
  return true;
}

// A call inside a function that is being fused; otherwise Python raises TypeError.
[[gnu::cold]] PyObject* deferred(Op op, Args operands, Py_ssize_t n) {
  static PyObject* const method = PyUnicode_InternFromString("_deferred_op");
  const Ref number = Ref::checked(PyLong_FromLong(static_cast<long>(op)));
  for (Py_ssize_t i = 0; i < n; ++i) {
    if (is_tensor(operands[i]) || !PyObject_HasAttr(operands[i], method)) continue;
    PyObject* all[OpInputs::kMost + 2] = {operands[i], number.get()};
    std::copy_n(operands, n, all + 2);
    return Ref::checked(PyObject_VectorcallMethod(method, all, static_cast<std::size_t>(n) + 2, nullptr)).release();
  }
  std::string types;
  for (Py_ssize_t i = 0; i < n; ++i) types += std::string(i == 0 ? "" : ", ") + Py_TYPE(operands[i])->tp_name;
  PyErr_Format(PyExc_TypeError, "operands must be tensors or numbers, got %s", types.c_str());
  throw PythonError{};
}

void expect_at_least(Py_ssize_t least, Py_ssize_t nargs, const char* call) {
  if (nargs >= least) return;
  PyErr_Format(PyExc_TypeError, "%s: an argument is missing", call);
  throw PythonError{};
}

Op to_op(PyObject* number) {
  const Index id = to_index(number);
  if (id < 0 || id >= kOpCount) {
    PyErr_SetString(PyExc_ValueError, "no such op");
    throw PythonError{};
  }
  return static_cast<Op>(id);
}

PyObject* apply_op(Op op, Args operands, Py_ssize_t n) {
  OpInputs inputs;
  if (!add_operands(inputs, op, operands, n)) return deferred(op, operands, n);
  const auto arguments = inputs.kept(inputs.work());
  PyObject* const made = new_tensor_from([&] {
    const KernelTime released(inputs.work());
    return compute(op, arguments);
  });
  if (!inputs.tracked()) [[likely]] return made;
  return recorded(row_of(op).name.data(), made, inputs.objects(), n);
}

// An op that overwrites one of its operands is an in-place op; any other target has no gradient.
[[gnu::cold]] PyObject* apply_into_tracked(Op op, PyObject* out, Args operands, Py_ssize_t n,
                                           const OpInputs& inputs) {
  const char* const name = row_of(op).name.data();
  if (std::find(operands, operands + n, out) == operands + n) refuse_out(name);
  const Ref number = Ref::checked(PyLong_FromLong(static_cast<long>(op)));
  return record_write(name, number.get(), out, inputs.objects(), n);
}

PyObject* apply_op_into(Op op, PyObject* target, Args operands, Py_ssize_t n) {
  const Tensor out = expect_tensor(target, "out");
  OpInputs inputs;
  if (!add_operands(inputs, op, operands, n)) {
    PyErr_Format(PyExc_TypeError, "%s(): operands must be tensors or numbers", row_of(op).name.data());
    throw PythonError{};
  }
  if ((inputs.tracked() || is_watched(target)) && is_recording()) [[unlikely]] {
    return apply_into_tracked(op, target, operands, n, inputs);
  }
  const Py_ssize_t work = std::max<Py_ssize_t>(inputs.work(), out.layout.size());
  const auto arguments = inputs.kept(work);
  {
    const KernelTime released(work);
    compute_into(out, op, arguments, row_of(op).name.data());
  }
  return Py_NewRef(target);
}

// apply(op, *operands) -> Tensor
PyObject* apply(PyObject*, Args args, Py_ssize_t nargs) {
  return guarded([&] {
    expect_at_least(1, nargs, "apply(op, *operands)");
    return apply_op(to_op(args[0]), args + 1, nargs - 1);
  });
}

// apply_into(op, out, *operands) -> out
PyObject* apply_into(PyObject*, Args args, Py_ssize_t nargs) {
  return guarded([&] {
    expect_at_least(2, nargs, "apply_into(op, out, *operands)");
    return apply_op_into(to_op(args[0]), args[1], args + 2, nargs - 2);
  });
}

PyMethodDef functions[] = {
    {"apply", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(apply)), METH_FASTCALL,
     nullptr},
    {"apply_into", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(apply_into)),
     METH_FASTCALL, nullptr},
    {nullptr, nullptr, 0, nullptr},
};

// ---- conversions for the nanobind functions below ----

Tensor tensor_of(nb::handle object) { return expect_tensor(object.ptr(), "x"); }

std::vector<Tensor> to_indices(nb::sequence indices) {
  std::vector<Tensor> list;
  for (nb::handle index : indices) list.push_back(tensor_of(index));
  return list;
}

// The shape of source[indices], once it is sure that these are integers of one shape, for axes that exist.
Dims gathered_shape(const Tensor& source, std::span<const Tensor> indices) {
  const auto count = static_cast<int>(indices.size());
  if (count == 0 || count > source.layout.rank()) {
    throw errors::invalid_dimension(count - 1, source.layout.rank());
  }
  Dims shape = indices[0].layout.shape();
  checked_rank(static_cast<std::size_t>(shape.size() + source.layout.rank() - count));
  for (const Tensor& index : indices) {
    require_positions(index);
    require_shape("indexing", indices[0].layout.shape(), index.layout.shape(), "broadcast the indices first");
  }
  for (int axis = static_cast<int>(indices.size()); axis < source.layout.rank(); ++axis) {
    shape.push_back(source.layout.length(axis));
  }
  return shape;
}

void expect_same_dtype(const Tensor& a, const Tensor& b) {
  if (a.dtype == b.dtype) return;
  throw errors::dtype_mismatch("indexing", std::string(name_of(b.dtype)),
                               "both sides must be " + std::string(name_of(a.dtype)),
                               "convert with .to() first");
}

bool decided(Overlap answer) {
  if (answer == Overlap::TooHard) throw errors::overlap_too_hard(kOverlapWork);
  return answer == Overlap::Yes;
}

void bind_gather(nb::module_& m) {
  m.def("gather_into", [](nb::handle out, nb::handle x, nb::sequence indices) {
    const Tensor target = tensor_of(out);
    const Tensor source = tensor_of(x);
    const std::vector<Tensor> positions = to_indices(indices);
    const Dims shape = gathered_shape(source, positions);
    require_shape("gather", shape, target.layout.shape(), "");
    expect_same_dtype(source, target);
    const KernelTime released(target.layout.size());
    gather_into(target, source, positions);
  });
  m.def("scatter_into", [](nb::handle out, nb::handle x, nb::sequence indices, bool accumulate) {
    const Tensor target = tensor_of(out);
    const Tensor source = tensor_of(x);
    const std::vector<Tensor> positions = to_indices(indices);
    const Dims shape = gathered_shape(target, positions);
    require_shape("scatter", shape, source.layout.shape(), "");
    expect_same_dtype(target, source);
    const KernelTime released(source.layout.size());
    scatter_into(target, source, positions, accumulate);
  });
  m.def("count_nonzero", [](nb::handle x) {
    const Tensor tensor = tensor_of(x);
    const KernelTime released(tensor.layout.size());
    return nonzero_count(tensor);
  });
}

void bind_types(nb::module_& m) {
  m.def("promote_types", [](nb::handle a, nb::handle b) {
    return nb::steal(from_dtype(promote("promote_types", to_dtype(a.ptr()), to_dtype(b.ptr()))));
  });
  m.def("promote_number", [](nb::handle dtype, nb::handle number) {
    Scalar scalar;
    if (!to_scalar(number.ptr(), scalar)) throw nb::type_error("expected a Python number");
    return nb::steal(from_dtype(promote_scalar(to_dtype(dtype.ptr()), scalar.kind)));
  });
  m.def("as_dtype", [](nb::handle dtype) { return nb::steal(from_dtype(to_dtype(dtype.ptr()))); });
  m.def("op_table", [] {
    nb::dict table;
    for (int i = 0; i < kOpCount; ++i) {
      table[nb::str(kOps[i].name.data())] = nb::make_tuple(i, static_cast<int>(kOps[i].arity));
    }
    return table;
  });
}

}  // namespace

void bind_ops(nb::module_& m) {
  if (PyModule_AddFunctions(m.ptr(), functions) < 0) throw PythonError{};
  bind_gather(m);
  bind_types(m);
  m.def("normal_axis", [](Index axis, int rank) { return normal_axis(axis, rank); });
  m.def("broadcast_shape", [](nb::handle a, nb::handle b) {
    return nb::steal(to_tuple(broadcast_shape(to_dims(a.ptr()), to_dims(b.ptr()))));
  });
  m.def("shares_memory", [](nb::handle a, nb::handle b) {
    return decided(overlap_of(tensor_of(a), tensor_of(b)));
  });
  m.def("may_share_memory", [](nb::handle a, nb::handle b) {
    return ranges_touch(tensor_of(a), tensor_of(b));
  });
}

PyObject* run_op(int op, PyObject* out, PyObject* const* operands) {
  return guarded([&] {
    const Op one = static_cast<Op>(op);
    const Py_ssize_t arity = row_of(one).arity;
    return out == nullptr ? apply_op(one, operands, arity) : apply_op_into(one, out, operands, arity);
  });
}

int arity_of(PyObject* number) { return row_of(to_op(number)).arity; }

}  // namespace strided::python
