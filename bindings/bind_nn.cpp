// The layers of neural networks behind `strided.nn`.
#include "nn_arguments.hpp"
#include "tensor_parts.hpp"

namespace strided::python {
namespace {

// linear(x, weight, bias, out, rows, dtype)
PyObject* linear_(PyObject*, Args args, Py_ssize_t nargs) {
  return guarded([&] {
    expect_count("linear(x, weight, bias, out, rows, dtype)", 6, nargs);
    const Tensor x = expect_tensor(args[0], "x"), weight = expect_tensor(args[1], "weight");
    const Held bias(args[2], "bias"), rows(args[4], "rows");
    const HeldTarget target(args[3], args[5]);
    const Index outputs = weight.layout.rank() > 0 ? weight.layout.length(0) : 1;
    return target.filled(times(x.layout.size(), outputs) / kMultiplications, [&](const Target& to) {
      return linear(x, weight, bias.get(), rows.get(), to);
    });
  });
}

// rms_norm(x, weight, eps, out, dtype)
PyObject* rms_norm_(PyObject*, Args args, Py_ssize_t nargs) {
  return guarded([&] {
    expect_count("rms_norm(x, weight, eps, out, dtype)", 5, nargs);
    const Tensor x = expect_tensor(args[0], "x");
    const Held weight(args[1], "weight");
    const double eps = to_double(args[2]);
    return HeldTarget(args[3], args[4]).filled(x.layout.size(), [&](const Target& to) {
      return rms_norm(x, weight.get(), eps, to);
    });
  });
}

// rope(x, cos, sin, interleaved, out, rows)
PyObject* rope_(PyObject*, Args args, Py_ssize_t nargs) {
  return guarded([&] {
    expect_count("rope(x, cos, sin, interleaved, out, rows)", 6, nargs);
    const Tensor x = expect_tensor(args[0], "x"), cosine = expect_tensor(args[1], "cos");
    const Tensor sine = expect_tensor(args[2], "sin");
    const int interleaved = PyObject_IsTrue(args[3]);
    if (interleaved < 0) throw PythonError{};
    const Held rows(args[5], "rows");
    return HeldTarget(args[4], Py_None).filled(x.layout.size(), [&](const Target& to) {
      return rope(x, cosine, sine, interleaved != 0, rows.get(), to);
    });
  });
}

// swiglu(gate, up, out, dtype)
PyObject* swiglu_(PyObject*, Args args, Py_ssize_t nargs) {
  return guarded([&] {
    expect_count("swiglu(gate, up, out, dtype)", 4, nargs);
    const Tensor gate = expect_tensor(args[0], "gate"), up = expect_tensor(args[1], "up");
    const Index work = std::max(gate.layout.size(), up.layout.size());
    return HeldTarget(args[2], args[3]).filled(work, [&](const Target& to) { return swiglu(gate, up, to); });
  });
}

// softmax(x, dim, logarithm, out, dtype)
PyObject* softmax_(PyObject*, Args args, Py_ssize_t nargs) {
  return guarded([&] {
    expect_count("softmax(x, dim, logarithm, out, dtype)", 5, nargs);
    const Tensor x = expect_tensor(args[0], "x");
    const Index dim = to_index(args[1]);
    const bool logarithm = args[2] == Py_True;
    return HeldTarget(args[3], args[4]).filled(x.layout.size(), [&](const Target& to) {
      return softmax(x, dim, logarithm, to);
    });
  });
}

// embedding(tokens, weight, out, dtype)
PyObject* embedding_(PyObject*, Args args, Py_ssize_t nargs) {
  return guarded([&] {
    expect_count("embedding(tokens, weight, out, dtype)", 4, nargs);
    const Tensor tokens = expect_tensor(args[0], "tokens"), weight = expect_tensor(args[1], "weight");
    const Index width = weight.layout.rank() > 1 ? weight.layout.length(1) : 1;
    return HeldTarget(args[2], args[3]).filled(times(tokens.layout.size(), width), [&](const Target& to) {
      return embedding(tokens, weight, to);
    });
  });
}

// ---- attention ----

// The items of a tuple or list of `count` (any number, if negative); raises TypeError.
Ref items_of(PyObject* object, Py_ssize_t count, const char* what) {
  // The rows of a tensor are no list: there may be 2^62 of them.
  if (is_tensor(object)) {
    PyErr_SetString(PyExc_TypeError, what);
    throw PythonError{};
  }
  Ref list = Ref::checked(PySequence_Fast(object, what));
  if (count >= 0 && PySequence_Fast_GET_SIZE(list.get()) != count) {
    PyErr_SetString(PyExc_TypeError, what);
    throw PythonError{};
  }
  return list;
}
PyObject* item(const Ref& list, Py_ssize_t i) { return PySequence_Fast_GET_ITEM(list.get(), i); }

std::vector<QuerySequence> to_sequences(PyObject* object) {
  const Ref list = items_of(object, -1, "sequences must be a list of (count, [(key, value), ...])");
  std::vector<QuerySequence> sequences(static_cast<std::size_t>(PySequence_Fast_GET_SIZE(list.get())));
  for (std::size_t i = 0; i < sequences.size(); ++i) {
    const Ref pair = items_of(item(list, static_cast<Py_ssize_t>(i)), 2,
                              "a sequence must be a pair (count, [(key, value), ...])");
    // Only exact integers: __index__ could be anybody's code and change the lists.
    if (!PyLong_CheckExact(item(pair, 0))) {
      PyErr_SetString(PyExc_TypeError, "the count of a sequence must be an int");
      throw PythonError{};
    }
    sequences[i].count = to_index(item(pair, 0));
    const Ref past = items_of(item(pair, 1), -1, "the past of a sequence must be a list of (key, value)");
    const Py_ssize_t segments = PySequence_Fast_GET_SIZE(past.get());
    sequences[i].past.reserve(static_cast<std::size_t>(segments));
    for (Py_ssize_t k = 0; k < segments; ++k) {
      const Ref both = items_of(item(past, k), 2, "a segment of the past must be a pair (key, value)");
      sequences[i].past.push_back({expect_tensor(item(both, 0), "key"), expect_tensor(item(both, 1), "value")});
    }
  }
  return sequences;
}

// attention(query, sequences, scale, window, out, dtype)
PyObject* attention_(PyObject*, Args args, Py_ssize_t nargs) {
  return guarded([&] {
    expect_count("attention(query, sequences, scale, window, out, dtype)", 6, nargs);
    const Tensor query = expect_tensor(args[0], "query");
    AttentionOptions options;
    options.scale = optional_double(args[2]);
    if (is_given(args[3])) options.window = to_index(args[3]);
    const HeldTarget target(args[4], args[5]);
    const std::vector<QuerySequence> sequences = to_sequences(args[1]);
    Index keys = 0;
    for (const QuerySequence& sequence : sequences) {
      for (const KeyValues& past : sequence.past) keys += past.key.layout.size();
    }
    return target.filled(std::max(keys, query.layout.size()), [&](const Target& to) {
      return attention(query, sequences, options, to);
    });
  });
}

// dot_product_attention(query, key, value, mask, causal, scale, grouped)
PyObject* dot_product_attention_(PyObject*, Args args, Py_ssize_t nargs) {
  return guarded([&] {
    expect_count("dot_product_attention(query, key, value, mask, causal, scale, grouped)", 7, nargs);
    const Tensor query = expect_tensor(args[0], "query"), key = expect_tensor(args[1], "key");
    const Tensor value = expect_tensor(args[2], "value");
    const Held mask(args[3], "attn_mask");
    const int causal = PyObject_IsTrue(args[4]), grouped = PyObject_IsTrue(args[6]);
    if (causal < 0 || grouped < 0) throw PythonError{};
    const std::optional<double> scale = optional_double(args[5]);
    const Index positions = query.layout.rank() > 1 ? query.layout.length(query.layout.rank() - 2) : 1;
    return new_tensor_from([&] {
      const KernelTime released(times(key.layout.size(), positions) / kMultiplications);
      return dot_product_attention(query, key, value, mask.get(), causal != 0, scale, grouped != 0);
    });
  });
}

// activation_dtype(weight_dtype, rows) -> DType
PyObject* activation_dtype_(PyObject*, Args args, Py_ssize_t nargs) {
  return guarded([&] {
    expect_count("activation_dtype(dtype, rows)", 2, nargs);
    return from_dtype(activation_dtype(to_dtype(args[0]), to_index(args[1])));
  });
}

PyMethodDef functions[] = {
    {"linear", plain(linear_), METH_FASTCALL, nullptr},
    {"rms_norm", plain(rms_norm_), METH_FASTCALL, nullptr},
    {"rope", plain(rope_), METH_FASTCALL, nullptr},
    {"swiglu", plain(swiglu_), METH_FASTCALL, nullptr},
    {"softmax", plain(softmax_), METH_FASTCALL, nullptr},
    {"embedding", plain(embedding_), METH_FASTCALL, nullptr},
    {"attention", plain(attention_), METH_FASTCALL, nullptr},
    {"dot_product_attention", plain(dot_product_attention_), METH_FASTCALL, nullptr},
    {"activation_dtype", plain(activation_dtype_), METH_FASTCALL, nullptr},
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace

void add_nn(PyObject* module) {
  if (PyModule_AddFunctions(module, functions) < 0) throw PythonError{};
}

}  // namespace strided::python
