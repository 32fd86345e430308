"""Norms and distances: of tensors, between rows of matrices; slices scaled to a norm."""

from __future__ import annotations

from typing import Any

from strided._native import Tensor
from strided.errors import DTypeMismatch, InvalidArgument, ShapeMismatch
from strided.ops.arguments import Axes, into
from strided.ops.creation import arange
from strided.ops.define import operation
from strided.ops.elementwise import where
from strided.ops.statistics import vector_norm


@operation(method=None, operands=1)
def norm(
    x: Tensor,
    /,
    p: Any = "fro",
    axis: Axes = None,
    keepdims: bool = False,
    out: Tensor | None = None,
    dtype: Any = None,
) -> Tensor:
    """Return the norm of all elements, or of vectors along axes. A new tensor, or ``out``.

    ``p`` is "fro" (2), "nuc" (the sum of singular values), or a number.

    >>> import strided
    >>> strided.norm(strided.tensor([3.0, 4.0])).item()
    5.0
    """
    if dtype is not None:
        x = x.to(dtype)
    if p == "nuc":
        from strided.linalg.matrix_functions import matrix_norm

        if axis is not None:
            x = x.movedim(axis, (-2, -1))
        return into(out, matrix_norm(x, ord="nuc", keepdims=keepdims), "norm")
    order = 2 if p in ("fro", None) else p
    return into(out, vector_norm(x, axis=axis, keepdims=keepdims, ord=order), "norm")


@operation(operands=2)
def dist(x: Tensor, other: Tensor, /, p: float = 2) -> Tensor:
    """Return the norm of the difference of two tensors, which broadcast. A new tensor.

    >>> import strided
    >>> strided.dist(strided.tensor([0.0, 0.0]), strided.tensor([3.0, 4.0])).item()
    5.0
    """
    return vector_norm(x - other, ord=p)


@operation(method=None, operands=2)
def cdist(x1: Tensor, x2: Tensor, /, p: float = 2.0, compute_mode: str | None = None) -> Tensor:
    """Return the distances between each row of one matrix and each of another. A new tensor.

    Stacks of matrices broadcast. ``compute_mode`` is PyTorch's: distances are always exact.

    >>> import strided
    >>> strided.cdist(strided.tensor([[0.0, 0.0]]), strided.tensor([[3.0, 4.0]])).item()
    5.0
    """
    if x1.ndim < 2 or x2.ndim < 2 or x1.shape[-1] != x2.shape[-1]:
        raise ShapeMismatch(
            operation="cdist",
            expected=(*x2.shape[:-1], x1.shape[-1] if x1.ndim else 1),
            got=x2.shape,
            hint="both are matrices whose rows are equally long",
        )
    if p < 0:
        raise InvalidArgument(argument="p", got=str(p), requirement="must not be negative")
    return vector_norm(x1.unsqueeze(-2) - x2.unsqueeze(-3), axis=-1, ord=p)


@operation(method=None)
def pdist(x: Tensor, /, p: float = 2.0) -> Tensor:
    """Return the distances between the rows of a matrix, each pair once. A new tensor.

    >>> import strided
    >>> strided.pdist(strided.tensor([[0.0], [1.0], [3.0]])).tolist()
    [1.0, 3.0, 2.0]
    """
    if x.ndim != 2:
        raise ShapeMismatch(
            operation="pdist", expected=(1, 1), got=x.shape, hint="give a matrix of rows"
        )
    count = x.shape[0]
    above = arange(count).unsqueeze(1) < arange(count)
    first, second = above.nonzero().unbind(1)
    return vector_norm(x[first] - x[second], axis=-1, ord=p)


@operation(in_place="several")
def renorm(
    x: Tensor, /, p: float, axis: int, maxnorm: float, *, out: Tensor | None = None
) -> Tensor:
    """Scale the slices along an axis whose norm exceeds a number to it. A new tensor, or ``out``.

    >>> import strided
    >>> strided.renorm(strided.tensor([[3.0, 4.0], [0.0, 1.0]]), 2, 0, 1).tolist()[1]
    [0.0, 1.0]
    """
    if x.ndim < 2:
        raise ShapeMismatch(
            operation="renorm", expected=(1, 1), got=x.shape, hint="it takes two axes or more"
        )
    if x.dtype.kind not in "fc":
        raise DTypeMismatch(
            operation="renorm", got=x.dtype.name, reason="norms are floats", hint="use x.float()"
        )
    others = tuple(a for a in range(x.ndim) if a != axis % x.ndim)
    size = vector_norm(x, axis=others, keepdims=True, ord=p)
    scale = where(size > maxnorm, maxnorm / (size + 1e-7), 1.0)
    return into(out, x * scale, "renorm")
