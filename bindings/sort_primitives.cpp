// The primitives of sorting, selecting, searching and counting.
#include <algorithm>

#include "arguments.hpp"
#include "operation.hpp"
#include "tensor/reduced.hpp"
#include "tensor/searched.hpp"
#include "tensor/sorted.hpp"
#include "tensor_object.hpp"

namespace strided::python {
namespace {

using Values = PyObject* const*;

PyObject* to_object(std::optional<Tensor> tensor) {
  return tensor ? new_tensor(*std::move(tensor)) : Py_NewRef(Py_None);
}

template <class... Parts>
PyObject* tuple_of(Parts... parts) {
  Ref made = Ref::checked(PyTuple_New(sizeof...(parts)));
  Py_ssize_t at = 0;
  (PyTuple_SET_ITEM(made.get(), at++, to_object(std::move(parts))), ...);
  return made.release();
}

PyObject* tuple_of(Ranked ranked) { return tuple_of(std::move(ranked.values), std::move(ranked.places)); }

// What make(x) gives. Other Python threads may run meanwhile, and could give the object another layout.
template <class Make>
auto made(PyObject* object, Make&& make) {
  const Tensor x = expect_tensor(object, "x");
  const KernelTime released(x.layout.size());
  return make(x);
}

PyObject* in_order(Values v) {
  return guarded([&] {
    const Index axis = to_index(v[1]);
    const bool values = to_flag(v[2], "values"), places = to_flag(v[3], "places");
    const bool descending = to_flag(v[4], "descending");
    return tuple_of(made(v[0], [&](const Tensor& x) { return sorted(x, axis, values, places, descending); }));
  });
}

PyObject* topk(Values v) {
  return guarded([&] {
    const Index k = to_index(v[1]), axis = to_index(v[2]);
    const bool largest = to_flag(v[3], "largest"), in_order = to_flag(v[4], "sorted");
    return tuple_of(made(v[0], [&](const Tensor& x) { return first_of(x, axis, k, largest, in_order); }));
  });
}

PyObject* of_rank(Values v) {
  return guarded([&] {
    const Index rank = to_index(v[1]), axis = to_index(v[2]);
    const bool keepdims = to_flag(v[3], "keepdims");
    const auto nan = to_flag(v[4], "nan_wins") ? kernels::sort::Nan::Wins : kernels::sort::Nan::Last;
    return tuple_of(made(v[0], [&](const Tensor& x) { return ranked(x, axis, rank, keepdims, nan); }));
  });
}

template <bool largest>
PyObject* running_extreme(Values v) {
  return guarded([&] {
    const Index axis = to_index(v[1]);
    return tuple_of(made(v[0], [&](const Tensor& x) { return running_extremes(x, axis, largest); }));
  });
}

PyObject* distinct_rows(Values v) {
  return guarded([&] {
    const DistinctRequest request = {to_flag(v[1], "first"), to_flag(v[2], "inverse"), to_flag(v[3], "counts"),
                                     to_flag(v[4], "as_they_lie")};
    Distinct found = made(v[0], [&](const Tensor& x) { return distinct(x, request); });
    return tuple_of(std::optional(std::move(found.values)), std::move(found.first), std::move(found.inverse),
                    std::move(found.counts));
  });
}

PyObject* argwhere(Values v) {
  return guarded([&] {
    return to_object(made(v[0], [](const Tensor& x) { return nonzero_positions(x); }));
  });
}

PyObject* places_in(Values v) {
  return guarded([&] {
    const Tensor lists = expect_tensor(v[0], "x"), values = expect_tensor(v[1], "x");
    const bool right = to_flag(v[2], "right");
    return new_tensor_from([&] {
      const KernelTime released(std::max(lists.layout.size(), values.layout.size()));
      return places_in_sorted(lists, values, right);
    });
  });
}

PyObject* bin_counts_of(Values v) {
  return guarded([&] {
    std::optional<Tensor> weights;
    if (v[1] != Py_None) weights = expect_tensor(v[1], "weights");
    const Index least = to_index(v[2]);
    return to_object(made(v[0], [&](const Tensor& x) { return bin_counts(x, weights, least); }));
  });
}

}  // namespace

const PrimitiveRow sort_primitives[] = {
    {"in_order", "x axis values places descending", in_order},
    {"topk", "x k axis largest sorted out", topk},
    {"of_rank", "x rank axis keepdims nan_wins", of_rank},
    {"cummax", "x axis out", running_extreme<true>},
    {"cummin", "x axis out", running_extreme<false>},
    {"distinct_rows", "x first inverse counts as_they_lie", distinct_rows},
    {"argwhere", "x", argwhere},
    {"places_in", "lists values right", places_in},
    {"bin_counts", "x weights least", bin_counts_of},
    {nullptr, nullptr, nullptr},
};

}  // namespace strided::python
