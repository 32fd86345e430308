#include "fused_folds.hpp"

namespace strided {

using FoldOf = FusedNode::Fold;

Axes axes_of(std::uint64_t bits, int rank) {
  Axes axes;
  axes.all = false;
  for (int axis = 0; axis < rank; ++axis) {
    if (bits >> axis & 1) axes.list.push_back(axis);
  }
  return axes;
}

Reduction plain(FoldOf fold) {
  switch (fold) {
    case FoldOf::Prod: return Reduction::Prod;
    case FoldOf::Min: return Reduction::Min;
    case FoldOf::Max: return Reduction::Max;
    case FoldOf::Any: return Reduction::Any;
    case FoldOf::All: return Reduction::All;
    default: return Reduction::Sum;
  }
}

Tensor folded(const FusedNode& node, const Tensor& x) {
  const Axes axes = axes_of(node.axes, x.layout.rank());
  const ResultOptions kept{true};
  if (node.fold == FoldOf::Mean) return reduced(Reduction::Mean, x, axes, kept);
  if (is_variance(node.fold)) return variance_of(variance_kind_of(node.fold), x, axes, node.correction, kept);
  return reduced(plain(node.fold), x, axes, kept);
}

Tensor folded_part(const FusedNode& node, const Tensor& x) {
  const bool widen = is_half(x.dtype) && plain(node.fold) == Reduction::Sum;
  return reduced(plain(node.fold), x, axes_of(node.axes, x.layout.rank()),
                 {true, widen ? std::optional(DType::Float32) : std::nullopt});
}

}  // namespace strided
