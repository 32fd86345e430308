// Sorting, selecting, searching and counting.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>

#include "arguments.hpp"
#include "bind_ops.hpp"
#include "tensor/searched.hpp"
#include "tensor/sorted.hpp"
#include "tensor_object.hpp"

namespace nb = nanobind;

namespace strided::python {
namespace {

Tensor tensor_of(nb::handle object) { return expect_tensor(object.ptr(), "x"); }

nb::object to_object(std::optional<Tensor> tensor) {
  if (!tensor) return nb::none();
  return nb::steal(new_tensor(*std::move(tensor)));
}

nb::tuple to_tuple(Ranked ranked) {
  return nb::make_tuple(to_object(std::move(ranked.values)), to_object(std::move(ranked.places)));
}

nb::tuple to_tuple(Distinct distinct) {
  return nb::make_tuple(to_object(std::move(distinct.values)), to_object(std::move(distinct.first)),
                        to_object(std::move(distinct.inverse)), to_object(std::move(distinct.counts)));
}

// Other Python threads may run while `make` works on `elements` elements.
template <class Make>
auto released(Index elements, Make&& make) {
  const KernelTime time(elements);
  return make();
}

}  // namespace

void bind_sorting(nb::module_& m) {
  m.def("sort", [](nb::handle x, Index dim, bool values, bool places, bool descending) {
    const Tensor tensor = tensor_of(x);
    return to_tuple(released(tensor.layout.size(),
                             [&] { return sorted(tensor, dim, values, places, descending); }));
  });
  m.def("topk", [](nb::handle x, Index k, Index dim, bool largest, bool in_order) {
    const Tensor tensor = tensor_of(x);
    return to_tuple(released(tensor.layout.size(),
                             [&] { return first_of(tensor, dim, k, largest, in_order); }));
  });
  m.def("select_rank", [](nb::handle x, Index rank, Index dim, bool keepdim, bool nan_wins) {
    const Tensor tensor = tensor_of(x);
    using kernels::sort::Nan;
    const Nan nan = nan_wins ? Nan::Wins : Nan::Last;
    return to_tuple(released(tensor.layout.size(),
                             [&] { return ranked(tensor, dim, rank, keepdim, nan); }));
  });
  m.def("running_extreme", [](nb::handle x, Index dim, bool largest) {
    const Tensor tensor = tensor_of(x);
    return to_tuple(released(tensor.layout.size(), [&] { return running_extremes(tensor, dim, largest); }));
  });
  m.def("unique", [](nb::handle x, bool first, bool inverse, bool counts, bool as_they_lie) {
    const Tensor tensor = tensor_of(x);
    return to_tuple(released(tensor.layout.size(), [&] {
      return distinct(tensor, {first, inverse, counts, as_they_lie});
    }));
  });
  m.def("searchsorted", [](nb::handle lists, nb::handle values, bool right) {
    const Tensor sorted = tensor_of(lists), queries = tensor_of(values);
    return to_object(released(std::max(sorted.layout.size(), queries.layout.size()),
                              [&] { return places_in_sorted(sorted, queries, right); }));
  });
  m.def("bincount", [](nb::handle x, nb::handle weights, Index minlength) {
    const Tensor tensor = tensor_of(x);
    std::optional<Tensor> added;
    if (!weights.is_none()) added = tensor_of(weights);
    return to_object(released(tensor.layout.size(), [&] { return bin_counts(tensor, added, minlength); }));
  }, nb::arg("x"), nb::arg("weights").none(), nb::arg("minlength"));
}

}  // namespace strided::python
