// Which dtype two operands meet in.
//
// Within a kind the array API's table. Across kinds PyTorch's: bool < integer < float < complex, and the
// higher kind's own width wins (int64 + float32 is float32). The one pair with no answer that keeps
// values is uint64 with a signed integer: it raises DTypeMismatch and names the cast.
#pragma once

#include <optional>

#include "dtype.hpp"

namespace strided {

std::optional<DType> try_promote(DType a, DType b);
DType promote(const char* operation, DType a, DType b);

// What a Python number counts as beside a tensor: it takes the tensor's dtype unless its kind is higher.
enum class ScalarKind : std::uint8_t { Bool, Int, Float, Complex };
DType promote_scalar(DType tensor, ScalarKind scalar);

// The dtype of a complex number's parts; other dtypes are their own.
DType real_of(DType dtype);
// The complex dtype that holds a real one (float32 -> complex64, float64 -> complex128).
DType complex_of(DType dtype);
// Integers and bool become the default float.
DType float_of(DType dtype);

}  // namespace strided
