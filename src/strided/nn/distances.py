"""Distances and similarities of vectors, and modules of them."""

from __future__ import annotations

from strided._native import Tensor
from strided.errors import ShapeMismatch
from strided.nn.layer_norm import cosine_similarity
from strided.nn.module import Module
from strided.ops.creation import arange
from strided.ops.define import operation


@operation(namespace="nn")
def pairwise_distance(
    x1: Tensor, x2: Tensor, p: float = 2.0, eps: float = 1e-6, keepdim: bool = False
) -> Tensor:
    """Return the p-norm of x1 - x2 + eps along the last axis. A new tensor.

    >>> import strided
    >>> a, b = strided.tensor([[3.0, 4.0]]), strided.zeros(1, 2)
    >>> strided.nn.pairwise_distance(a, b, eps=0.0).tolist()
    [5.0]
    """
    return (x1 - x2 + eps).norm(p, -1, keepdim=keepdim)


@operation(namespace="nn")
def pdist(input: Tensor, p: float = 2.0) -> Tensor:
    """Return the p-norm distance of each pair of rows (n, m): n (n - 1) / 2 numbers. A new tensor.

    >>> import strided
    >>> strided.nn.pdist(strided.tensor([[0.0], [3.0], [4.0]])).tolist()
    [3.0, 4.0, 1.0]
    """
    if input.ndim != 2:
        raise ShapeMismatch(
            operation="pdist",
            expected=(-1, -1),
            got=tuple(input.shape),
            hint="give one row per point",
        )
    count = len(input)
    above = arange(count).unsqueeze(1) < arange(count)
    first, second = above.nonzero().unbind(1)
    apart = input.index_select(0, first) - input.index_select(0, second)
    return apart.norm(p, -1)


class CosineSimilarity(Module):
    """Cosine similarity of vectors along an axis.

    >>> import strided
    >>> a, b = strided.tensor([[1.0, 0.0]]), strided.tensor([[3.0, 4.0]])
    >>> round(strided.nn.CosineSimilarity()(a, b).item(), 4)
    0.6
    """

    _shown = ("dim", "eps")

    def __init__(self, dim: int = 1, eps: float = 1e-8) -> None:
        self.dim, self.eps = dim, eps

    def forward(self, x1: Tensor, x2: Tensor) -> Tensor:
        return cosine_similarity(x1, x2, self.dim, self.eps)


class PairwiseDistance(Module):
    """The p-norm distance of vectors along the last axis.

    >>> import strided
    >>> a, b = strided.tensor([[3.0, 4.0]]), strided.zeros(1, 2)
    >>> round(strided.nn.PairwiseDistance()(a, b).item(), 4)
    5.0
    """

    _shown = ("norm", "eps", "keepdim")

    def __init__(self, p: float = 2.0, eps: float = 1e-6, keepdim: bool = False) -> None:
        self.norm, self.eps, self.keepdim = p, eps, keepdim

    def forward(self, x1: Tensor, x2: Tensor) -> Tensor:
        return pairwise_distance(x1, x2, self.norm, self.eps, self.keepdim)
