// Where the layers of a network write: fresh tensors and checked outs.
#pragma once

#include <vector>

#include "model.hpp"

namespace strided {

// Raises DTypeMismatch unless it is a float.
void require_float(const char* operation, const char* argument, DType dtype);

// Where a result of this shape goes: target.out, checked, or a fresh tensor of target.dtype or `otherwise`.
Tensor target_for(const char* operation, Span shape, DType otherwise, const Target& target);
// The dtype that is computed in, for a result of operands that promote to `common`.
DType compute_dtype_for(DType common, const Target& target);

// The tensor, or a copy of it where writing to `out` would change it. With `in_place`, a tensor that lies
// exactly there is read before it is written, and stays.
Tensor apart_from(const Tensor& out, const Tensor& x, bool in_place);

// What a layer reads: an argument, or a copy of it. An argument that is left out is null.
class LayerInput {
 public:
  // Where it `copies`, make() returns the copy.
  template <class Make>
  LayerInput(const Tensor* x, bool copies, Make&& make) : x_(x) {
    if (x == nullptr) return;
    if (copies) copy_ = make(), x_ = &copy_;
    operand_ = x_->operand();
  }
  // The copy is that of apart_from. A fresh result (`out` is null) overlaps nothing; finding that out would cost small
  // calls a tenth.
  LayerInput(const Tensor* out, const Tensor* x, bool in_place = false)
      : LayerInput(x, out != nullptr && x != nullptr && ranges_touch(*out, *x),
               [&] { return apart_from(*out, *x, in_place); }) {}
  LayerInput(const LayerInput&) = delete;

  const Tensor* get() const { return x_; }
  const Tensor& operator*() const { return *x_; }
  const Tensor* operator->() const { return x_; }
  // Null where there is none.
  const Operand* operand() const { return x_ == nullptr ? nullptr : &operand_; }

 private:
  const Tensor* x_;
  Tensor copy_;
  Operand operand_;
};

// Positions in an axis of `length`, as integers from 0 on. Raises ShapeMismatch unless there are `count`.
std::vector<Index> places_of(const char* operation, const Tensor& rows, Index count, Index length);

}  // namespace strided
