// Steps of optimisers that have kernels of their own.
#include "nn_arguments.hpp"
#include "tensor/updates.hpp"
#include "tensor_parts.hpp"

namespace strided::python {
namespace {

// adam_step(p, g, mean, square, rate, eps, share1, share2, shrink, decay, maximize) -> None
PyObject* adam_step_(PyObject*, Args args, Py_ssize_t nargs) {
  return guarded([&] {
    expect_count("adam_step(p, g, mean, square, rate, eps, share1, share2, shrink, decay, maximize)", 11, nargs);
    const Tensor p = expect_tensor(args[0], "p"), g = expect_tensor(args[1], "g");
    const Tensor mean = expect_tensor(args[2], "mean"), square = expect_tensor(args[3], "square");
    const kernels::optim::AdamStep step{to_double(args[4]), to_double(args[5]), to_double(args[6]), to_double(args[7]),
                        to_double(args[8]), to_double(args[9]), to_bool(args[10])};
    {
      const KernelTime released(p.layout.size());
      adam_step(p, g, mean, square, step);
    }
    return Py_NewRef(Py_None);
  });
}

// sgd_step(p, g, velocity or None, rate, decay, kept, added, nesterov, maximize) -> None
PyObject* sgd_step_(PyObject*, Args args, Py_ssize_t nargs) {
  return guarded([&] {
    expect_count("sgd_step(p, g, velocity, rate, decay, kept, added, nesterov, maximize)", 9, nargs);
    const Tensor p = expect_tensor(args[0], "p"), g = expect_tensor(args[1], "g");
    const Held velocity(args[2], "velocity");
    const kernels::optim::SgdStep step{to_double(args[3]), to_double(args[4]), to_double(args[5]),
                       to_double(args[6]), to_bool(args[7]),   to_bool(args[8])};
    {
      const KernelTime released(p.layout.size());
      sgd_step(p, g, velocity.get(), step);
    }
    return Py_NewRef(Py_None);
  });
}

PyMethodDef functions[] = {
    {"adam_step", plain(adam_step_), METH_FASTCALL, nullptr},
    {"sgd_step", plain(sgd_step_), METH_FASTCALL, nullptr},
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace

void add_optim(PyObject* module) {
  if (PyModule_AddFunctions(module, functions) < 0) throw PythonError{};
}

}  // namespace strided::python
