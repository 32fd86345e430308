// The primitives of reductions and scans: arguments in, a new tensor (or `out`) out.
#include "arguments.hpp"
#include "graph.hpp"
#include "operation.hpp"
#include "tensor/reduced.hpp"
#include "tensor_object.hpp"
#include "tensor_parts.hpp"

namespace strided::python {
namespace {

using Values = PyObject* const*;

// ---- arguments ----

bool has(PyObject* value) { return value != Py_None; }

double to_double(PyObject* object) {
  const double value = PyFloat_AsDouble(object);
  if (value == -1.0 && PyErr_Occurred()) throw PythonError{};
  return value;
}

Axes to_axes(PyObject* value) {
  Axes axes;
  axes.all = !has(value);
  if (!axes.all) axes.list = to_dims(value);
  return axes;
}

// No axis: all elements, as they would lie in one line.
std::optional<Index> to_axis(PyObject* value) {
  if (!has(value)) return std::nullopt;
  return to_index(value);
}

ResultOptions to_options(PyObject* keepdims, PyObject* dtype, PyObject* out) {
  ResultOptions options;
  options.keepdim = to_flag(keepdims, "keepdim");
  if (has(dtype)) options.dtype = to_dtype(dtype);
  if (has(out)) options.out = &expect_tensor(out, "out");
  return options;
}

// ---- results ----

// What make(x, options) gives, as a new object, or `out`. Where other Python threads may run meanwhile, the
// tensors are copied from their objects, which could get another layout.
template <class Make>
PyObject* made(PyObject* self, PyObject* out, ResultOptions options, Make&& make) {
  const Tensor& x = as_tensor(self);
  const Index work = x.layout.size();
  const bool in_place = options.out != nullptr;
  if (in_place && is_tracked(out) && is_recording()) refuse_out("a reduction");
  if (work < KernelTime::kWorthwhile) {
    if (!in_place) return new_tensor_from([&] { return make(x, options); });
    make(x, options);
    return Py_NewRef(out);
  }
  const Tensor held = x;
  if (!in_place) {
    return new_tensor_from([&] {
      const KernelTime released(work);
      return make(held, options);
    });
  }
  const Tensor held_out = *options.out;
  options.out = &held_out;
  {
    const KernelTime released(work);
    make(held, options);
  }
  return Py_NewRef(out);
}

template <class Make>
PyObject* made_pair(PyObject* self, Make&& make) {
  const Tensor held = as_tensor(self);
  std::pair<Tensor, Tensor> both = [&] {
    const KernelTime released(held.layout.size());
    return make(held);
  }();
  const Ref first(new_tensor(std::move(both.first)));
  const Ref second(new_tensor(std::move(both.second)));
  return Ref::checked(PyTuple_Pack(2, first.get(), second.get())).release();
}

// ---- over axes ----

// (x, axis, keepdims, dtype, out)
template <Reduction op>
PyObject* reduce_axes(Values v) {
  return guarded([&] {
    const Axes axes = to_axes(v[1]);
    return made(v[0], v[4], to_options(v[2], v[3], v[4]), [&](const Tensor& x, const ResultOptions& options) {
      return reduced(op, x, axes, options);
    });
  });
}

// (x, axis, keepdims, dtype)
template <NanReduction op>
PyObject* reduce_numbers_by(Values v) {
  return guarded([&] {
    const Axes axes = to_axes(v[1]);
    return made(v[0], nullptr, to_options(v[2], v[3], Py_None), [&](const Tensor& x, const ResultOptions& options) {
      return reduced_numbers(op, x, axes, options);
    });
  });
}

// (x, axis, correction, keepdims, dtype, out)
template <VarianceKind kind>
PyObject* reduce_variance(Values v) {
  return guarded([&] {
    const Axes axes = to_axes(v[1]);
    const double correction = has(v[2]) ? to_double(v[2]) : 1;
    return made(v[0], v[5], to_options(v[3], v[4], v[5]), [&](const Tensor& x, const ResultOptions& options) {
      return variance_of(kind, x, axes, correction, options);
    });
  });
}

// (x, ord, axis, keepdims, dtype, out)
PyObject* vector_norm(Values v) {
  return guarded([&] {
    const double order = has(v[1]) ? to_double(v[1]) : 2;
    const Axes axes = to_axes(v[2]);
    return made(v[0], v[5], to_options(v[3], v[4], v[5]), [&](const Tensor& x, const ResultOptions& options) {
      return norm_of(x, order, axes, options);
    });
  });
}

// (x, axis, keepdims, out)
PyObject* logsumexp(Values v) {
  return guarded([&] {
    const Axes axes = to_axes(v[1]);
    return made(v[0], v[3], to_options(v[2], Py_None, v[3]), [&](const Tensor& x, const ResultOptions& options) {
      return log_sum_exp_of(x, axes, options);
    });
  });
}

// (x, axis, keepdims)
PyObject* aminmax(Values v) {
  return guarded([&] {
    const Axes axes = to_axes(v[1]);
    const bool keepdim = to_flag(v[2], "keepdim");
    return made_pair(v[0], [&](const Tensor& x) { return least_and_most(x, axes, keepdim); });
  });
}

// ---- along one axis ----

// (x, axis, keepdims, out)
template <bool largest>
PyObject* position(Values v) {
  return guarded([&] {
    const std::optional<Index> axis = to_axis(v[1]);
    return made(v[0], v[3], to_options(v[2], Py_None, v[3]), [&](const Tensor& x, const ResultOptions& options) {
      return arg_reduced(largest, x, axis, options);
    });
  });
}

// (x, dim, keepdims, axis, out): max() of all and max(axis=...) as in NumPy, max(dim) with positions and max(other)
// as in PyTorch.
template <bool largest>
PyObject* extreme(Values v) {
  return guarded([&]() -> PyObject* {
    constexpr const char* kName = largest ? "max" : "min";
    if (has(v[1]) && has(v[3])) {
      PyErr_Format(PyExc_TypeError, "%s() got multiple values for argument 'dim'", kName);
      throw PythonError{};
    }
    if (is_tensor(v[1])) {
      const Ref method = Ref::checked(PyObject_GetAttrString(v[0], largest ? "maximum" : "minimum"));
      PyObject* const operands[] = {v[1], v[4]};
      const Ref named = Ref::checked(Py_BuildValue("(s)", "out"));
      return Ref::checked(PyObject_Vectorcall(method.get(), operands, 1, named.get())).release();
    }
    const ResultOptions options = to_options(v[2], Py_None, v[4]);
    if (!has(v[1])) {
      const Axes axes = to_axes(v[3]);
      return made(v[0], v[4], options, [&](const Tensor& x, const ResultOptions& wanted) {
        return reduced(largest ? Reduction::Max : Reduction::Min, x, axes, wanted);
      });
    }
    if (options.out != nullptr) {
      PyErr_Format(PyExc_TypeError, "%s(dim) gives values and indices: use axis=... with out", kName);
      throw PythonError{};
    }
    const Index axis = to_index(v[1]);
    return made_pair(v[0], [&](const Tensor& x) {
      return extreme_and_position(largest, x, axis, options.keepdim);
    });
  });
}

// (x, axis, dtype, out)
template <Scan op>
PyObject* running(Values v) {
  return guarded([&] {
    const std::optional<Index> axis = to_axis(v[1]);
    return made(v[0], v[3], to_options(Py_False, v[2], v[3]), [&](const Tensor& x, const ResultOptions& options) {
      return scanned(op, x, axis, options);
    });
  });
}

}  // namespace

const PrimitiveRow reduce_primitives[] = {
    {"sum", "x axis keepdims dtype out", reduce_axes<Reduction::Sum>},
    {"prod", "x axis keepdims dtype out", reduce_axes<Reduction::Prod>},
    {"mean", "x axis keepdims dtype out", reduce_axes<Reduction::Mean>},
    {"any", "x axis keepdims dtype out", reduce_axes<Reduction::Any>},
    {"all", "x axis keepdims dtype out", reduce_axes<Reduction::All>},
    {"count_nonzero", "x axis keepdims dtype out", reduce_axes<Reduction::Count>},
    {"amin", "x axis keepdims dtype out", reduce_axes<Reduction::Min>},
    {"amax", "x axis keepdims dtype out", reduce_axes<Reduction::Max>},
    {"aminmax", "x axis keepdims", aminmax},
    {"min", "x dim keepdims axis out", extreme<false>},
    {"max", "x dim keepdims axis out", extreme<true>},
    {"argmin", "x axis keepdims out", position<false>},
    {"argmax", "x axis keepdims out", position<true>},
    {"var", "x axis correction keepdims dtype out", reduce_variance<VarianceKind::Variance>},
    {"std", "x axis correction keepdims dtype out", reduce_variance<VarianceKind::Deviation>},
    {"vector_norm", "x ord axis keepdims dtype out", vector_norm},
    {"logsumexp", "x axis keepdims out", logsumexp},
    {"cumsum", "x axis dtype out", running<Scan::Sum>},
    {"cumprod", "x axis dtype out", running<Scan::Prod>},
    {"nansum", "x axis keepdims dtype", reduce_numbers_by<NanReduction::Sum>},
    {"least_number", "x axis keepdims dtype", reduce_numbers_by<NanReduction::Min>},
    {"largest_number", "x axis keepdims dtype", reduce_numbers_by<NanReduction::Max>},
    {"count_numbers", "x axis keepdims dtype", reduce_numbers_by<NanReduction::Count>},
    {nullptr, nullptr, nullptr},
};

}  // namespace strided::python
