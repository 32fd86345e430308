// The reductions inside a fused function, on one tile at a time.
#pragma once

#include "fused.hpp"
#include "reduced.hpp"

namespace strided {

inline bool is_variance(FusedNode::Fold fold) {
  return fold == FusedNode::Fold::Variance || fold == FusedNode::Fold::Deviation;
}
inline VarianceKind variance_kind_of(FusedNode::Fold fold) {
  return fold == FusedNode::Fold::Variance ? VarianceKind::Variance : VarianceKind::Deviation;
}

// A node's axes, bit by bit, as a list.
Axes axes_of(std::uint64_t bits, int rank);

// What parts of a fold are joined by: a mean's parts are sums.
Reduction plain(FusedNode::Fold fold);

// The value of a reducing node; its axes stay, with length 1.
Tensor folded(const FusedNode& node, const Tensor& x);

// The same for a part of what the node goes over: a mean's parts are sums, and halves add up in float32.
Tensor folded_part(const FusedNode& node, const Tensor& x);

}  // namespace strided
