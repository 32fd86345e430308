// Anomaly mode: which lines of the program made nodes and wrote to storages.
#include "graph.hpp"
#include "memory/storage.hpp"

namespace strided::python {
namespace {

PyObject* user_line = nullptr;      // returns the line of the program at work; null while nobody watches
PyObject* lines_of_writes = nullptr;  // by the address of a storage

// A kernel that writes may have let go of the GIL.
void note_write(const Storage& storage) {
  const Interpreter interpreter;
  if (user_line == nullptr) return;
  const Ref asked = Ref::borrowed(user_line);
  const Ref place(PyLong_FromVoidPtr(storage.data())), line(PyObject_CallNoArgs(asked.get()));
  if (!place || !line || PyDict_SetItem(lines_of_writes, place.get(), line.get()) < 0) {
    PyErr_WriteUnraisable(asked.get());
  }
}

// watch_lines(user_line): a function that returns the line of the program at work; None ends it
PyObject* watch_lines(PyObject*, PyObject* function) {
  return guarded([&] {
    const bool on = function != Py_None;
    if (on && !PyCallable_Check(function)) {
      PyErr_SetString(PyExc_TypeError, "watch_lines() takes a function or None");
      throw PythonError{};
    }
    Storage::write_hook = on ? note_write : nullptr;
    Py_XSETREF(user_line, on ? Py_NewRef(function) : nullptr);
    if (!on) PyDict_Clear(lines_of_writes);
    return Py_NewRef(Py_None);
  });
}

PyMethodDef functions[] = {
    {"watch_lines", watch_lines, METH_O, nullptr},
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace

Ref line_at_work() {
  if (user_line == nullptr) [[likely]] return Ref::borrowed(Py_None);
  const Ref asked = Ref::borrowed(user_line);
  return Ref::checked(PyObject_CallNoArgs(asked.get()));
}

Ref line_of_write(const Storage& storage) {
  const Ref place = Ref::checked(PyLong_FromVoidPtr(storage.data()));
  PyObject* const line = PyDict_GetItemWithError(lines_of_writes, place.get());
  if (line == nullptr && PyErr_Occurred()) throw PythonError{};
  return Ref::borrowed(line == nullptr ? Py_None : line);
}

void add_anomaly(PyObject* module) {
  lines_of_writes = Ref::checked(PyDict_New()).release();
  if (PyModule_AddFunctions(module, functions) < 0) throw PythonError{};
}

}  // namespace strided::python
