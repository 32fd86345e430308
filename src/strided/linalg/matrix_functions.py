"""Matrix norms, powers, diagonals and traces, and cross products."""

from __future__ import annotations

import math
from typing import Any

from strided import _native
from strided._native import Tensor
from strided.errors import InvalidArgument, InvalidDimension, ShapeMismatch
from strided.linalg.adjoint import conjugate
from strided.linalg.lapack import matrices, real_dtype
from strided.linalg.singular_values import svdvals
from strided.linalg.solving import inv
from strided.ops.define import operation
from strided.ops.gradients import Backward, Call, Gradients
from strided.ops.statistics import sum as _sum
from strided.ops.statistics import vector_norm


@operation(namespace="linalg", converts=True)
def matrix_norm(x: Any, /, *, keepdims: bool = False, ord: float | str | None = "fro") -> Tensor:
    """Return a norm of matrices. A new tensor.

    ``ord``: "fro" (also None), "nuc", or 1, -1, 2, -2, inf, -inf: the largest (smallest) sum of a
    column, singular value, sum of a row.

    >>> import strided
    >>> x = strided.tensor([[3.0, 0.0], [0.0, -4.0]])
    >>> strided.linalg.matrix_norm(x).item(), strided.linalg.matrix_norm(x, ord=1).item()
    (5.0, 4.0)
    """
    x = matrices("matrix_norm", x)
    if ord in (None, "fro"):
        return vector_norm(x, axis=(-2, -1), keepdims=keepdims)
    found = _norm(x, ord)
    return found.unsqueeze(-1).unsqueeze(-1) if keepdims else found


def _norm(x: Tensor, ord: Any) -> Tensor:
    if ord == "nuc":
        return svdvals(x).sum(-1)
    if ord not in (1, -1, 2, -2, math.inf, -math.inf):
        raise InvalidArgument(
            argument="ord",
            got=repr(ord),
            requirement="must be 'fro', 'nuc', 1, -1, 2, -2, inf or -inf",
        )
    values = svdvals(x) if abs(ord) == 2 else x.abs().sum(-2 if abs(ord) == 1 else -1)
    if values.shape[-1] == 0:  # nothing to be the largest of
        return _native.zeros(values.shape[:-1], dtype=real_dtype(x.dtype))
    return values.amax(-1) if ord > 0 else values.amin(-1)


@operation(namespace="linalg", converts=True)
def cross(x1: Any, x2: Any, /, *, axis: int = -1) -> Tensor:
    """Return the cross products of vectors of 3 elements; other axes broadcast. A new tensor.

    >>> import strided
    >>> strided.linalg.cross(strided.tensor([1, 0, 0]), strided.tensor([0, 1, 0])).tolist()
    [0, 0, 1]
    """
    for x in (x1, x2):
        if not -x.ndim <= axis < x.ndim:
            raise InvalidDimension(dim=axis, rank=x.ndim)
        if x.shape[axis] != 3:
            raise ShapeMismatch(
                operation="cross",
                expected=(3,),
                got=(x.shape[axis],),
                hint=f"axis {axis} must have length 3 in both",
            )
    return cross_of_rows(x1.movedim(axis, -1), x2.movedim(axis, -1)).movedim(-1, axis)


def _cross_of_rows_gradient(call: Call, a: Tensor, b: Tensor) -> Backward:
    saved = call.save(a if call.needs(1) else None, b if call.needs(0) else None)

    def backward(g: Tensor) -> Gradients:
        a, b = saved()
        return (
            None if b is None else cross_of_rows(conjugate(b), g),
            None if a is None else cross_of_rows(g, conjugate(a)),
        )

    return backward


@operation(gradient=_cross_of_rows_gradient, function=None, namespace="linalg")
def cross_of_rows(a: Tensor, b: Tensor, /) -> Tensor:
    """Return the cross products of vectors along the last axis. A new tensor."""
    shape = _native.broadcast_shape(a.shape, b.shape)
    out = _native.empty(shape, dtype=_native.promote_types(a.dtype, b.dtype))
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        part = a[..., j].multiply(b[..., k], out=out[..., i])
        part -= a[..., k] * b[..., j]
    return out


@operation(numpy="linalg.matrix_power: a n", operands=1, namespace="linalg", converts=True)
def matrix_power(x: Any, n: int, /) -> Tensor:
    """Return the n-th power of square matrices, of their inverses for n < 0.

    A new tensor. The number of products grows with the logarithm of n.

    >>> import strided
    >>> strided.linalg.matrix_power(strided.tensor([[1.0, 1.0], [0.0, 1.0]]), 5).tolist()
    [[1.0, 5.0], [0.0, 1.0]]
    """
    x = matrices("matrix_power", x, square=True)
    if n == 0:
        ones = _native.zeros(x.shape, dtype=x.dtype)
        ones.diagonal(0, -2, -1).fill_(1)
        return ones
    factor, left = (x, n) if n > 0 else (inv(x), -n)
    power: Tensor | None = None
    while True:
        if left & 1:
            power = factor if power is None else power @ factor
        left >>= 1
        if not left:
            break
        factor = factor @ factor
    assert power is not None
    return power.clone() if power is x else power


@operation(kind="view", namespace="linalg", converts=True)
def diagonal(x: Any, /, *, offset: int = 0) -> Tensor:
    """Return a diagonal of each matrix, above the main one for a positive offset. A view.

    >>> import strided
    >>> strided.linalg.diagonal(strided.tensor([[1, 2], [3, 4]])).tolist()
    [1, 4]
    """
    if x.ndim < 2:
        raise InvalidDimension(dim=-2, rank=x.ndim)
    rows, columns = x.shape[-2:]
    # A diagonal beyond the corner is empty, however far beyond.
    view: Tensor = x.diagonal(max(-rows, min(columns, offset)), -2, -1)
    return view


@operation(namespace="linalg", converts=True)
def trace(x: Any, /, *, offset: int = 0, dtype: Any = None) -> Tensor:
    """Return the sum of a diagonal of each matrix. A new tensor; small integers sum to int64.

    >>> import strided
    >>> strided.linalg.trace(strided.tensor([[1, 2], [3, 4]])).item()
    5
    """
    return _sum(diagonal(x, offset=offset), axis=-1, dtype=dtype)
