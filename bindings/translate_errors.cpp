// C++ errors -> the exception classes of strided.errors, fields kept.
#include <new>

#include "arguments.hpp"
#include "errors.hpp"
#include "python.hpp"

#include <nanobind/nanobind.h>

namespace strided::python {
namespace {

Ref to_python(const FieldValue& value) {
  if (const auto* number = std::get_if<std::int64_t>(&value)) {
    return Ref::checked(PyLong_FromLongLong(*number));
  }
  if (const auto* text = std::get_if<std::string>(&value)) {
    return Ref::checked(PyUnicode_FromStringAndSize(text->data(), static_cast<Py_ssize_t>(text->size())));
  }
  return Ref::checked(to_tuple(std::get<std::vector<std::int64_t>>(value)));
}

// Sets the exception.
void raise(const char* name, PyObject* fields) {
  const Ref module = Ref::checked(PyImport_ImportModule("strided.errors"));
  const Ref type = Ref::checked(PyObject_GetAttrString(module.get(), name));
  const Ref none = Ref::checked(PyTuple_New(0));
  const Ref exception = Ref::checked(PyObject_Call(type.get(), none.get(), fields));
  PyErr_SetObject(type.get(), exception.get());
}

void raise(const Error& error) {
  const Ref fields = Ref::checked(PyDict_New());
  for (const auto& [name, value] : error.fields()) {
    if (PyDict_SetItemString(fields.get(), name, to_python(value).get()) < 0) throw PythonError{};
  }
  raise(name_of(error.kind()), fields.get());
}

}  // namespace

void set_python_error() noexcept {
  try {
    try {
      throw;
    } catch (const Error& error) {
      raise(error);
    } catch (nanobind::python_error& error) {
      error.restore();
    } catch (const std::bad_alloc&) {
      raise(errors::out_of_memory(0));
    } catch (const Interrupted&) {
      raise_interrupt();
    } catch (const std::exception& error) {
      PyErr_SetString(PyExc_RuntimeError, error.what());
    }
  } catch (const PythonError&) {
    // Already set, here or by the caller.
  }
}

void raise_error(const char* name, PyObject* fields) {
  raise(name, fields);
  throw PythonError{};
}

}  // namespace strided::python
