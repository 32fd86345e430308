#include "arguments.hpp"

#include <algorithm>
#include <cstring>

#include "errors.hpp"
#include "services.hpp"
#include "tensor_object.hpp"

namespace strided::python {
namespace {

struct Alias {
  const char* given;
  const char* meant;
};
constexpr Alias kAliases[] = {
    {"axis", "dim"},   {"axes", "dims"},     {"axis", "dims"},   {"dim", "dims"},
    {"axis0", "dim0"}, {"axis1", "dim1"},    {"axis2", "dim2"},  {"keepdims", "keepdim"},
    {"shape", "size"}, {"newshape", "size"}, {"order", "memory_format"},
};

bool means(PyObject* keyword, const char* name) {
  if (PyUnicode_CompareWithASCIIString(keyword, name) == 0) return true;
  for (const Alias& alias : kAliases) {
    if (std::strcmp(alias.meant, name) == 0 &&
        PyUnicode_CompareWithASCIIString(keyword, alias.given) == 0) {
      return true;
    }
  }
  return false;
}

[[noreturn]] void fail(PyObject* exception, const char* format, auto... values) {
  PyErr_Format(exception, format, values...);
  throw PythonError{};
}

}  // namespace

Arguments::Arguments(const char* function, std::span<const char* const> names, int required,
                     PyObject* const* args, Py_ssize_t nargs, PyObject* kwnames) {
  const auto most = static_cast<int>(names.size());
  for (int i = 0; i < most; ++i) values_[i] = i < nargs ? args[i] : nullptr;
  if (nargs > most) {
    fail(PyExc_TypeError, "%s() takes at most %d arguments (%zd given)", function, most, nargs);
  }
  const Py_ssize_t keywords = kwnames == nullptr ? 0 : PyTuple_GET_SIZE(kwnames);
  for (Py_ssize_t k = 0; k < keywords; ++k) {
    PyObject* keyword = PyTuple_GET_ITEM(kwnames, k);
    int at = 0;
    while (at < most && !means(keyword, names[static_cast<std::size_t>(at)])) ++at;
    if (at == most) {
      fail(PyExc_TypeError, "%s() got an unexpected keyword argument '%U'", function, keyword);
    }
    if (values_[at] != nullptr) {
      fail(PyExc_TypeError, "%s() got multiple values for argument '%s'", function,
           names[static_cast<std::size_t>(at)]);
    }
    values_[at] = args[nargs + k];
  }
  for (int i = 0; i < required; ++i) {
    if (values_[i] == nullptr) {
      fail(PyExc_TypeError, "%s() missing required argument '%s' (position %d)", function,
           names[static_cast<std::size_t>(i)], i + 1);
    }
  }
}

Index Arguments::integer(int i) const { return to_index(values_[i]); }

bool Arguments::flag_or(int i, bool otherwise) const {
  if (!has(i)) return otherwise;
  const int truth = PyObject_IsTrue(values_[i]);
  if (truth < 0) throw PythonError{};
  return truth != 0;
}

Dims Arguments::dims(int i) const { return to_dims(values_[i]); }

bool to_flag(PyObject* object, const char* argument) {
  if (PyBool_Check(object)) return object == Py_True;
  if (object == Py_None) return false;
  const PyNumberMethods* const number = Py_TYPE(object)->tp_as_number;
  if (number == nullptr || number->nb_bool == nullptr) {
    PyErr_Format(PyExc_TypeError, "%s must be True or False, got %.100s", argument, Py_TYPE(object)->tp_name);
    throw PythonError{};
  }
  const int truth = PyObject_IsTrue(object);
  if (truth < 0) throw PythonError{};
  return truth != 0;
}

Index to_index(PyObject* object) {
  const Py_ssize_t value = PyLong_CheckExact(object) ? PyLong_AsSsize_t(object)
                                                     : PyNumber_AsSsize_t(object, PyExc_OverflowError);
  if (value == -1 && PyErr_Occurred()) throw PythonError{};
  return value;
}

namespace {

// True is no length, though Python counts it among the ints.
Index to_length(PyObject* object) {
  if (PyBool_Check(object)) {
    PyErr_SetString(PyExc_TypeError, "lengths and axes are integers, got a bool");
    throw PythonError{};
  }
  return to_index(object);
}

}  // namespace

Index to_position(PyObject* integer) {
  const Py_ssize_t value = PyLong_AsSsize_t(integer);
  if (value != -1 || !PyErr_Occurred()) return value;
  PyErr_Clear();
  return PyNumber_AsSsize_t(integer, nullptr);
}

Dims to_dims(PyObject* object) {
  Dims dims;
  if (PyLong_Check(object)) {
    dims.push_back(to_length(object));
    return dims;
  }
  // A rank-0 integer tensor counts as an int; of the rest only sequences are lists of dims.
  if (PyIndex_Check(object) && !PySequence_Check(object)) {
    dims.push_back(to_index(object));
    return dims;
  }
  const Ref list = Ref::checked(PySequence_Fast(object, "expected an int or a sequence of ints"));
  const Py_ssize_t count = PySequence_Fast_GET_SIZE(list.get());
  if (count > kMaxRank) {
    throw errors::invalid_argument("shape", std::to_string(count) + " axes",
                                   "must have at most " + std::to_string(kMaxRank));
  }
  // __index__ may be anybody's code and change the list.
  for (Py_ssize_t i = 0; i < std::min(count, PySequence_Fast_GET_SIZE(list.get())); ++i) {
    const Ref item = Ref::borrowed(PySequence_Fast_GET_ITEM(list.get(), i));
    dims.push_back(to_length(item.get()));
  }
  return dims;
}

namespace {

Dims positional_dims(const char* name, PyObject* const* args, Py_ssize_t nargs) {
  if (nargs > kMaxRank) {
    throw errors::invalid_argument(name, std::to_string(nargs) + " axes",
                                   "must have at most " + std::to_string(kMaxRank));
  }
  Dims dims;
  for (Py_ssize_t i = 0; i < nargs; ++i) dims.push_back(to_length(args[i]));
  return dims;
}

}  // namespace

// Every way out returns a call, so that the list is built where the caller wants it, without a copy.
Dims variadic_dims(const char* function, const char* name, PyObject* const* args, Py_ssize_t nargs,
                   PyObject* kwnames) {
  if (kwnames != nullptr && PyTuple_GET_SIZE(kwnames) > 0) {
    const char* const names[] = {name};
    return Arguments(function, names, 1, args, nargs, kwnames).dims(0);
  }
  if (nargs == 1) return to_dims(args[0]);
  return positional_dims(name, args, nargs);
}

PyObject* to_tuple(Span values) {
  Ref tuple = Ref::checked(PyTuple_New(static_cast<Py_ssize_t>(values.size())));
  for (std::size_t i = 0; i < values.size(); ++i) {
    PyObject* value = PyLong_FromSsize_t(values[i]);
    if (value == nullptr) throw PythonError{};
    PyTuple_SET_ITEM(tuple.get(), static_cast<Py_ssize_t>(i), value);
  }
  return tuple.release();
}

bool to_scalar(PyObject* object, Scalar& scalar) {
  if (PyFloat_Check(object)) {
    scalar = Scalar::of(PyFloat_AS_DOUBLE(object));
    return true;
  }
  if (PyBool_Check(object)) {
    scalar = Scalar::of(object == Py_True);
    return true;
  }
  if (PyLong_Check(object)) {
    int overflow = 0;
    const long long value = PyLong_AsLongLongAndOverflow(object, &overflow);
    if (overflow == 0) {
      scalar = Scalar::of(static_cast<std::int64_t>(value));
      return true;
    }
    // Raises OverflowError: no dtype holds it, and a silent float would lose its digits.
    const unsigned long long bits = PyLong_AsUnsignedLongLong(object);
    if (PyErr_Occurred()) {
      PyErr_SetString(PyExc_OverflowError,
                      "the integer does not fit in 64 bits, and a float would lose its digits: write it as a float, "
                      "as in 2.0**70, if that is meant");
      throw PythonError{};
    }
    scalar = Scalar::of_bits(bits);
    return true;
  }
  if (PyComplex_Check(object)) {
    const Py_complex value = PyComplex_AsCComplex(object);
    scalar = Scalar::of(std::complex<double>(value.real, value.imag));
    return true;
  }
  return false;
}

PyObject* from_scalar(const Scalar& scalar) {
  switch (scalar.kind) {
    case ScalarKind::Bool: return PyBool_FromLong(scalar.integer != 0);
    case ScalarKind::Int:
      return scalar.above_int64
                 ? PyLong_FromUnsignedLongLong(static_cast<unsigned long long>(scalar.integer))
                 : PyLong_FromLongLong(scalar.integer);
    case ScalarKind::Float: return PyFloat_FromDouble(scalar.real);
    case ScalarKind::Complex: break;
  }
  return PyComplex_FromDoubles(scalar.real, scalar.imag);
}

bool to_argument(PyObject* object, Argument& argument, Ref& holder) {
  if (is_tensor(object)) {
    argument.tensor = &as_tensor(object);
    return true;
  }
  if (to_scalar(object, argument.scalar)) return true;
  // Lists are not operands (as in PyTorch); what exports memory is.
  if (!PyObject_CheckBuffer(object) && !PyObject_HasAttrString(object, "__array_interface__") &&
      !PyObject_HasAttrString(object, "__dlpack__")) {
    return false;
  }
  if (PyBytes_Check(object) || PyByteArray_Check(object)) return false;
  holder = as_tensor_object(object);
  argument.tensor = &expect_tensor(holder.get(), "operand");
  return true;
}

Dims to_memory_order(PyObject* tensor, PyObject* memory_format) {
  PyObject* args[] = {tensor, memory_format};
  const Ref order = Ref::checked(PyObject_Vectorcall(service(Service::memory_order), args, 2, nullptr));
  return to_dims(order.get());
}

}  // namespace strided::python
