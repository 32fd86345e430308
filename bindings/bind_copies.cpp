// The copy log as Python sees it: what was duplicated, why, and who watches.
#include <nanobind/nanobind.h>

#include "arguments.hpp"
#include "bind_ops.hpp"
#include "layout/contiguity.hpp"
#include "layout/views.hpp"
#include "tensor/assign.hpp"
#include "tensor/materialise.hpp"
#include "tensor_object.hpp"

namespace nb = nanobind;

namespace strided::python {
namespace {

// Holds the GIL, whether the thread had it or let go of it for a kernel.
class WithInterpreter {
 public:
  WithInterpreter() : state_(PyGILState_Ensure()) {}
  WithInterpreter(const WithInterpreter&) = delete;
  WithInterpreter& operator=(const WithInterpreter&) = delete;
  ~WithInterpreter() { PyGILState_Release(state_); }

 private:
  PyGILState_STATE state_;
};

PyObject* copy_observer = nullptr;

// A refusal is a Python exception of the thread that copies: it travels on as PythonError.
void tell_python(const CopyEvent& event) {
  const std::string from_dtype(name_of(event.from_dtype)), to_dtype(name_of(event.to_dtype));
  const WithInterpreter interpreter;
  if (copy_observer == nullptr) return;
  const Ref observer = Ref::borrowed(copy_observer);
  const nb::object from = nb::cast(event.from), to = nb::cast(event.to);
  Ref::checked(PyObject_CallFunction(observer.get(), "iLOsOs", static_cast<int>(event.reason),
                                     static_cast<long long>(event.nbytes), from.ptr(), from_dtype.c_str(),
                                     to.ptr(), to_dtype.c_str()));
}

void watch_copies(PyObject* function) {
  const bool on = function != Py_None;
  if (on && !PyCallable_Check(function)) throw nb::type_error("watch_copies() takes a function or None");
  observe_copies(on ? tell_python : nullptr);
  Py_XSETREF(copy_observer, on ? Py_NewRef(function) : nullptr);
}

}  // namespace

CopyReason to_copy_reason(PyObject* name) {
  for (int i = 0; i < kCopyReasonCount && PyUnicode_Check(name); ++i) {
    const auto reason = static_cast<CopyReason>(i);
    if (PyUnicode_CompareWithASCIIString(name, row_of(reason).name) == 0) return reason;
  }
  PyErr_SetString(PyExc_ValueError, "no such reason to copy");
  throw PythonError{};
}

void bind_copies(nb::module_& m) {
  // Writes x into a slice of a result that is being put together; shapes are equal.
  m.def("join_into", [](nb::handle out, nb::handle x) {
    const Tensor to = expect_tensor(out.ptr(), "out");
    const Tensor from = expect_tensor(x.ptr(), "x");
    const KernelTime released(to.layout.size());
    materialise_into(to, {from.storage, broadcast_to(from.layout, to.layout.shape()), from.dtype},
                     CopyReason::Join);
  });
  // copy_() for another reason than that the user wrote it.
  m.def("copy_into", [](nb::handle out, nb::handle x, nb::handle reason) {
    const Tensor to = expect_tensor(out.ptr(), "out");
    const Tensor from = expect_tensor(x.ptr(), "x");
    const CopyReason why = to_copy_reason(reason.ptr());
    const KernelTime released(to.layout.size());
    assign(to, from, "copy_", why);
  });
  // Reports what Python, or a library it calls, is about to duplicate.
  m.def("log_copy", [](nb::handle reason, nb::handle x, nb::handle dtype) {
    const Tensor from = expect_tensor(x.ptr(), "x");
    log_copy(to_copy_reason(reason.ptr()), from,
             Layout::ordered(from.layout.shape(), memory_order(from.layout)), to_dtype(dtype.ptr()));
  });
  // [(reason, asked_for, why, hint, count, nbytes), ...]
  m.def("copy_totals", [] {
    nb::list rows;
    for (int i = 0; i < kCopyReasonCount; ++i) {
      const auto reason = static_cast<CopyReason>(i);
      const CopyReasonRow& row = row_of(reason);
      const CopyTotal total = copy_total(reason);
      rows.append(nb::make_tuple(row.name, row.asked_for, row.why, row.hint, total.count, total.nbytes));
    }
    return rows;
  });
  // watch_copies(function): (reason, nbytes, layout, dtype, layout, dtype) before each copy; None ends it.
  m.def("watch_copies", [](nb::handle function) { watch_copies(function.ptr()); }, nb::arg().none());
  m.def("watch_views", [](nb::handle function) { watch_views(function.ptr()); }, nb::arg().none());
}

}  // namespace strided::python
