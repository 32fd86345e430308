// Several elementwise ops as one pass over memory, with reductions inside it and at its end.
//
// A function is given as nodes that name earlier nodes. The work is cut into tiles: ranges of the first axes,
// small enough for the cache. On each tile the reductions are computed one by one, then the results.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "compute.hpp"
#include "kernels/reduce/reduce.hpp"

namespace strided {

struct FusedNode {
  enum class Is : std::uint8_t { Input, Number, Compute, Convert, Reduce };
  enum class Fold : std::uint8_t { Sum, Prod, Min, Max, Any, All, Mean, Variance, Deviation };
  Is is;
  int arguments[3] = {-1, -1, -1};  // of Compute; the first also of Convert and Reduce
  int input = 0;                    // Input: which tensor
  Scalar number;                    // Number
  Op op{};                          // Compute
  DType dtype{};                    // Convert
  Fold fold{};                      // Reduce: over the axes of `axes`, which are kept with length 1
  std::uint64_t axes = 0;           // bit per axis of the common shape
  double correction = 0;            // of Variance and Deviation
};

// The dtype of every node.
std::vector<DType> fused_dtypes(std::span<const FusedNode> nodes, std::span<const Tensor> inputs);

// The values of the `wanted` nodes, in fresh memory (or in `out`, where given, one per wanted node; null
// for none). A wanted Reduce node may go over any axes; one that others use must go over the last axes
// only. Elementwise results have the shape to which all inputs broadcast, `shape`.
std::vector<Tensor> fused(std::span<const FusedNode> nodes, std::span<const Tensor> inputs,
                          std::span<const int> wanted, Span shape, std::span<const Tensor> out);

}  // namespace strided
