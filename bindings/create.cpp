// New tensors: empty, zeros, and from nested Python lists.
#include <cstring>
#include <optional>
#include <vector>

#include "arguments.hpp"
#include "errors.hpp"
#include "tensor/assign.hpp"
#include "tensor_object.hpp"
#include "tensor_parts.hpp"

namespace strided::python {
namespace {

using Args = PyObject* const*;

void check_device(PyObject* device) {
  if (device == nullptr || device == Py_None) return;
  const Ref text = Ref::checked(PyObject_Str(device));
  if (PyUnicode_CompareWithASCIIString(text.get(), "cpu") == 0) return;
  const char* given = PyUnicode_AsUTF8(text.get());
  if (given == nullptr) throw PythonError{};
  throw errors::invalid_argument("device", given, "must be 'cpu'");
}

// empty(2, 3, dtype=...), empty((2, 3), dtype=...), empty(shape=(2, 3)) alike.
// A leaf, if asked for.
PyObject* with_grad(PyObject* made, const Arguments& given, int asked) {
  const Ref held(made);
  if (!given.flag_or(asked, false)) return Py_NewRef(made);
  return Ref::checked(PyObject_CallMethod(made, "requires_grad_", nullptr)).release();
}

PyObject* make(const char* function, Args args, Py_ssize_t nargs, PyObject* kwnames, bool zeroed) {
  DType dtype = kDefaultFloat;
  const Py_ssize_t named = kwnames == nullptr ? 0 : PyTuple_GET_SIZE(kwnames);
  std::vector<PyObject*> without_dtype;
  if (nargs == 2 && !PyIndex_Check(args[1])) {  // zeros(shape, dtype), as NumPy has it
    if (args[1] != Py_None) dtype = to_dtype(args[1]);
    without_dtype = {args[0]};
    without_dtype.insert(without_dtype.end(), args + 2, args + 2 + named);
    args = without_dtype.data();
    nargs = 1;
  }
  if (kwnames == nullptr || PyTuple_GET_SIZE(kwnames) == 0) {
    if (nargs == 1 && PyLong_CheckExact(args[0])) {
      const Index length = to_index(args[0]);
      return new_tensor_from([&] { return empty_tensor({&length, 1}, dtype, zeroed); });
    }
    const Dims shape = variadic_dims(function, "size", args, nargs, nullptr);
    return new_tensor_from([&] { return empty_tensor(shape, dtype, zeroed); });
  }
  // With keywords: every position is a length unless there is exactly one.
  const char* const names[] = {"size", "dtype", "device", "memory_format", "requires_grad"};
  Dims shape;
  PyObject* const* keyword_values = args + nargs;
  if (nargs > 1) shape = variadic_dims(function, "size", args, nargs, nullptr);
  const Arguments given(function, names, nargs > 1 ? 0 : 1, nargs == 1 ? args : keyword_values,
                        nargs == 1 ? 1 : 0, kwnames);
  if (nargs <= 1) shape = given.dims(0);
  else if (given.has(0)) {
    PyErr_Format(PyExc_TypeError, "%s() got its shape twice", function);
    throw PythonError{};
  }
  if (given.has(1)) dtype = to_dtype(given[1]);
  check_device(given[2]);
  if (!given.has(3)) return with_grad(new_tensor(empty_tensor(shape, dtype, zeroed)), given, 4);
  const Ref probe(new_tensor(empty_tensor(Dims{0}, dtype)));
  as_tensor(probe.get()).layout = Layout::row_major(shape);
  const Dims order = to_memory_order(probe.get(), given[3]);
  Tensor tensor = empty_tensor_in_order(shape, order, dtype);
  if (zeroed && tensor.nbytes() > 0) {
    std::memset(tensor.data(), 0, static_cast<std::size_t>(tensor.nbytes()));
  }
  return with_grad(new_tensor(std::move(tensor)), given, 4);
}

PyObject* empty(PyObject*, Args args, Py_ssize_t nargs, PyObject* kwnames) {
  return guarded([&] { return make("empty", args, nargs, kwnames, false); });
}
PyObject* zeros(PyObject*, Args args, Py_ssize_t nargs, PyObject* kwnames) {
  return guarded([&] { return make("zeros", args, nargs, kwnames, true); });
}

// ---- nested lists ----

bool is_list(PyObject* object) { return PyList_Check(object) || PyTuple_Check(object); }

// Item i, held: reading a number may run Python code that changes the list.
Ref item_of(PyObject* list, Py_ssize_t i) {
  if (i < PySequence_Fast_GET_SIZE(list)) return Ref::borrowed(PySequence_Fast_GET_ITEM(list, i));
  PyErr_SetString(PyExc_RuntimeError, "a list changed its length while it was read");
  throw PythonError{};
}

// A number and the dtype it brings along: NumPy scalars and rank-0 tensors have their own.
bool number_of(PyObject* object, Scalar& scalar, DType& dtype) {
  if (is_tensor(object)) {
    const Tensor& tensor = as_tensor(object);
    if (tensor.layout.rank() != 0) return false;
    scalar = load_scalar(tensor.dtype, tensor.data());
    dtype = tensor.dtype;
    return true;
  }
  const bool plain = PyFloat_CheckExact(object) || PyLong_CheckExact(object) ||
                     PyBool_Check(object) || PyComplex_CheckExact(object);
  if (plain || !PyObject_HasAttrString(object, "dtype")) {
    if (!to_scalar(object, scalar)) return false;
    dtype = scalar.own_dtype();
    return true;
  }
  if (PyObject_HasAttrString(object, "__len__")) return false;
  const Ref type = Ref::checked(PyObject_GetAttrString(object, "dtype"));
  dtype = to_dtype(type.get());
  const Ref number = Ref::checked(PyObject_CallMethod(object, "item", nullptr));
  return to_scalar(number.get(), scalar);
}

// The shape of the first path down the lists; every other path must agree.
Dims nested_shape(PyObject* object) {
  Dims shape;
  while (is_list(object)) {
    if (shape.size() == kMaxRank) {
      throw errors::invalid_argument("data", "lists nested deeper than 64", "must have at most 64 axes");
    }
    const Py_ssize_t count = PySequence_Fast_GET_SIZE(object);
    shape.push_back(count);
    if (count == 0) break;
    object = PySequence_Fast_GET_ITEM(object, 0);
  }
  return shape;
}

class NestedReader {
 public:
  NestedReader(const Dims& shape, std::optional<DType> dtype) : shape_(shape), given_dtype_(dtype) {}

  // First pass: the dtype that holds every number, unless one is given; false at something that is
  // neither list nor number.
  bool scan(PyObject* object, int axis) {
    if (is_list(object)) {
      const Py_ssize_t count = checked_count(object, axis);
      for (Py_ssize_t i = 0; i < count; ++i) {
        if (!scan(item_of(object, i).get(), axis + 1)) return false;
      }
      return true;
    }
    Scalar scalar;
    DType own;
    if (!number_of(object, scalar, own)) return false;
    check_depth(axis);
    if (!given_dtype_) dtype_ = any_ ? promote("tensor", dtype_, own) : own;
    any_ = true;
    return true;
  }

  // Second pass: row-major, into fresh memory. It checks the shape again, which may have changed since.
  void store(PyObject* object, int axis, DType dtype, std::byte*& place) {
    if (is_list(object)) {
      const Py_ssize_t count = checked_count(object, axis);
      for (Py_ssize_t i = 0; i < count; ++i) store(item_of(object, i).get(), axis + 1, dtype, place);
      return;
    }
    check_depth(axis);
    Scalar scalar;
    DType own;
    number_of(object, scalar, own);
    scalar.store(dtype, place);
    place += itemsize(dtype);
  }

  DType dtype() const { return given_dtype_ ? *given_dtype_ : any_ ? dtype_ : kDefaultFloat; }

 private:
  Py_ssize_t checked_count(PyObject* list, int axis) {
    const Py_ssize_t count = PySequence_Fast_GET_SIZE(list);
    if (axis >= shape_.size() || count != shape_[axis]) refuse_ragged(axis, count);
    return count;
  }
  void check_depth(int axis) {
    if (axis != shape_.size()) refuse_ragged(axis, -1);
  }
  [[noreturn]] void refuse_ragged(int axis, Py_ssize_t count) {
    Dims expected;
    if (axis < shape_.size()) expected.push_back(shape_[axis]);
    Dims got;
    if (count >= 0) got.push_back(count);
    throw errors::shape_mismatch("tensor from nested lists, axis " + std::to_string(axis), expected,
                                 got, "all lists on one level must have the same length");
  }

  const Dims& shape_;
  std::optional<DType> given_dtype_;
  DType dtype_ = DType::Bool;
  bool any_ = false;
};

// _from_nested(data, dtype) -> Tensor, or NotImplemented when data holds arrays.
PyObject* from_nested(PyObject*, Args args, Py_ssize_t nargs) {
  return guarded([&]() -> PyObject* {
    if (nargs < 1) {
      PyErr_SetString(PyExc_TypeError, "_from_nested(data, dtype) takes the data");
      throw PythonError{};
    }
    const Dims shape = nested_shape(args[0]);
    std::optional<DType> dtype;
    if (nargs > 1 && args[1] != Py_None) dtype = to_dtype(args[1]);
    NestedReader reader(shape, dtype);
    if (!reader.scan(args[0], 0)) return Py_NewRef(Py_NotImplemented);
    Tensor tensor = empty_tensor(shape, reader.dtype());
    std::byte* place = tensor.data();
    reader.store(args[0], 0, reader.dtype(), place);
    return new_tensor(std::move(tensor));
  });
}

// _fill_range(out, start, step): out[i] = start + i * step along a rank-1 tensor.
PyObject* fill_range_in(PyObject*, Args args, Py_ssize_t nargs) {
  return guarded([&]() -> PyObject* {
    Scalar start, step;
    if (nargs != 3 || !to_scalar(args[1], start) || !to_scalar(args[2], step)) {
      PyErr_SetString(PyExc_TypeError, "_fill_range(out, start, step) takes a tensor and two numbers");
      throw PythonError{};
    }
    const Tensor out = expect_tensor(args[0], "out");
    if (out.layout.rank() != 1) throw errors::invalid_dimension(1, out.layout.rank());
    {
      const KernelTime released(out.layout.size());
      assign_range(out, start, step);
    }
    return Py_NewRef(args[0]);
  });
}

PyMethodDef functions[] = {
    {"empty", fast(empty), METH_FASTCALL | METH_KEYWORDS, nullptr},
    {"zeros", fast(zeros), METH_FASTCALL | METH_KEYWORDS, nullptr},
    {"_from_nested", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(from_nested)),
     METH_FASTCALL, nullptr},
    {"_fill_range", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(fill_range_in)),
     METH_FASTCALL, nullptr},
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace

void add_create(PyObject* module) {
  if (PyModule_AddFunctions(module, functions) < 0) throw PythonError{};
}

}  // namespace strided::python
