// Matrix products: the function behind `strided.matmul` and the operator @.
#include "arguments.hpp"
#include "errors.hpp"
#include "graph.hpp"
#include "tensor/products.hpp"
#include "tensor_object.hpp"
#include "tensor_parts.hpp"

namespace strided::python {
namespace {

// A multiplication takes a fraction of the time that an elementwise op spends on an element.
constexpr Index kMultiplications = 16;

// Two operands that stay as they are while other Python threads run.
struct Held {
  Tensor a, b;
};

const Tensor* operand(PyObject* object, Argument& argument, Ref& holder) {
  if (is_tensor(object)) return &as_tensor(object);
  if (!to_argument(object, argument, holder)) return nullptr;
  if (argument.tensor == nullptr) {
    throw errors::dtype_mismatch("matmul", "a number", "numbers are no matrices", "multiply with *");
  }
  return argument.tensor;
}

PyObject* product(PyObject* left, PyObject* right, Ref (&holders)[2]) {
  Argument arguments[2];
  const Tensor* const a = operand(left, arguments[0], holders[0]);
  const Tensor* const b = a == nullptr ? nullptr : operand(right, arguments[1], holders[1]);
  if (b == nullptr) return Py_NewRef(Py_NotImplemented);
  const Index work = product_work(*a, *b) / kMultiplications;
  if (work < KernelTime::kWorthwhile) return new_tensor_from([&] { return matrix_product(*a, *b); });
  const Held held{*a, *b};
  return new_tensor_from([&] {
    const KernelTime released(work);
    return matrix_product(held.a, held.b);
  });
}

}  // namespace

PyObject* tensor_matmul(PyObject* left, PyObject* right) {
  return guarded([&] {
    Ref holders[2];
    PyObject* const made = product(left, right, holders);
    const auto concerns = [](PyObject* object) { return is_tensor(object) && is_tracked(object); };
    if (!concerns(left) && !concerns(right)) [[likely]] return made;
    if (made == Py_NotImplemented) return made;
    PyObject* const operands[] = {holders[0] ? holders[0].get() : left,
                                  holders[1] ? holders[1].get() : right};
    return recorded("matmul", made, operands, 2);
  });
}

namespace {

// matmul(a, b) -> Tensor
PyObject* matmul(PyObject*, PyObject* const* args, Py_ssize_t nargs) {
  if (nargs != 2) {
    PyErr_Format(PyExc_TypeError, "matmul(a, b) takes 2 operands (%zd given)", nargs);
    return nullptr;
  }
  return guarded([&] {
    expect_tensor(args[0], "a");
    expect_tensor(args[1], "b");
    return tensor_matmul(args[0], args[1]);
  });
}

// matmul_into(out, a, b) -> out
PyObject* matmul_into(PyObject*, PyObject* const* args, Py_ssize_t nargs) {
  if (nargs != 3) {
    PyErr_Format(PyExc_TypeError, "matmul_into(out, a, b) takes 3 operands (%zd given)", nargs);
    return nullptr;
  }
  return guarded([&] {
    const Tensor out = expect_tensor(args[0], "out");
    for (Py_ssize_t i = 0; i < 3; ++i) {
      if (is_tensor(args[i]) && is_tracked(args[i]) && is_recording()) refuse_out("matmul");
    }
    const Held held{expect_tensor(args[1], "a"), expect_tensor(args[2], "b")};
    {
      const KernelTime released(product_work(held.a, held.b) / kMultiplications);
      matrix_product_into(out, held.a, held.b);
    }
    return Py_NewRef(args[0]);
  });
}

// contract(a, b, batch, summed) -> Tensor
PyObject* contract(PyObject*, PyObject* const* args, Py_ssize_t nargs) {
  if (nargs != 4) {
    PyErr_Format(PyExc_TypeError, "contract(a, b, batch, summed) takes 4 arguments (%zd given)", nargs);
    return nullptr;
  }
  return guarded([&] {
    const Held held{expect_tensor(args[0], "a"), expect_tensor(args[1], "b")};
    const auto batch = static_cast<int>(to_index(args[2])), summed = static_cast<int>(to_index(args[3]));
    PyObject* const made = new_tensor_from([&] {
      const KernelTime released(product_work(held.a, held.b) / kMultiplications);
      return contracted(held.a, held.b, batch, summed);
    });
    if (!is_tracked(args[0]) && !is_tracked(args[1])) [[likely]] return made;
    return recorded("contract", made, args, 4);
  });
}

PyCFunction plain(PyObject* (*function)(PyObject*, PyObject* const*, Py_ssize_t)) {
  return reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(function));
}

PyMethodDef functions[] = {
    {"matmul", plain(matmul), METH_FASTCALL, nullptr},
    {"matmul_into", plain(matmul_into), METH_FASTCALL, nullptr},
    {"contract", plain(contract), METH_FASTCALL, nullptr},
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace

void add_linalg(PyObject* module) {
  if (PyModule_AddFunctions(module, functions) < 0) throw PythonError{};
}

}  // namespace strided::python
