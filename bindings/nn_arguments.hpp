// Arguments of the layers of neural networks: what is given, and where a result goes.
#pragma once

#include <algorithm>
#include <limits>
#include <optional>

#include "arguments.hpp"
#include "errors.hpp"
#include "tensor/model.hpp"
#include "tensor_object.hpp"

namespace strided::python {

using Args = PyObject* const*;

// A multiplication of a product takes a fraction of the time that an elementwise op spends on an element.
inline constexpr Index kMultiplications = 16;

inline bool is_given(PyObject* object) { return object != Py_None; }

inline void expect_count(const char* call, Py_ssize_t expected, Py_ssize_t nargs) {
  if (nargs == expected) return;
  PyErr_Format(PyExc_TypeError, "%s takes %zd arguments (%zd given)", call, expected, nargs);
  throw PythonError{};
}

inline double to_double(PyObject* object) {
  const double value = PyFloat_AsDouble(object);
  if (value == -1 && PyErr_Occurred()) throw PythonError{};
  return value;
}

// A tensor that stays as it is while other Python threads run, or none.
class Held {
 public:
  Held(PyObject* object, const char* argument) : given_(is_given(object)) {
    if (given_) tensor_ = expect_tensor(object, argument);
  }
  const Tensor* get() const { return given_ ? &tensor_ : nullptr; }
  const Tensor& operator*() const { return tensor_; }

 private:
  bool given_;
  Tensor tensor_;
};

// Where a result goes, as Python says it.
class HeldTarget {
 public:
  HeldTarget(PyObject* out, PyObject* dtype) : object_(out), out_(out, "out") {
    target_.out = out_.get();
    if (is_given(dtype)) target_.dtype = to_dtype(dtype);
  }

  // The tensor that make(target) computes, or the object that it was written to.
  template <class Make>
  PyObject* filled(Index work, Make&& make) const {
    if (target_.out == nullptr) {
      return new_tensor_from([&] {
        const KernelTime released(work);
        return make(target_);
      });
    }
    {
      const KernelTime released(work);
      make(target_);
    }
    return Py_NewRef(object_);
  }

 private:
  PyObject* object_;
  Held out_;
  Target target_;
};

inline Index times(Index a, Index b) {
  Index product;
  return multiply(std::max<Index>(a, 1), std::max<Index>(b, 1), product) ? product
                                                                        : std::numeric_limits<Index>::max();
}

inline std::optional<double> optional_double(PyObject* object) {
  return is_given(object) ? std::optional(to_double(object)) : std::nullopt;
}

inline bool to_bool(PyObject* object) {
  const int truth = PyObject_IsTrue(object);
  if (truth < 0) throw PythonError{};
  return truth != 0;
}

inline PyCFunction plain(PyObject* (*function)(PyObject*, Args, Py_ssize_t)) {
  return reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(function));
}

}  // namespace strided::python
