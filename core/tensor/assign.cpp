#include "assign.hpp"

#include <cstring>
#include <string>

#include "errors.hpp"
#include "kernels/copy/copy.hpp"
#include "kernels/index/gather.hpp"
#include "kernels/elementwise/range.hpp"
#include "layout/views.hpp"
#include "materialise.hpp"

namespace strided {
namespace {

int kind_rank(DType dtype) {
  switch (kind_of(dtype)) {
    case Kind::Bool: return 0;
    case Kind::Signed: case Kind::Unsigned: return 1;
    case Kind::Float: return 2;
    case Kind::Complex: break;
  }
  return 3;
}

}  // namespace

void check_writable(const Tensor& out, const char* operation) {
  if (!out.storage->writable()) throw errors::read_only(operation);
  if (out.layout.rank() == 0) return;
  // Only a sure "no" may pass: a layout whose self-overlap is too hard to decide is treated as one.
  if (overlaps_itself(out.layout) != Overlap::No) {
    throw errors::write_through_overlap(operation, out.layout.shape(), out.layout.strides());
  }
}

bool can_store(DType from, DType to) { return kind_rank(from) <= kind_rank(to); }

void check_can_store(DType from, DType to, const char* operation) {
  if (can_store(from, to)) return;
  const std::string target(name_of(to));
  throw errors::dtype_mismatch(operation, std::string(name_of(from)) + " into " + target,
                               "the result would lose its kind",
                               "write x.to(strided." + target + ") where that is meant");
}

void assign(const Tensor& out, const Tensor& source, const char* operation, CopyReason reason) {
  check_writable(out, operation);
  if (is_complex(source.dtype) && !is_complex(out.dtype)) {
    throw errors::dtype_mismatch(
        operation, std::string(name_of(source.dtype)) + " into " + std::string(name_of(out.dtype)),
        "the imaginary parts would be lost", "assign x.real");
  }
  Tensor from{source.storage, broadcast_to(source.layout, out.layout.shape()), source.dtype};
  if (out.dtype == from.dtype && same_places(out, from)) {
    out.storage->bump_version(operation);
    return;
  }
  if (ranges_touch(out, from) && overlap_of(out, from) != Overlap::No) {
    if (out.dtype == from.dtype && out.storage == from.storage &&
        kernels::copy::can_order_travel(out.layout, from.layout)) {
      log_copy(reason, from, out.layout, out.dtype);
      kernels::copy::copy_in_order(out.operand(), from.operand());
      out.storage->bump_version(operation);
      return;
    }
    from = materialise(from, CopyReason::Overlapping);
  }
  materialise_into(out, from, reason);
  out.storage->bump_version(operation);  // not before: the copy may be forbidden
}

void assign_value(const Tensor& out, const void* value, const char* operation) {
  check_writable(out, operation);
  out.storage->bump_version(operation);
  if (out.layout.rank() == 0) {
    std::memcpy(out.data(), value, static_cast<std::size_t>(out.item()));
    return;
  }
  kernels::copy::fill(out.operand(), value);
}

void assign_range(const Tensor& out, const Scalar& start, const Scalar& step) {
  check_writable(out, "arange");
  if (start.kind == ScalarKind::Int && step.kind == ScalarKind::Int) {
    kernels::elementwise::fill_range(out.operand(), start.integer, step.integer);
    return;
  }
  const auto real = [](const Scalar& s) {
    return s.kind == ScalarKind::Float ? s.real : static_cast<double>(s.integer);
  };
  kernels::elementwise::fill_range(out.operand(), real(start), real(step));
}

void scatter_into(const Tensor& out, const Tensor& source, std::span<const Tensor> indices,
                  bool accumulate) {
  check_writable(out, "index assignment");
  Tensor from = source;
  if (ranges_touch(out, from) && overlap_of(out, from) != Overlap::No) {
    from = materialise(from, CopyReason::Overlapping);
  }
  Operand positions[kMaxRank];
  for (std::size_t k = 0; k < indices.size(); ++k) positions[k] = indices[k].operand();
  // Positions that live in the written memory would change under the loop.
  Tensor kept[kMaxRank];
  for (std::size_t k = 0; k < indices.size(); ++k) {
    if (!ranges_touch(out, indices[k]) || overlap_of(out, indices[k]) == Overlap::No) continue;
    kept[k] = materialise(indices[k], CopyReason::Overlapping);
    positions[k] = kept[k].operand();
  }
  log_copy(CopyReason::Assign, from, from.layout, out.dtype);
  kernels::index::scatter(out.operand(), from.operand(), {positions, indices.size()},
                          accumulate ? kernels::index::Combine::Add : kernels::index::Combine::Put);
  out.storage->bump_version("index assignment");  // not before: positions out of bounds are refused
}

}  // namespace strided
