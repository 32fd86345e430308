// Reductions and scans as methods: arguments in, a new tensor (or `out`) out.
#include "arguments.hpp"
#include "errors.hpp"
#include "tensor/reduced.hpp"
#include "tensor_object.hpp"
#include "tensor_parts.hpp"
#include "tracking.hpp"

namespace strided::python {
namespace {

using Args = PyObject* const*;

// ---- arguments ----

// Unlike flag_or, refuses what has no truth value of its own.
bool to_flag(PyObject* object, const char* name) {
  if (PyBool_Check(object)) return object == Py_True;
  const PyNumberMethods* const number = Py_TYPE(object)->tp_as_number;
  if (number == nullptr || number->nb_bool == nullptr) {
    PyErr_Format(PyExc_TypeError, "%s must be True or False, got %.100s", name, Py_TYPE(object)->tp_name);
    throw PythonError{};
  }
  const int truth = PyObject_IsTrue(object);
  if (truth < 0) throw PythonError{};
  return truth != 0;
}

double to_double(PyObject* object) {
  const double value = PyFloat_AsDouble(object);
  if (value == -1.0 && PyErr_Occurred()) throw PythonError{};
  return value;
}

Axes to_axes(const Arguments& given, int i) {
  Axes axes;
  axes.all = !given.has(i);
  if (!axes.all) axes.list = given.dims(i);
  return axes;
}

// The arguments that come after the first `most` must be named.
void expect_named(const char* function, int most, Py_ssize_t nargs) {
  if (nargs <= most) return;
  PyErr_Format(PyExc_TypeError, "%s() takes at most %d positional arguments (%zd given)", function, most,
               nargs);
  throw PythonError{};
}

ResultOptions to_options(const Arguments& given, int keepdim, int dtype, int out) {
  ResultOptions options;
  if (keepdim >= 0 && given.has(keepdim)) options.keepdim = to_flag(given[keepdim], "keepdim");
  if (dtype >= 0 && given.has(dtype)) options.dtype = to_dtype(given[dtype]);
  if (out >= 0 && given.has(out)) options.out = &expect_tensor(given[out], "out");
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
PyObject* made_pair(PyObject* self, PyObject* named, Make&& make) {
  const Tensor held = as_tensor(self);
  std::pair<Tensor, Tensor> both = [&] {
    const KernelTime released(held.layout.size());
    return make(held);
  }();
  const Ref first(new_tensor(std::move(both.first)));
  const Ref second(new_tensor(std::move(both.second)));
  PyObject* args[] = {first.get(), second.get()};
  return Ref::checked(PyObject_Vectorcall(named, args, 2, nullptr)).release();
}

// ---- over axes ----

constexpr const char* kNames[] = {"sum", "prod", "amin", "amax", "any", "all", "count_nonzero", "mean"};

template <Reduction op>
PyObject* reduce_axes(PyObject* self, Args args, Py_ssize_t nargs, PyObject* kwnames) {
  return guarded([&] {
    Axes axes;
    const auto run = [&](const Tensor& x, const ResultOptions& options) { return reduced(op, x, axes, options); };
    if (nargs == 0 && kwnames == nullptr) return made(self, nullptr, {}, run);
    constexpr const char* kName = kNames[static_cast<int>(op)];
    const char* const names[] = {"dim", "keepdim", "dtype", "out"};
    expect_named(kName, 2, nargs);
    const Arguments given(kName, names, 0, args, nargs, kwnames);
    axes = to_axes(given, 0);
    return made(self, given[3], to_options(given, 1, 2, 3), run);
  });
}

template <NanReduction op>
PyObject* reduce_numbers_by(PyObject* self, Args args, Py_ssize_t nargs, PyObject* kwnames) {
  return guarded([&] {
    const char* const names[] = {"dim", "keepdim", "dtype"};
    const Arguments given("nansum", names, 0, args, nargs, kwnames);
    const Axes axes = to_axes(given, 0);
    return made(self, nullptr, to_options(given, 1, 2, -1), [&](const Tensor& x, const ResultOptions& options) {
      return reduced_numbers(op, x, axes, options);
    });
  });
}

template <VarianceKind kind>
PyObject* reduce_variance(PyObject* self, Args args, Py_ssize_t nargs, PyObject* kwnames) {
  return guarded([&] {
    constexpr const char* kName = kind == VarianceKind::Variance ? "var" : "std";
    const char* const names[] = {"dim", "correction", "keepdim", "ddof", "dtype", "out"};
    expect_named(kName, 1, nargs);
    const Arguments given(kName, names, 0, args, nargs, kwnames);
    const Axes axes = to_axes(given, 0);
    // NumPy calls it ddof.
    const int correction = given.has(3) ? 3 : 1;
    if (given.has(1) && given.has(3)) {
      PyErr_Format(PyExc_TypeError, "%s(): correction and ddof are the same argument", kName);
      throw PythonError{};
    }
    const double less = given.has(correction) ? to_double(given[correction]) : 1;
    return made(self, given[5], to_options(given, 2, 4, 5), [&](const Tensor& x, const ResultOptions& options) {
      return variance_of(kind, x, axes, less, options);
    });
  });
}

PyObject* p_norm(PyObject* self, Args args, Py_ssize_t nargs, PyObject* kwnames) {
  return guarded([&] {
    const char* const names[] = {"p", "dim", "keepdim", "dtype", "out"};
    expect_named("norm", 3, nargs);
    const Arguments given("norm", names, 0, args, nargs, kwnames);
    const double p = given.has(0) ? to_double(given[0]) : 2;
    const Axes axes = to_axes(given, 1);
    return made(self, given[4], to_options(given, 2, 3, 4), [&](const Tensor& x, const ResultOptions& options) {
      return norm_of(x, p, axes, options);
    });
  });
}

PyObject* logsumexp(PyObject* self, Args args, Py_ssize_t nargs, PyObject* kwnames) {
  return guarded([&] {
    const char* const names[] = {"dim", "keepdim", "out"};
    expect_named("logsumexp", 2, nargs);
    const Arguments given("logsumexp", names, 0, args, nargs, kwnames);
    const Axes axes = to_axes(given, 0);
    return made(self, given[2], to_options(given, 1, -1, 2), [&](const Tensor& x, const ResultOptions& options) {
      return log_sum_exp_of(x, axes, options);
    });
  });
}

PyObject* aminmax(PyObject* self, Args args, Py_ssize_t nargs, PyObject* kwnames) {
  return guarded([&] {
    const char* const names[] = {"dim", "keepdim"};
    const Arguments given("aminmax", names, 0, args, nargs, kwnames);
    const Axes axes = to_axes(given, 0);
    const bool keepdim = to_options(given, 1, -1, -1).keepdim;
    return made_pair(self, hooks().extremes,
                     [&](const Tensor& x) { return least_and_most(x, axes, keepdim); });
  });
}

// ---- along one axis ----

template <bool largest>
PyObject* position(PyObject* self, Args args, Py_ssize_t nargs, PyObject* kwnames) {
  return guarded([&] {
    std::optional<Index> axis;
    const auto run = [&](const Tensor& x, const ResultOptions& options) {
      return arg_reduced(largest, x, axis, options);
    };
    if (nargs == 0 && kwnames == nullptr) return made(self, nullptr, {}, run);
    constexpr const char* kName = largest ? "argmax" : "argmin";
    const char* const names[] = {"dim", "keepdim", "out"};
    expect_named(kName, 2, nargs);
    const Arguments given(kName, names, 0, args, nargs, kwnames);
    if (given.has(0)) axis = given.integer(0);
    return made(self, given[2], to_options(given, 1, -1, 2), run);
  });
}

bool names_axis(PyObject* kwnames) {
  const Py_ssize_t count = kwnames == nullptr ? 0 : PyTuple_GET_SIZE(kwnames);
  for (Py_ssize_t i = 0; i < count; ++i) {
    if (PyUnicode_CompareWithASCIIString(PyTuple_GET_ITEM(kwnames, i), "axis") == 0) return true;
  }
  return false;
}

// max() of all and max(axis=...) as in NumPy, max(dim) with positions and max(other) as in PyTorch.
template <bool largest>
PyObject* extreme(PyObject* self, Args args, Py_ssize_t nargs, PyObject* kwnames) {
  return guarded([&]() -> PyObject* {
    constexpr Reduction op = largest ? Reduction::Max : Reduction::Min;
    Axes axes;
    const auto run = [&](const Tensor& x, const ResultOptions& options) { return reduced(op, x, axes, options); };
    if (nargs == 0 && kwnames == nullptr) return made(self, nullptr, {}, run);
    constexpr const char* kName = largest ? "max" : "min";
    const char* const names[] = {"dim", "keepdim", "out"};
    expect_named(kName, 2, nargs);
    const Arguments given(kName, names, 0, args, nargs, kwnames);
    if (given.has(0) && is_tensor(given[0])) {
      const Ref method = Ref::checked(PyObject_GetAttrString(self, largest ? "maximum" : "minimum"));
      PyObject* const operands[] = {given[0], given.has(2) ? given[2] : Py_None};
      const Ref named = Ref::checked(Py_BuildValue("(s)", "out"));
      return Ref::checked(PyObject_Vectorcall(method.get(), operands, 1, named.get())).release();
    }
    const ResultOptions options = to_options(given, 1, -1, 2);
    if (!given.has(0) || names_axis(kwnames)) {
      axes = to_axes(given, 0);
      return made(self, given[2], options, run);
    }
    if (options.out != nullptr) {
      PyErr_Format(PyExc_TypeError, "%s(dim) gives values and indices: use axis=... with out", kName);
      throw PythonError{};
    }
    const Index axis = given.integer(0);
    return made_pair(self, hooks().extreme, [&](const Tensor& x) {
      return extreme_and_position(largest, x, axis, options.keepdim);
    });
  });
}

// max(other) is an op of its own.
template <bool largest>
PyObject* differentiable_extreme(PyObject* self, Args args, Py_ssize_t nargs, PyObject* kwnames) {
  if (nargs > 0 && is_tensor(args[0])) return extreme<largest>(self, args, nargs, kwnames);
  return differentiable<largest ? Name("max") : Name("min"), extreme<largest>>(self, args, nargs, kwnames);
}

template <Scan op>
PyObject* running(PyObject* self, Args args, Py_ssize_t nargs, PyObject* kwnames) {
  return guarded([&] {
    constexpr const char* kName = op == Scan::Sum ? "cumsum" : "cumprod";
    const char* const names[] = {"dim", "dtype", "out"};
    expect_named(kName, 1, nargs);
    const Arguments given(kName, names, 0, args, nargs, kwnames);
    std::optional<Index> axis;  // none: of all elements
    if (given.has(0)) axis = given.integer(0);
    return made(self, given[2], to_options(given, -1, 1, 2), [&](const Tensor& x, const ResultOptions& options) {
      return scanned(op, x, axis, options);
    });
  });
}

}  // namespace

PyMethodDef reduce_methods[] = {
    {"sum", fast(differentiable<"sum", reduce_axes<Reduction::Sum>>), METH_FASTCALL | METH_KEYWORDS, nullptr},
    {"prod", fast(differentiable<"prod", reduce_axes<Reduction::Prod>>), METH_FASTCALL | METH_KEYWORDS, nullptr},
    {"mean", fast(differentiable<"mean", reduce_axes<Reduction::Mean>>), METH_FASTCALL | METH_KEYWORDS, nullptr},
    {"any", fast(reduce_axes<Reduction::Any>), METH_FASTCALL | METH_KEYWORDS, nullptr},
    {"all", fast(reduce_axes<Reduction::All>), METH_FASTCALL | METH_KEYWORDS, nullptr},
    {"count_nonzero", fast(reduce_axes<Reduction::Count>), METH_FASTCALL | METH_KEYWORDS, nullptr},
    {"amin", fast(differentiable<"amin", reduce_axes<Reduction::Min>>), METH_FASTCALL | METH_KEYWORDS, nullptr},
    {"amax", fast(differentiable<"amax", reduce_axes<Reduction::Max>>), METH_FASTCALL | METH_KEYWORDS, nullptr},
    {"aminmax", fast(differentiable<"aminmax", aminmax>), METH_FASTCALL | METH_KEYWORDS, nullptr},
    {"min", fast(differentiable_extreme<false>), METH_FASTCALL | METH_KEYWORDS, nullptr},
    {"max", fast(differentiable_extreme<true>), METH_FASTCALL | METH_KEYWORDS, nullptr},
    {"argmin", fast(position<false>), METH_FASTCALL | METH_KEYWORDS, nullptr},
    {"argmax", fast(position<true>), METH_FASTCALL | METH_KEYWORDS, nullptr},
    {"var", fast(differentiable<"var", reduce_variance<VarianceKind::Variance>>), METH_FASTCALL | METH_KEYWORDS,
     nullptr},
    {"std", fast(differentiable<"std", reduce_variance<VarianceKind::Deviation>>), METH_FASTCALL | METH_KEYWORDS,
     nullptr},
    {"norm", fast(differentiable<"norm", p_norm>), METH_FASTCALL | METH_KEYWORDS, nullptr},
    {"logsumexp", fast(differentiable<"logsumexp", logsumexp>), METH_FASTCALL | METH_KEYWORDS, nullptr},
    {"cumsum", fast(differentiable<"cumsum", running<Scan::Sum>>), METH_FASTCALL | METH_KEYWORDS, nullptr},
    {"cumprod", fast(differentiable<"cumprod", running<Scan::Prod>>), METH_FASTCALL | METH_KEYWORDS, nullptr},
    // What nansum() and its like in strided/methods/reduce.py stand on.
    {"_nansum", fast(differentiable<"nansum", reduce_numbers_by<NanReduction::Sum>>), METH_FASTCALL | METH_KEYWORDS, nullptr},
    {"_nanmin", fast(differentiable<"nanmin", reduce_numbers_by<NanReduction::Min>>), METH_FASTCALL | METH_KEYWORDS, nullptr},
    {"_nanmax", fast(differentiable<"nanmax", reduce_numbers_by<NanReduction::Max>>), METH_FASTCALL | METH_KEYWORDS, nullptr},
    {"_count_numbers", fast(reduce_numbers_by<NanReduction::Count>), METH_FASTCALL | METH_KEYWORDS,
     nullptr},
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace strided::python
