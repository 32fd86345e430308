// The few helpers that make the CPython API safe to use from C++.
#pragma once

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <chrono>
#include <optional>
#include <thread>
#include <utility>

#include "run/interrupt.hpp"

namespace strided::python {

// Thrown when a Python exception is already set.
struct PythonError {};

// An owned reference.
class Ref {
 public:
  Ref() = default;
  explicit Ref(PyObject* owned) : object_(owned) {}
  static Ref borrowed(PyObject* object) { return Ref(Py_XNewRef(object)); }
  // Takes over `owned`, or throws when it is null.
  static Ref checked(PyObject* owned) {
    if (owned == nullptr) throw PythonError{};
    return Ref(owned);
  }
  Ref(Ref&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  Ref(const Ref& other) : object_(Py_XNewRef(other.object_)) {}
  Ref& operator=(Ref other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~Ref() { Py_XDECREF(object_); }

  PyObject* get() const { return object_; }
  PyObject* release() { return std::exchange(object_, nullptr); }
  explicit operator bool() const { return object_ != nullptr; }

 private:
  PyObject* object_ = nullptr;
};

// Sets the Python exception that belongs to the C++ exception being handled.
void set_python_error() noexcept;

// Calls f and turns what it throws into a Python exception; `failed` is what the slot returns then.
template <class F, class R>
R guarded(R failed, F&& f) noexcept {
  try {
    return f();
  } catch (...) {
    set_python_error();
    return failed;
  }
}
template <class F>
PyObject* guarded(F&& f) noexcept {
  return guarded(static_cast<PyObject*>(nullptr), std::forward<F>(f));
}

// A METH_FASTCALL | METH_KEYWORDS function as PyMethodDef stores it.
using FastCall = PyObject* (*)(PyObject* self, PyObject* const* args, Py_ssize_t nargs,
                               PyObject* kwnames);
inline PyCFunction fast(FastCall function) {
  return reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(function));
}

// Lets other Python threads run, and signal handlers, while a kernel works on at least `elements` elements' worth of
// time. Where a handler raises (Ctrl-C: KeyboardInterrupt), the kernel stops.
class KernelTime {
 public:
  // Below this many elements a kernel is over before another thread could have started.
  static constexpr Py_ssize_t kWorthwhile = 1 << 15;
  explicit KernelTime(Py_ssize_t elements)
      : state_(elements >= kWorthwhile ? PyEval_SaveThread() : nullptr) {
    if (state_ != nullptr) interruptible_.emplace();
  }
  KernelTime(const KernelTime&) = delete;
  KernelTime& operator=(const KernelTime&) = delete;
  ~KernelTime() {
    if (state_ == nullptr) return;
    interruptible_.reset();
    // At shutdown CPython before 3.14 ends a thread that asks for the GIL by unwinding its stack, which
    // must not pass through C++. The thread sleeps instead until the process is gone.
    try {
      PyEval_RestoreThread(state_);
    } catch (...) {
      while (true) std::this_thread::sleep_for(std::chrono::hours(1));
    }
  }

 private:
  PyThreadState* state_;
  std::optional<Interruptible> interruptible_;
};

// Installs what a long kernel asks whether to go on (run/interrupt.hpp).
void watch_signals();
// Sets the exception that a signal handler raised in a kernel.
void raise_interrupt();

// For letting go of somebody else's object. The last reference to a storage may go in a thread that does
// not hold the GIL, and while an exception is on its way, which their code must neither see nor lose.
class Interpreter {
 public:
  Interpreter() : state_(PyGILState_Ensure()) { PyErr_Fetch(&type_, &value_, &traceback_); }
  Interpreter(const Interpreter&) = delete;
  Interpreter& operator=(const Interpreter&) = delete;
  ~Interpreter() {
    PyErr_Restore(type_, value_, traceback_);
    PyGILState_Release(state_);
  }

 private:
  PyGILState_STATE state_;
  PyObject* type_;
  PyObject* value_;
  PyObject* traceback_;
};

// Raises an exception of strided.errors, by the name of its class and a dict of its fields.
[[noreturn]] void raise_error(const char* name, PyObject* fields);

}  // namespace strided::python
