// Writing into existing memory: allowed at all, and safe when source and destination share it.
#pragma once

#include <span>

#include "copy_log.hpp"
#include "scalar.hpp"
#include "tensor.hpp"

namespace strided {

// Raises ReadOnlyTensor or WriteThroughOverlap.
void check_writable(const Tensor& out, const char* operation);

// out[...] = source, as if the source had been copied first. Broadcasts the source, converts its dtype.
// A temporary is made only when no order of travel avoids it.
void assign(const Tensor& out, const Tensor& source, const char* operation = "copy_",
            CopyReason reason = CopyReason::Assign);

// Writes one value (the bits at `value`, of out.dtype) everywhere.
void assign_value(const Tensor& out, const void* value, const char* operation = "fill_");

// out[i] = start + i * step along a rank-1 tensor; in integers when both numbers are, else in double.
void assign_range(const Tensor& out, const Scalar& start, const Scalar& step);

// out[indices] = source for int64 tensors over the first axes of out (see kernels/gather.hpp).
void scatter_into(const Tensor& out, const Tensor& source, std::span<const Tensor> indices,
                  bool accumulate);

// May elements of dtype `from` be written to `to` without asking? Not when a kind is lost
// (float to int, complex to float, anything to bool).
bool can_store(DType from, DType to);
void check_can_store(DType from, DType to, const char* operation);

}  // namespace strided
