// Operators. Each slot names its op; everything else is shared.
#include "graph.hpp"
#include "op_inputs.hpp"
#include "tensor/compute.hpp"
#include "tensor_object.hpp"
#include "tensor_parts.hpp"

namespace strided::python {
namespace {

PyObject* computed(Op op, OpInputs& inputs) {
  const auto arguments = inputs.kept(inputs.work());
  PyObject* const made = new_tensor_from([&] {
    const KernelTime released(inputs.work());
    return compute(op, arguments);
  });
  if (!inputs.tracked()) [[likely]] return made;
  return recorded(row_of(op).name.data(), made, inputs.objects(), row_of(op).arity);
}

template <Op op>
PyObject* binary(PyObject* a, PyObject* b) {
  return guarded([&] {
    OpInputs inputs;
    if (!inputs.add(a) || !inputs.add(b)) return Py_NewRef(Py_NotImplemented);
    return computed(op, inputs);
  });
}

template <Op op>
PyObject* unary(PyObject* self) {
  return guarded([&] {
    OpInputs inputs;
    inputs.add_tensor(self);
    return computed(op, inputs);
  });
}

template <Op op>
PyObject* in_place(PyObject* self, PyObject* other) {
  return guarded([&] {
    OpInputs inputs;
    inputs.add_tensor(self);
    if (!inputs.add(other)) return Py_NewRef(Py_NotImplemented);
    if ((inputs.tracked() || is_watched(self)) && is_recording()) [[unlikely]] {
      const Ref number = Ref::checked(PyLong_FromLong(static_cast<long>(op)));
      return record_write(row_of(op).name.data(), number.get(), self, inputs.objects(), 2);
    }
    const auto arguments = inputs.kept(inputs.work());
    {
      const KernelTime released(inputs.work());
      compute_into(*arguments[0].tensor, op, arguments, row_of(op).name.data());
    }
    return Py_NewRef(self);
  });
}

// pow has a third argument, for pow(a, b, m), which no tensor library supports.
PyObject* power(PyObject* a, PyObject* b, PyObject* modulus) {
  return modulus == Py_None ? binary<Op::Pow>(a, b) : Py_NewRef(Py_NotImplemented);
}
PyObject* in_place_power(PyObject* a, PyObject* b, PyObject*) { return in_place<Op::Pow>(a, b); }

template <class F>
void* slot(F* function) { return reinterpret_cast<void*>(function); }

}  // namespace

PyType_Slot number_slots[] = {
    {Py_nb_add, slot(binary<Op::Add>)},
    {Py_nb_subtract, slot(binary<Op::Subtract>)},
    {Py_nb_multiply, slot(binary<Op::Multiply>)},
    {Py_nb_true_divide, slot(binary<Op::Divide>)},
    {Py_nb_floor_divide, slot(binary<Op::FloorDivide>)},
    {Py_nb_remainder, slot(binary<Op::Remainder>)},
    {Py_nb_power, slot(power)},
    {Py_nb_and, slot(binary<Op::BitwiseAnd>)},
    {Py_nb_or, slot(binary<Op::BitwiseOr>)},
    {Py_nb_xor, slot(binary<Op::BitwiseXor>)},
    {Py_nb_lshift, slot(binary<Op::BitwiseLeftShift>)},
    {Py_nb_rshift, slot(binary<Op::BitwiseRightShift>)},
    {Py_nb_matrix_multiply, slot(tensor_matmul)},
    {Py_nb_inplace_add, slot(in_place<Op::Add>)},
    {Py_nb_inplace_subtract, slot(in_place<Op::Subtract>)},
    {Py_nb_inplace_multiply, slot(in_place<Op::Multiply>)},
    {Py_nb_inplace_true_divide, slot(in_place<Op::Divide>)},
    {Py_nb_inplace_floor_divide, slot(in_place<Op::FloorDivide>)},
    {Py_nb_inplace_remainder, slot(in_place<Op::Remainder>)},
    {Py_nb_inplace_power, slot(in_place_power)},
    {Py_nb_inplace_and, slot(in_place<Op::BitwiseAnd>)},
    {Py_nb_inplace_or, slot(in_place<Op::BitwiseOr>)},
    {Py_nb_inplace_xor, slot(in_place<Op::BitwiseXor>)},
    {Py_nb_inplace_lshift, slot(in_place<Op::BitwiseLeftShift>)},
    {Py_nb_inplace_rshift, slot(in_place<Op::BitwiseRightShift>)},
    {Py_nb_negative, slot(unary<Op::Negative>)},
    {Py_nb_positive, slot(unary<Op::Positive>)},
    {Py_nb_absolute, slot(unary<Op::Absolute>)},
    {Py_nb_invert, slot(unary<Op::BitwiseNot>)},
    {Py_nb_bool, slot(tensor_truth)},
    {Py_nb_int, slot(tensor_as_int)},
    {Py_nb_float, slot(tensor_as_float)},
    {Py_nb_index, slot(tensor_as_index)},
    {0, nullptr},
};

PyObject* tensor_compare(PyObject* a, PyObject* b, int operation) {
  switch (operation) {
    case Py_EQ: return binary<Op::Equal>(a, b);
    case Py_NE: return binary<Op::NotEqual>(a, b);
    case Py_LT: return binary<Op::Less>(a, b);
    case Py_LE: return binary<Op::LessEqual>(a, b);
    case Py_GT: return binary<Op::Greater>(a, b);
    default: return binary<Op::GreaterEqual>(a, b);
  }
}

}  // namespace strided::python
