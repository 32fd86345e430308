#include "special_values.hpp"

#include <string>

#include "errors.hpp"
#include "kernels/special/special.hpp"
#include "layout/contiguity.hpp"

namespace strided {
namespace {

const double* elements_of(const Tensor& x) {
  if (x.dtype != DType::Float64 || !is_row_major(x.layout)) {
    throw errors::unsupported_operation("a special function", "it takes contiguous tensors of float64",
                                        "use strided.special");
  }
  return reinterpret_cast<const double*>(x.data());
}

}  // namespace

Tensor special_values(std::string_view name, const Tensor& a, const Tensor* b) {
  const auto* const function = kernels::special::find(name);
  if (function == nullptr || (function->binary != nullptr) != (b != nullptr)) {
    throw errors::unsupported_operation(std::string(name), "there is no such function", "use strided.special");
  }
  if (b != nullptr && a.layout.size() != b->layout.size()) {
    throw errors::shape_mismatch(std::string(name), a.layout.shape(), b->layout.shape(), "broadcast them first");
  }
  const double* const first = elements_of(a);
  const double* const second = b == nullptr ? nullptr : elements_of(*b);
  Tensor out = empty_tensor(a.layout.shape(), DType::Float64);
  kernels::special::run(*function, reinterpret_cast<double*>(out.data()), first, second, a.layout.size());
  return out;
}

}  // namespace strided
