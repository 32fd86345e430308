// The operands of one elementwise call from Python.
#pragma once

#include <algorithm>
#include <memory>
#include <span>

#include "arguments.hpp"
#include "tensor_object.hpp"

namespace strided::python {

class OpInputs {
 public:
  static constexpr std::size_t kMost = 3;

  // False when the object is neither a tensor, nor a number, nor an array.
  bool add(PyObject* object) {
    Argument& argument = arguments_[count_];
    if (!to_argument(object, argument, holders_[count_])) return false;
    if (argument.tensor != nullptr) {
      work_ = std::max<Py_ssize_t>(work_, argument.tensor->layout.size());
    }
    ++count_;
    return true;
  }
  void add(const Tensor& tensor) {
    arguments_[count_++].tensor = &tensor;
    work_ = std::max<Py_ssize_t>(work_, tensor.layout.size());
  }

  // The largest operand, in elements.
  Py_ssize_t work() const { return work_; }

  // Call before other Python threads may run, which `work` elements decide: they could give a tensor
  // object another layout (t_(), ...) meanwhile.
  std::span<const Argument> held(Py_ssize_t work) {
    if (work >= KernelTime::kWorthwhile) {
      copies_ = std::make_unique<Tensor[]>(count_);
      for (std::size_t i = 0; i < count_; ++i) {
        if (arguments_[i].tensor == nullptr) continue;
        copies_[i] = *arguments_[i].tensor;
        arguments_[i].tensor = &copies_[i];
      }
    }
    return {arguments_, count_};
  }

 private:
  std::size_t count_ = 0;
  Py_ssize_t work_ = 0;
  Argument arguments_[kMost];
  Ref holders_[kMost];
  std::unique_ptr<Tensor[]> copies_;
};

}  // namespace strided::python
