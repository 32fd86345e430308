"""Directions and classes as vectors."""

from __future__ import annotations

from strided import _native
from strided._native import Tensor, zeros
from strided.errors import DTypeMismatch, InvalidArgument


def normalize(input: Tensor, p: float = 2.0, dim: int = 1, eps: float = 1e-12) -> Tensor:
    """Return x divided by its norm along an axis. A new tensor.

    >>> import strided
    >>> [round(x, 3) for x in strided.nn.normalize(strided.tensor([3.0, 4.0]), dim=0).tolist()]
    [0.6, 0.8]
    """
    norm = input.norm(p, dim, keepdim=True)
    return input / norm.clamp(eps)


def cosine_similarity(x1: Tensor, x2: Tensor, dim: int = 1, eps: float = 1e-8) -> Tensor:
    """Return the cosine of the angle between vectors along an axis. A new tensor.

    >>> import strided
    >>> a, b = strided.tensor([[1.0, 0.0]]), strided.tensor([[3.0, 4.0]])
    >>> round(strided.nn.cosine_similarity(a, b).item(), 4)
    0.6
    """
    lengths = [x.norm(2.0, dim, keepdim=True).clamp(eps) for x in (x1, x2)]
    return ((x1 / lengths[0]) * (x2 / lengths[1])).sum(dim)


def one_hot(tensor: Tensor, num_classes: int = -1) -> Tensor:
    """Return classes as vectors with a one at their place, in int64. A new tensor.

    >>> import strided
    >>> strided.nn.one_hot(strided.tensor([2, 0])).tolist()
    [[0, 0, 1], [1, 0, 0]]
    """
    if tensor.dtype.kind not in "iu":
        raise DTypeMismatch(
            operation="one_hot",
            got=tensor.dtype.name,
            reason="a class is a whole number",
            hint="use .long()",
        )
    lowest, highest = (0, -1)
    if tensor.numel():
        lowest, highest = tensor.min().item(), tensor.max().item()
    classes = highest + 1 if num_classes == -1 else num_classes
    if lowest < 0 or highest >= classes or classes <= 0:
        raise InvalidArgument(
            argument="tensor",
            got=f"with classes {lowest} to {highest}",
            requirement=f"must lie in 0 to {classes - 1}: give num_classes",
        )
    out = zeros(*tensor.shape, classes, dtype=_native.int64)
    return out.scatter_(-1, tensor.to(_native.int64).unsqueeze(-1), 1)
