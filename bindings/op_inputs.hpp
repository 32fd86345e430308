// The operands of one elementwise call from Python.
#pragma once

#include <algorithm>
#include <memory>
#include <span>

#include "arguments.hpp"
#include "layout/bounds.hpp"
#include "tensor_object.hpp"

namespace strided::python {

class OpInputs {
 public:
  static constexpr std::size_t kMost = 3;

  // False when the object is neither a tensor, nor a number, nor an array.
  bool add(PyObject* object) {
    Argument& argument = arguments_[count_];
    if (!to_argument(object, argument, holders_[count_])) return false;
    objects_[count_] = holders_[count_] ? holders_[count_].get() : object;
    if (argument.tensor != nullptr) notice(objects_[count_], *argument.tensor);
    ++count_;
    return true;
  }
  // For a tensor that is known to be one.
  void add_tensor(PyObject* object) {
    objects_[count_] = object;
    arguments_[count_++].tensor = &as_tensor(object);
    notice(object, as_tensor(object));
  }

  // Is one of them part of a graph?
  bool tracked() const { return tracked_; }
  // The operands as Python objects; arrays of other libraries as tensors.
  PyObject* const* objects() const { return objects_; }

  // The elements of the result.
  Py_ssize_t work() const { return same_ ? work_ : broadcast_work(); }

  // Call before other Python threads may run, which `work` elements decide: they could give a tensor
  // object another layout (t_(), ...) meanwhile.
  std::span<const Argument> kept(Py_ssize_t work) {
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
  void notice(PyObject* object, const Tensor& tensor) {
    tracked_ |= is_tracked(object);
    const Py_ssize_t size = tensor.layout.size();
    same_ &= work_ == kNone || work_ == size;
    work_ = std::max(work_, size);
  }

  // Operands of different sizes: a column and a row may make a large matrix. Whether they fit together is
  // found out later.
  Py_ssize_t broadcast_work() const {
    Py_ssize_t size = 1;
    for (int from_last = 0;; ++from_last) {
      Index longest = -1;
      for (std::size_t i = 0; i < count_; ++i) {
        const Tensor* const tensor = arguments_[i].tensor;
        if (tensor == nullptr || from_last >= tensor->layout.rank()) continue;
        longest = std::max(longest, tensor->layout.length(tensor->layout.rank() - 1 - from_last));
      }
      if (longest < 0) return size;
      size = saturated_product(size, longest);
    }
  }

  static constexpr Py_ssize_t kNone = -1;
  std::size_t count_ = 0;
  Py_ssize_t work_ = kNone;
  bool same_ = true;
  bool tracked_ = false;
  PyObject* objects_[kMost];
  Argument arguments_[kMost];
  Ref holders_[kMost];
  std::unique_ptr<Tensor[]> copies_;
};

}  // namespace strided::python
