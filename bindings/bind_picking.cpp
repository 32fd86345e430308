// Elements picked by positions or masks, and written back.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include "bind_ops.hpp"
#include "tensor/picked.hpp"
#include "tensor_object.hpp"

namespace nb = nanobind;

namespace strided::python {
namespace {

using kernels::index::Combine;

Tensor tensor_of(nb::handle object) { return expect_tensor(object.ptr(), "x"); }

template <class Make>
nb::object fresh(Index elements, Make&& make) {
  return nb::steal(new_tensor_from([&] {
    const KernelTime released(elements);
    return make();
  }));
}

Combine to_combination(const std::string& name) {
  if (name == "add") return Combine::Add;
  if (name == "multiply") return Combine::Multiply;
  if (name == "least") return Combine::Least;
  if (name == "greatest") return Combine::Greatest;
  return Combine::Put;
}

}  // namespace

void bind_picking(nb::module_& m) {
  m.def("take", [](nb::handle x, nb::handle index, Index dim) {
    const Tensor source = tensor_of(x), positions = tensor_of(index);
    const Index work = std::max(source.layout.size(), positions.layout.size());
    return fresh(work, [&] { return picked_rows(source, dim, positions); });
  });
  m.def("take_flat", [](nb::handle x, nb::handle index) {
    const Tensor source = tensor_of(x), positions = tensor_of(index);
    return fresh(positions.layout.size(), [&] { return picked_flat(source, positions); });
  });
  m.def("gather", [](nb::handle x, Index dim, nb::handle index) {
    const Tensor source = tensor_of(x), positions = tensor_of(index);
    return fresh(positions.layout.size(), [&] { return picked_along(source, dim, positions); });
  });
  m.def("masked_select", [](nb::handle x, nb::handle mask) {
    const Tensor source = tensor_of(x), truth = tensor_of(mask);
    return fresh(source.layout.size(), [&] { return picked_where(source, truth); });
  });
  m.def("scatter_along", [](nb::handle out, Index dim, nb::handle index, nb::handle source,
                            const std::string& how, const std::string& operation) {
    const Tensor target = tensor_of(out), positions = tensor_of(index), from = tensor_of(source);
    const KernelTime released(positions.layout.size());
    put_along(target, dim, positions, from, to_combination(how), operation.c_str());
  });
  m.def("put_flat", [](nb::handle out, nb::handle index, nb::handle source, bool accumulate) {
    const Tensor target = tensor_of(out), positions = tensor_of(index), from = tensor_of(source);
    const KernelTime released(positions.layout.size());
    put_flat(target, positions, from, accumulate ? Combine::Add : Combine::Put, "put_");
  });
  m.def("masked_put", [](nb::handle out, nb::handle mask, nb::handle source, bool longer) {
    const Tensor target = tensor_of(out), truth = tensor_of(mask), from = tensor_of(source);
    const KernelTime released(target.layout.size());
    put_where(target, truth, from, longer, "masked assignment");
  });
}

}  // namespace strided::python
