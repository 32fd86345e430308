// Compiles the nodes of a fused function into a chain of loops.
#pragma once

#include <deque>
#include <vector>

#include "fused.hpp"
#include "kernels/elementwise/chain.hpp"

namespace strided {

// An input, a number as an element of some dtype, or a reduction that is done already.
struct FusedLeaf {
  int node;
  DType dtype;
  bool operator==(const FusedLeaf&) const = default;
};

// The steps that compute some nodes from leaves.
struct FusedChain {
  std::vector<int> targets;       // written: the first operands
  std::vector<FusedLeaf> leaves;  // read: the operands after them
  std::vector<kernels::elementwise::Step> steps;
  std::deque<std::vector<kernels::elementwise::QuickOp>> quick;  // what steps point to: a deque keeps its places
  std::vector<Index> temporary;
};

FusedChain make_fused_chain(std::span<const FusedNode> nodes, std::span<const DType> dtypes,
                            std::vector<int> targets);

}  // namespace strided
