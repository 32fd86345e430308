// Where the layers of a network write: fresh tensors and checked outs.
#pragma once

#include <vector>

#include "model.hpp"

namespace strided {

// Raises DTypeMismatch unless it is a float.
void require_float(const char* operation, const char* argument, DType dtype);

// Raises ShapeMismatch unless they are equal.
void require_shape(const char* operation, Span expected, Span got, const char* hint);

// Where a result of this shape goes: target.out, checked, or a fresh tensor of target.dtype or `otherwise`.
Tensor target_for(const char* operation, Span shape, DType otherwise, const Target& target);
// The dtype that is computed in, for a result of operands that promote to `common`.
DType compute_dtype_for(DType common, const Target& target);

// The tensor, or a copy of it where writing to `out` would change it. With `in_place`, a tensor that lies
// exactly there is read before it is written, and stays.
Tensor apart_from(const Tensor& out, const Tensor& x, bool in_place);
// The same for the `out` of a target. Fresh memory overlaps nothing; finding that out would cost small calls a tenth.
inline Tensor apart_from(const Target& target, const Tensor& out, const Tensor& x, bool in_place) {
  return target.out == nullptr ? x : apart_from(out, x, in_place);
}

// Positions in an axis of `length`, as integers from 0 on. Raises ShapeMismatch unless there are `count`.
std::vector<Index> places_of(const char* operation, const Tensor& rows, Index count, Index length);

}  // namespace strided
