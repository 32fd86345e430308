"""Cosine similarity and normalization of vectors."""

from __future__ import annotations

from strided._native import Tensor
from strided.ops.define import operation


@operation(namespace="nn")
def normalize(input: Tensor, p: float = 2.0, dim: int = 1, eps: float = 1e-12) -> Tensor:
    """Return x normalized: divided by its p-norm along an axis. A new tensor.

    >>> import strided
    >>> [round(x, 3) for x in strided.nn.normalize(strided.tensor([3.0, 4.0]), dim=0).tolist()]
    [0.6, 0.8]
    """
    norm = input.norm(p, dim, keepdim=True)
    return input / norm.clamp(eps)


@operation(namespace="nn")
def cosine_similarity(x1: Tensor, x2: Tensor, dim: int = 1, eps: float = 1e-8) -> Tensor:
    """Return the cosine similarity of vectors along an axis. A new tensor.

    >>> import strided
    >>> a, b = strided.tensor([[1.0, 0.0]]), strided.tensor([[3.0, 4.0]])
    >>> round(strided.nn.cosine_similarity(a, b).item(), 4)
    0.6
    """
    lengths = [x.norm(2.0, dim, keepdim=True).clamp(eps) for x in (x1, x2)]
    return ((x1 / lengths[0]) * (x2 / lengths[1])).sum(dim)
