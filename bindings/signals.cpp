// Ctrl-C stops a long kernel: its thread asks between chunks whether a Python signal handler raised.
#include "python.hpp"

#if defined(__linux__)
#include <sys/syscall.h>
#include <unistd.h>
#elif defined(__APPLE__)
#include <pthread.h>
#endif

namespace strided::python {
namespace {

// What the handler raised, on its way from the kernel to the caller. Handlers run on the main thread only.
PyObject *raised_type = nullptr, *raised_value = nullptr, *raised_traceback = nullptr;

bool on_main_thread() {
#if defined(__linux__)
  return getpid() == syscall(SYS_gettid);
#elif defined(__APPLE__)
  return pthread_main_np() != 0;
#else
  return false;
#endif
}

// CPython has no public way to see without the GIL whether a signal came in. The GIL is free here: the kernel's thread
// has let go of it.
bool is_interrupted() {
  if (!on_main_thread()) return false;
  const PyGILState_STATE state = PyGILState_Ensure();
  const bool raised = PyErr_CheckSignals() != 0;
  if (raised) {
    Py_CLEAR(raised_type);
    Py_CLEAR(raised_value);
    Py_CLEAR(raised_traceback);
    PyErr_Fetch(&raised_type, &raised_value, &raised_traceback);
  }
  PyGILState_Release(state);
  return raised;
}

}  // namespace

void watch_signals() { set_interrupt_poll(is_interrupted); }

void raise_interrupt() {
  PyErr_Restore(std::exchange(raised_type, nullptr), std::exchange(raised_value, nullptr),
                std::exchange(raised_traceback, nullptr));
}

}  // namespace strided::python
