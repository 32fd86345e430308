// Special functions of whole tensors.
#pragma once

#include <string_view>

#include "tensor.hpp"

namespace strided {

// Applies the function of a name to contiguous tensors of float64 and of one shape; b is null where it takes one.
Tensor special_values(std::string_view name, const Tensor& a, const Tensor* b);

}  // namespace strided
