// Layers of neural networks whose backward pass has kernels of its own, and those backward passes.
#include "nn_arguments.hpp"
#include "tensor/gradients.hpp"
#include "tensor_parts.hpp"

namespace strided::python {
namespace {

// A tuple of these, which it takes over.
template <class... Objects>
PyObject* tuple_of(Objects... objects) {
  const Ref held[] = {Ref::checked(objects)...};
  PyObject* const tuple = PyTuple_New(sizeof...(objects));
  if (tuple == nullptr) throw PythonError{};
  for (std::size_t i = 0; i < sizeof...(objects); ++i) {
    PyTuple_SET_ITEM(tuple, static_cast<Py_ssize_t>(i), Py_NewRef(held[i].get()));
  }
  return tuple;
}

// Computes while other Python threads may run.
template <class Compute>
auto without_lock(Index work, Compute&& compute) {
  const KernelTime released(work);
  return compute();
}

PyObject* tensor_or_none(std::optional<Tensor> tensor) {
  return tensor ? new_tensor(std::move(*tensor)) : Py_NewRef(Py_None);
}

// row_norm(x, weight, bias, eps, out, dtype)
PyObject* row_norm_(PyObject*, Args args, Py_ssize_t nargs) {
  return guarded([&] {
    expect_count("row_norm(x, weight, bias, eps, out, dtype)", 6, nargs);
    const Tensor x = expect_tensor(args[0], "x");
    const Held weight(args[1], "weight"), bias(args[2], "bias");
    const double eps = to_double(args[3]);
    return HeldTarget(args[4], args[5]).filled(x.layout.size(), [&](const Target& to) {
      return row_norm(x, weight.get(), bias.get(), eps, to);
    });
  });
}

// norm_gradients(g, x, weight, eps, centred, wants_x, wants_weights) -> (dx or None, weights or None)
PyObject* norm_gradients_(PyObject*, Args args, Py_ssize_t nargs) {
  return guarded([&] {
    expect_count("norm_gradients(g, x, weight, eps, centred, wants_x, wants_weights)", 7, nargs);
    const Tensor g = expect_tensor(args[0], "g"), x = expect_tensor(args[1], "x");
    const Held weight(args[2], "weight");
    const double eps = to_double(args[3]);
    const bool centred = to_bool(args[4]);
    const NormWanted wanted{to_bool(args[5]), to_bool(args[6])};
    NormGradients made = without_lock(x.layout.size(), [&] {
      return norm_gradients(g, x, weight.get(), eps, centred, wanted);
    });
    return tuple_of(tensor_or_none(std::move(made.x)), tensor_or_none(std::move(made.weights)));
  });
}

// channel_norm(x, weight, bias, eps) -> (out, mean, variance)
PyObject* channel_norm_(PyObject*, Args args, Py_ssize_t nargs) {
  return guarded([&] {
    expect_count("channel_norm(x, weight, bias, eps)", 4, nargs);
    const Tensor x = expect_tensor(args[0], "x");
    const Held weight(args[1], "weight"), bias(args[2], "bias");
    const double eps = to_double(args[3]);
    ChannelNormed made = without_lock(x.layout.size(), [&] { return channel_norm(x, weight.get(), bias.get(), eps); });
    return tuple_of(new_tensor(std::move(made.out)), new_tensor(std::move(made.mean)),
                    new_tensor(std::move(made.variance)));
  });
}

// channel_norm_gradients(g, x, weight, mean, variance, eps, wants_x) -> (dx or None, weight, bias)
PyObject* channel_norm_gradients_(PyObject*, Args args, Py_ssize_t nargs) {
  return guarded([&] {
    expect_count("channel_norm_gradients(g, x, weight, mean, variance, eps, wants_x)", 7, nargs);
    const Tensor g = expect_tensor(args[0], "g"), x = expect_tensor(args[1], "x");
    const Held weight(args[2], "weight");
    const Tensor mean = expect_tensor(args[3], "mean"), variance = expect_tensor(args[4], "variance");
    const double eps = to_double(args[5]);
    const bool wants_x = to_bool(args[6]);
    ChannelNormGradients made = without_lock(x.layout.size(), [&] {
      return channel_norm_gradients(g, x, weight.get(), mean, variance, eps, wants_x);
    });
    return tuple_of(tensor_or_none(std::move(made.x)), new_tensor(std::move(made.weight)),
                    new_tensor(std::move(made.bias)));
  });
}

// softmax_gradient(g, y, dim, logarithm) -> Tensor
PyObject* softmax_gradient_(PyObject*, Args args, Py_ssize_t nargs) {
  return guarded([&] {
    expect_count("softmax_gradient(g, y, dim, logarithm)", 4, nargs);
    const Tensor g = expect_tensor(args[0], "g"), y = expect_tensor(args[1], "y");
    const Index dim = to_index(args[2]);
    const bool logarithm = to_bool(args[3]);
    return new_tensor_from([&] {
      const KernelTime released(y.layout.size());
      return softmax_gradient(g, y, dim, logarithm);
    });
  });
}

// attention_gradients(g, query, key, value, mask, causal, scale) -> (query, key, value)
PyObject* attention_gradients_(PyObject*, Args args, Py_ssize_t nargs) {
  return guarded([&] {
    expect_count("attention_gradients(g, query, key, value, mask, causal, scale)", 7, nargs);
    const Tensor g = expect_tensor(args[0], "g"), query = expect_tensor(args[1], "query");
    const Tensor key = expect_tensor(args[2], "key"), value = expect_tensor(args[3], "value");
    const Held mask(args[4], "attn_mask");
    const bool causal = to_bool(args[5]);
    const std::optional<double> scale = optional_double(args[6]);
    const Index positions = query.layout.rank() > 1 ? query.layout.length(query.layout.rank() - 2) : 1;
    AttentionGradients made = without_lock(times(key.layout.size(), positions) / kMultiplications, [&] {
      return attention_gradients(g, query, key, value, mask.get(), causal, scale);
    });
    return tuple_of(new_tensor(std::move(made.query)), new_tensor(std::move(made.key)),
                    new_tensor(std::move(made.value)));
  });
}

CrossEntropyOptions to_options(PyObject* ignored, PyObject* smoothing, PyObject* over) {
  const Index which = to_index(over);
  if (which < 0 || which > 2) throw errors::invalid_argument("over", std::to_string(which), "must be 0, 1 or 2");
  return {to_index(ignored), to_double(smoothing), static_cast<LossOver>(which)};
}

// cross_entropy(x, target, ignored, smoothing, over) -> (loss, logs)
PyObject* cross_entropy_(PyObject*, Args args, Py_ssize_t nargs) {
  return guarded([&] {
    expect_count("cross_entropy(x, target, ignored, smoothing, over)", 5, nargs);
    const Tensor x = expect_tensor(args[0], "input"), target = expect_tensor(args[1], "target");
    const CrossEntropyOptions options = to_options(args[2], args[3], args[4]);
    CrossEntropy made = without_lock(x.layout.size(), [&] { return cross_entropy(x, target, options); });
    return tuple_of(new_tensor(std::move(made.loss)), new_tensor(std::move(made.logs)));
  });
}

// cross_entropy_gradient(g, x, target, logs, ignored, smoothing, over) -> Tensor
PyObject* cross_entropy_gradient_(PyObject*, Args args, Py_ssize_t nargs) {
  return guarded([&] {
    expect_count("cross_entropy_gradient(g, x, target, logs, ignored, smoothing, over)", 7, nargs);
    const Tensor g = expect_tensor(args[0], "g"), x = expect_tensor(args[1], "input");
    const Tensor target = expect_tensor(args[2], "target"), logs = expect_tensor(args[3], "logs");
    const CrossEntropyOptions options = to_options(args[4], args[5], args[6]);
    return new_tensor_from([&] {
      const KernelTime released(x.layout.size());
      return cross_entropy_gradient(g, x, target, logs, options);
    });
  });
}

// max_pool(x, kernel, stride, padding, dilation (two numbers each), rows, columns) -> (largest, places)
PyObject* max_pool_(PyObject*, Args args, Py_ssize_t nargs) {
  return guarded([&] {
    expect_count("max_pool(x, kernel, stride, padding, dilation, rows, columns), two numbers each", 11, nargs);
    const Tensor x = expect_tensor(args[0], "input");
    Index numbers[10];
    for (int i = 0; i < 10; ++i) numbers[i] = to_index(args[1 + i]);
    const kernels::nn::PoolWindows windows{{numbers[0], numbers[1]}, {numbers[2], numbers[3]}, {numbers[4], numbers[5]},
                              {numbers[6], numbers[7]}};
    MaxPool made = without_lock(x.layout.size(), [&] { return max_pool(x, windows, numbers[8], numbers[9]); });
    return tuple_of(new_tensor(std::move(made.largest)), new_tensor(std::move(made.places)));
  });
}

// max_pool_gradient(g, places, rows, columns) -> Tensor
PyObject* max_pool_gradient_(PyObject*, Args args, Py_ssize_t nargs) {
  return guarded([&] {
    expect_count("max_pool_gradient(g, places, rows, columns)", 4, nargs);
    const Tensor g = expect_tensor(args[0], "g"), places = expect_tensor(args[1], "places");
    const Index rows = to_index(args[2]), columns = to_index(args[3]);
    return new_tensor_from([&] {
      const KernelTime released(g.layout.size());
      return max_pool_gradient(g, places, rows, columns);
    });
  });
}

PyMethodDef functions[] = {
    {"row_norm", plain(row_norm_), METH_FASTCALL, nullptr},
    {"norm_gradients", plain(norm_gradients_), METH_FASTCALL, nullptr},
    {"channel_norm", plain(channel_norm_), METH_FASTCALL, nullptr},
    {"channel_norm_gradients", plain(channel_norm_gradients_), METH_FASTCALL, nullptr},
    {"softmax_gradient", plain(softmax_gradient_), METH_FASTCALL, nullptr},
    {"attention_gradients", plain(attention_gradients_), METH_FASTCALL, nullptr},
    {"cross_entropy", plain(cross_entropy_), METH_FASTCALL, nullptr},
    {"cross_entropy_gradient", plain(cross_entropy_gradient_), METH_FASTCALL, nullptr},
    {"max_pool", plain(max_pool_), METH_FASTCALL, nullptr},
    {"max_pool_gradient", plain(max_pool_gradient_), METH_FASTCALL, nullptr},
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace

void add_nn_gradients(PyObject* module) {
  if (PyModule_AddFunctions(module, functions) < 0) throw PythonError{};
}

}  // namespace strided::python
