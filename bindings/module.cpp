// strided._native: one call per file of bindings.
#include <nanobind/nanobind.h>

#include "bind_layout.hpp"
#include "bind_ops.hpp"
#include "dtype_object.hpp"
#include "errors.hpp"
#include "graph.hpp"
#include "operation.hpp"
#include "services.hpp"
#include "tensor/compute.hpp"
#include "tensor_object.hpp"
#include "tensor_parts.hpp"

namespace nb = nanobind;

namespace strided::python {
namespace {

// Docstrings live in Python (definitions, strided/native_members.py); C++ tables only hold a pointer.
void set_doc(nb::handle object, nb::str doc) {
  // Never destroyed: a static's destructor would run after the interpreter is gone.
  static nb::list& kept = *new nb::list();
  const char* text = PyUnicode_AsUTF8(doc.ptr());
  kept.append(doc);
  if (PyObject_TypeCheck(object.ptr(), &PyCFunction_Type)) {
    reinterpret_cast<PyCFunctionObject*>(object.ptr())->m_ml->ml_doc = text;
  } else if (PyObject_TypeCheck(object.ptr(), &PyMethodDescr_Type)) {
    reinterpret_cast<PyMethodDescrObject*>(object.ptr())->d_method->ml_doc = text;
  } else if (PyObject_TypeCheck(object.ptr(), &PyGetSetDescr_Type)) {
    reinterpret_cast<PyGetSetDescrObject*>(object.ptr())->d_getset->doc = text;
  } else {
    throw nb::type_error("set_doc takes native functions, methods and attributes");
  }
}

void translate(const std::exception_ptr& exception, void*) {
  try {
    std::rethrow_exception(exception);
  } catch (const Error&) {
    set_python_error();
  } catch (const PythonError&) {
    set_python_error();
  } catch (const Interrupted&) {
    set_python_error();
  } catch (const std::bad_alloc&) {
    set_python_error();
  }
}

}  // namespace
}  // namespace strided::python

NB_MODULE(_native, m) {
  using namespace strided::python;
  // The type and the services exist once per process, so a second import (or interpreter) cannot have its own.
  if (tensor_type != nullptr) {
    PyErr_SetString(PyExc_ImportError, "strided._native cannot be loaded more than once per process");
    throw nb::python_error();
  }
  nb::register_exception_translator(translate);
  watch_signals();
  try {
    add_dtypes(m.ptr());
    add_tensor_type(m.ptr());
    add_services(m.ptr());
    add_graph(m.ptr());
    add_recorded_calls(m.ptr());
    add_saved(m.ptr());
    add_recording(m.ptr());
    add_anomaly(m.ptr());
    add_operation(m.ptr());
    add_create(m.ptr());
    add_exchange_buffer(m.ptr());
    add_exchange_dlpack(m.ptr());
    add_exchange_pickle(m.ptr());
    add_linalg(m.ptr());
    add_nn(m.ptr());
    add_nn_gradients(m.ptr());
    add_optim(m.ptr());
    bind_layout(m);
    bind_ops(m);
    bind_elimination(m);
    bind_special(m);
    bind_picking(m);
    bind_storage(m);
    bind_copies(m);
    bind_fused(m);
    bind_plan(m);
    bind_quantized(m);
    bind_limits(m);
  } catch (const PythonError&) {
    throw nb::python_error();
  }
  m.def("set_doc", set_doc);
  m.def("active_isa", [] { return nb::str(strided::active_isa().c_str()); });
  m.def("loop_names", [] {
    nb::list names;
    for (const strided::LoopName& name : strided::loop_names()) {
      names.append(nb::make_tuple(name.cell.c_str(), name.level.c_str(), name.file.c_str(), name.function.c_str()));
    }
    return names;
  });
  m.def("thread_count", [] { return strided::thread_count(); });
  // Waits for a kernel that is running, whose thread may be waiting for the GIL.
  m.def("set_thread_count", &strided::set_thread_count, nb::call_guard<nb::gil_scoped_release>());
}
