// Stacks of small square matrices: inverses, solutions, determinants.
#include <nanobind/nanobind.h>

#include "arguments.hpp"
#include "bind_ops.hpp"
#include "tensor/eliminated.hpp"
#include "tensor_object.hpp"

namespace nb = nanobind;

namespace strided::python {
namespace {

Tensor tensor_of(nb::handle object) { return expect_tensor(object.ptr(), "x"); }

nb::object to_object(Tensor tensor) { return nb::steal(new_tensor(std::move(tensor))); }

}  // namespace

void bind_elimination(nb::module_& m) {
  m.def("is_small_square", [](nb::handle a) { return is_small_square(tensor_of(a)); });
  m.def("solve_small", [](nb::handle a, nb::handle b) -> nb::object {
    const Tensor left = tensor_of(a), right = b.is_none() ? left : tensor_of(b);
    std::optional<Tensor> found;
    {
      const KernelTime released(left.layout.size() + right.layout.size());
      found = solved(left, b.is_none() ? nullptr : &right);
    }
    return found ? to_object(*std::move(found)) : nb::none();
  }, nb::arg("a"), nb::arg("b").none());
  m.def("small_determinants", [](nb::handle a) {
    const Tensor of = tensor_of(a);
    std::optional<Tensor> found;
    {
      const KernelTime released(of.layout.size());
      found = determinants(of);
    }
    return to_object(*std::move(found));
  });
  m.def("small_log_determinants", [](nb::handle a) {
    const Tensor of = tensor_of(a);
    std::optional<std::pair<Tensor, Tensor>> found;
    {
      const KernelTime released(of.layout.size());
      found = log_determinants(of);
    }
    return nb::make_tuple(to_object(std::move(found->first)), to_object(std::move(found->second)));
  });
}

}  // namespace strided::python
