#include "promotion.hpp"

#include <algorithm>
#include <string>

#include "errors.hpp"

namespace strided {
namespace {

int rank_of(Kind kind) {
  switch (kind) {
    case Kind::Bool: return 0;
    case Kind::Signed: case Kind::Unsigned: return 1;
    case Kind::Float: return 2;
    case Kind::Complex: break;
  }
  return 3;
}

DType signed_of_size(int bytes) {
  switch (bytes) {
    case 1: return DType::Int8;
    case 2: return DType::Int16;
    case 4: return DType::Int32;
    default: return DType::Int64;
  }
}

std::optional<DType> promote_integers(DType a, DType b) {
  if (kind_of(a) == kind_of(b)) return itemsize(a) >= itemsize(b) ? a : b;
  const DType s = kind_of(a) == Kind::Signed ? a : b;
  const DType u = kind_of(a) == Kind::Signed ? b : a;
  if (itemsize(s) > itemsize(u)) return s;
  if (itemsize(u) == 8) return std::nullopt;
  return signed_of_size(2 * itemsize(u));
}

DType promote_floats(DType a, DType b) {
  // float16 and bfloat16 meet in float32: neither holds the other.
  if (is_half(a) && is_half(b)) return DType::Float32;
  return itemsize(a) >= itemsize(b) ? a : b;
}

}  // namespace

std::optional<DType> try_promote(DType a, DType b) {
  if (a == b) return a;
  const int rank_a = rank_of(kind_of(a));
  const int rank_b = rank_of(kind_of(b));
  if (rank_a == 1 && rank_b == 1) return promote_integers(a, b);
  if (rank_a == 2 && rank_b == 2) return promote_floats(a, b);
  if (rank_a == 3 || rank_b == 3) {
    const bool wide = a == DType::Float64 || b == DType::Float64 || a == DType::Complex128 ||
                      b == DType::Complex128;
    return wide ? DType::Complex128 : DType::Complex64;
  }
  return rank_a > rank_b ? a : b;
}

DType promote(const char* operation, DType a, DType b) {
  if (const auto common = try_promote(a, b)) return *common;
  const DType other = a == DType::UInt64 ? b : a;
  throw errors::dtype_mismatch(
      operation, std::string(name_of(a)) + " and " + std::string(name_of(b)),
      "no integer dtype holds the values of both",
      "x.to(strided." + std::string(name_of(other)) + ") or x.to(strided.float64) on the uint64 one");
}

DType promote_scalar(DType tensor, ScalarKind scalar) {
  switch (scalar) {
    case ScalarKind::Bool: return tensor;
    case ScalarKind::Int: return tensor == DType::Bool ? kDefaultInt : tensor;
    case ScalarKind::Float: return float_of(tensor);
    case ScalarKind::Complex: break;
  }
  return is_complex(tensor) ? tensor : complex_of(float_of(tensor));
}

DType real_of(DType dtype) {
  if (dtype == DType::Complex64) return DType::Float32;
  if (dtype == DType::Complex128) return DType::Float64;
  return dtype;
}

DType complex_of(DType dtype) {
  if (is_complex(dtype)) return dtype;
  return dtype == DType::Float64 ? DType::Complex128 : DType::Complex64;
}

DType float_of(DType dtype) {
  return is_floating(dtype) || is_complex(dtype) ? dtype : kDefaultFloat;
}

}  // namespace strided
