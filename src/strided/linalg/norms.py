"""Norms, condition numbers, least squares and chains of products, under NumPy's names."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

from strided._native import Tensor
from strided.errors import InvalidArgument, ShapeMismatch
from strided.linalg.decompositions import svdvals
from strided.linalg.lapack import matrices
from strided.linalg.matrix_functions import matrix_norm, pinv
from strided.linalg.solving import inv, solve
from strided.ops.arguments import Axes, as_integers, as_operand
from strided.ops.statistics import vector_norm


def norm(
    x: Any,
    ord: Any = None,
    axis: Axes = None,
    keepdims: bool = False,
    *,
    dim: Axes = None,
    keepdim: bool = False,
    out: Tensor | None = None,
) -> Tensor:
    """Return the norm of vectors or matrices. A new tensor.

    Without ``ord`` the root of the sum of squares along ``axis``, or of all elements; with it, one
    axis is of vectors and two are of matrices.

    >>> import strided
    >>> strided.linalg.norm(strided.tensor([3.0, 4.0])).item()
    5.0
    """
    values = as_operand(x)
    if values.dtype.kind not in "fc":
        values = values.to("float32")
    axis, kept = dim if axis is None else axis, keepdims or keepdim
    axes = None if axis is None else as_integers(axis)
    rank = values.ndim if axes is None else len(axes)
    if ord is None or (rank == 1 and not isinstance(ord, str)):
        found = vector_norm(values, 2 if ord is None else ord, axes, kept)
        return found if out is None else out.copy_(found)
    if rank != 2:
        raise ShapeMismatch(
            operation="norm",
            expected=(1, 2),
            got=(rank,),
            hint="with an order, give one axis of vectors, or two of matrices",
        )
    moved = values if axes is None else values.movedim(axes, (-2, -1))
    found = matrix_norm(moved, keepdims=kept, ord=ord)
    if kept and axes is not None:
        found = found.movedim((-2, -1), axes)
    return found if out is None else out.copy_(found)


def cond(x: Any, p: Any = None) -> Tensor:
    """Return the condition number of matrices: the norm times that of the inverse. A new tensor.

    >>> import strided
    >>> strided.linalg.cond(strided.tensor([[4.0, 0.0], [0.0, 2.0]])).item()
    2.0
    """
    a = matrices("cond", as_operand(x))
    if p in (None, 2, -2):
        values = svdvals(a)
        ratio = values[..., 0] / values[..., -1]
        return 1 / ratio if p == -2 else ratio
    return matrix_norm(a, ord=p) * matrix_norm(inv(a), ord=p)


class LeastSquares(NamedTuple):
    """What ``lstsq`` returns.

    >>> import strided
    >>> strided.linalg.lstsq(strided.eye(2), strided.ones(2)).rank.item()
    2
    """

    solution: Tensor
    residuals: Tensor
    rank: Tensor
    singular_values: Tensor


def lstsq(a: Any, b: Any, rcond: float | None = None) -> LeastSquares:
    """Return the x that brings ``a @ x`` closest to b, and residuals, rank, singular values.

    New tensors. Gradients pass the solution. Singular values up to ``rcond`` times the largest
    count as zero.

    >>> import strided
    >>> a = strided.tensor([[0.0, 1.0], [1.0, 1.0], [2.0, 1.0]])
    >>> strided.linalg.lstsq(a, strided.tensor([1.0, 3.0, 5.0])).solution.round().tolist()
    [2.0, 1.0]
    """
    left, right = matrices("lstsq", as_operand(a)), as_operand(b)
    right = right if right.dtype.kind in "fc" else right.to(left.dtype)
    rows, columns = left.shape[-2:]
    is_vector = right.ndim == 1
    if right.shape[-1 if is_vector else -2] != rows:
        raise ShapeMismatch(
            operation="lstsq",
            expected=(rows,),
            got=right.shape,
            hint="the right side needs as many rows as the matrix",
        )
    limit = 2.0 ** (-23 if left.itemsize <= 4 else -52) * max(rows, columns)
    limit = limit if rcond is None or rcond < 0 else rcond
    values = svdvals(left.detach())
    rank = (values > values.amax(-1, True) * limit).count_nonzero(-1)
    found = pinv(left, rtol=limit) @ right
    rest = (left @ found - right).abs().square().sum(-1 if is_vector else -2)
    exact = rows <= columns or bool((rank < columns).any())
    rest = rest.reshape(-1) if is_vector else rest
    return LeastSquares(found, rest[:0] if exact else rest, rank, values)


def multi_dot(arrays: Sequence[Any], *, out: Tensor | None = None) -> Tensor:
    """Return the product of several matrices, in the order that takes least work. A new tensor.

    >>> import strided
    >>> strided.linalg.multi_dot([strided.ones(2, 3), strided.ones(3, 1), strided.ones(1, 2)]).shape
    (2, 2)
    """
    parts = [as_operand(one) for one in arrays]
    if len(parts) < 2:
        raise InvalidArgument(
            argument="arrays", got=f"{len(parts)}", requirement="must be two or more matrices"
        )
    first, last = parts[0].ndim == 1, parts[-1].ndim == 1
    if first:
        parts[0] = parts[0].unsqueeze(0)
    if last:
        parts[-1] = parts[-1].unsqueeze(1)
    sides = [parts[0].shape[0], *(one.shape[1] for one in parts)]
    count = len(parts)
    work = [[0.0] * count for _ in range(count)]
    cut = [[0] * count for _ in range(count)]
    for length in range(1, count):
        for i in range(count - length):
            j = i + length
            work[i][j] = math.inf
            for k in range(i, j):
                cost = work[i][k] + work[k + 1][j] + sides[i] * sides[k + 1] * sides[j + 1]
                if cost < work[i][j]:
                    work[i][j], cut[i][j] = cost, k

    def product(i: int, j: int) -> Tensor:
        return parts[i] if i == j else product(i, cut[i][j]) @ product(cut[i][j] + 1, j)

    found = product(0, count - 1)
    found = found.squeeze(-1) if last else found
    found = found.squeeze(0) if first else found
    return found if out is None else out.copy_(found)


def tensorsolve(a: Any, b: Any, axes: Sequence[int] | None = None) -> Tensor:
    """Return the x for which ``tensordot(a, x, x.ndim)`` is b. A new tensor.

    >>> import strided
    >>> a = strided.eye(6).reshape(2, 3, 6)
    >>> strided.linalg.tensorsolve(a, strided.ones(2, 3)).shape
    (6,)
    """
    left, right = as_operand(a), as_operand(b)
    if axes is not None:
        moved = as_integers(axes)
        left = left.movedim(moved, tuple(range(left.ndim - len(moved), left.ndim)))
    shape = left.shape[right.ndim :]
    side = math.prod(shape)
    return solve(left.reshape(side, side), right.reshape(-1)).reshape(shape)


def tensorinv(a: Any, ind: int = 2) -> Tensor:
    """Return the inverse for ``tensordot`` along the first ``ind`` axes. A new tensor.

    >>> import strided
    >>> strided.linalg.tensorinv(strided.eye(6).reshape(2, 3, 6)).shape
    (6, 2, 3)
    """
    x = as_operand(a)
    if ind < 1:
        raise InvalidArgument(argument="ind", got=str(ind), requirement="must be positive")
    rows = math.prod(x.shape[:ind])
    return inv(x.reshape(rows, -1)).reshape(*x.shape[ind:], *x.shape[:ind])
