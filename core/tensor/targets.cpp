#include "targets.hpp"

#include <algorithm>
#include <string>

#include "assign.hpp"
#include "errors.hpp"
#include "kernels/convert/packed.hpp"
#include "layout/contiguity.hpp"
#include "materialise.hpp"

namespace strided {

void require_float(const char* operation, const char* argument, DType dtype) {
  if (is_floating(dtype)) return;
  throw errors::dtype_mismatch(operation, std::string(argument) + " of " + std::string(name_of(dtype)),
                               "it is defined for floats",
                               is_complex(dtype) ? "give its .real or .abs()" : "use .to(strided.float32)");
}

Tensor target_for(const char* operation, Span shape, DType otherwise, const Target& target) {
  if (target.dtype) require_float(operation, "dtype", *target.dtype);
  if (target.out == nullptr) return empty_tensor(shape, target.dtype.value_or(otherwise));
  const Tensor& out = *target.out;
  require_float(operation, "out", out.dtype);
  if (target.dtype && *target.dtype != out.dtype) {
    throw errors::dtype_mismatch(operation, "out of " + std::string(name_of(out.dtype)),
                                 "dtype says " + std::string(name_of(*target.dtype)),
                                 "leave dtype out: the result is rounded to that of out");
  }
  require_shape(operation, shape, out.layout.shape(), "out must have the shape of the result");
  check_writable(out, operation);
  return out;
}

DType compute_dtype_for(DType common, const Target& target) {
  const bool wide = common == DType::Float64 || target.dtype == DType::Float64;
  return wide ? DType::Float64 : DType::Float32;
}

Tensor apart_from(const Tensor& out, const Tensor& x, bool in_place) {
  if (!ranges_touch(out, x)) return x;
  if (in_place && out.dtype == x.dtype && same_places(out, x)) return x;
  if (overlap_of(out, x) == Overlap::No) return x;
  return materialise(x, CopyReason::Overlapping, x.dtype, memory_order(x.layout));
}

std::vector<Index> places_of(const char* operation, const Tensor& rows, Index count, Index length) {
  if (!is_integral(rows.dtype)) {
    throw errors::dtype_mismatch(operation, "rows of " + std::string(name_of(rows.dtype)),
                                 "they are positions", "give integers");
  }
  const Index expected[] = {count};
  require_shape(operation, expected, rows.layout.shape(), "give one row of out for each row of x");
  std::vector<Index> places(static_cast<std::size_t>(count));
  kernels::convert::elements(rows.dtype, rows.data(), rows.step(0), DType::Int64,
                             reinterpret_cast<std::byte*>(places.data()), sizeof(Index), count);
  for (Index& place : places) place = normal_index(place, length, 0);
  return places;
}

}  // namespace strided
