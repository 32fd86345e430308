// Special functions, by their names.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include "arguments.hpp"
#include "bind_ops.hpp"
#include "tensor/special_values.hpp"
#include "tensor_object.hpp"

namespace nb = nanobind;

namespace strided::python {

void bind_special(nb::module_& m) {
  m.def("special_values", [](const std::string& name, nb::handle a, nb::handle b) {
    const Tensor first = expect_tensor(a.ptr(), "a");
    const Tensor second = b.is_none() ? first : expect_tensor(b.ptr(), "b");
    return nb::steal(new_tensor_from([&] {
      const KernelTime released(first.layout.size() * 64);
      return special_values(name, first, b.is_none() ? nullptr : &second);
    }));
  }, nb::arg("name"), nb::arg("a"), nb::arg("b").none());
}

}  // namespace strided::python
