// Arguments of METH_FASTCALL methods: by position or keyword, with the aliases that NumPy and PyTorch
// users expect (axis for dim, axes for dims, keepdims for keepdim, other for tensor).
#pragma once

#include <optional>
#include <span>

#include "layout/dims.hpp"
#include "python.hpp"
#include "tensor/compute.hpp"
#include "tensor/copy_log.hpp"
#include "tensor/tensor.hpp"

namespace strided::python {

// The arguments of one call, by position in `names`; missing ones are null.
class Arguments {
 public:
  static constexpr int kMost = 6;

  // Raises TypeError for too many, unknown, doubled or missing arguments.
  Arguments(const char* function, std::span<const char* const> names, int required,
            PyObject* const* args, Py_ssize_t nargs, PyObject* kwnames);

  PyObject* operator[](int i) const { return values_[i]; }
  bool has(int i) const { return values_[i] != nullptr && values_[i] != Py_None; }

  Index integer(int i) const;
  Index integer_or(int i, Index otherwise) const { return has(i) ? integer(i) : otherwise; }
  bool flag_or(int i, bool otherwise) const;
  Dims dims(int i) const;

 private:
  PyObject* values_[kMost];
};

// True, False or None, or whatever has a truth value of its own; TypeError naming the argument.
bool to_flag(PyObject* object, const char* argument);
// An integer, or TypeError naming the argument. Accepts whatever has __index__.
Index to_index(PyObject* object);
// The same for an index: what does not fit becomes the nearest number, which is outside every axis.
Index to_position(PyObject* integer);
// One int, or a tuple, list or any other sequence of them.
Dims to_dims(PyObject* object);
// f(2, 3) and f((2, 3)) alike; `name` may give them as keyword.
Dims variadic_dims(const char* function, const char* name, PyObject* const* args, Py_ssize_t nargs,
                   PyObject* kwnames);

PyObject* to_tuple(Span values);

// A DType object, a name, a NumPy dtype or Python's bool, int, float, complex.
DType to_dtype(PyObject* object);
PyObject* from_dtype(DType dtype);

// A Python number (bool, int, float, complex and their subclasses): true and the scalar.
bool to_scalar(PyObject* object, Scalar& scalar);
// The number as Python has it.
PyObject* from_scalar(const Scalar& scalar);

// A tensor or number; array-likes become tensors, kept alive in `holder`. False when it is none.
bool to_argument(PyObject* object, Argument& argument, Ref& holder);

// A reason to copy, by its name in the log.
CopyReason to_copy_reason(PyObject* name);

// The axes of a memory format (MemoryLayout, its name, or a permutation), slowest first.
Dims to_memory_order(PyObject* tensor, PyObject* memory_format);

}  // namespace strided::python
