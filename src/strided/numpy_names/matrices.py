"""Matrices by their diagonals and triangles, and the positions of these."""

from __future__ import annotations

from typing import Any

from strided import _native
from strided._native import Tensor
from strided.errors import InvalidArgument, ShapeMismatch
from strided.numpy_names.calls import numpys
from strided.ops.arguments import as_operand
from strided.ops.creation import arange, eye, zeros

# ---- diagonals ----


def _on_diagonal(x: Tensor, k: int) -> Tensor:
    side = x.shape[0] + abs(k)
    made = zeros((side, side), dtype=x.dtype)
    made.diagonal(k).copy_(x)
    return made


def fill_diagonal(a: Tensor, val: Any, wrap: bool = False) -> None:
    """Write values on the main diagonal, in place.

    With ``wrap`` the diagonal of a tall matrix begins again after it reached the last column.

    >>> import strided
    >>> x = strided.zeros(2, 2)
    >>> strided.fill_diagonal(x, 3)
    >>> x.tolist()
    [[3.0, 0.0], [0.0, 3.0]]
    """
    if not isinstance(a, Tensor) or a.ndim < 2:
        raise InvalidArgument(
            argument="a", got=str(a), requirement="must be a tensor of rank 2 or more"
        )
    if a.ndim == 2:
        rows, columns = a.shape
        starts = range(0, rows, columns + 1) if wrap and columns else range(1)
        value, at = as_operand(val).reshape(-1), 0
        for start in starts:
            line = a[start:].diagonal()
            count = line.shape[0]
            if value.size > 1:
                places = (arange(count) + at) % value.size
                line.copy_(value.index_select(0, places))
            else:
                line.fill_(value[0])
            at += count
        return
    if len(set(a.shape)) > 1:
        raise ShapeMismatch(
            operation="fill_diagonal",
            expected=a.shape[:1] * a.ndim,
            got=a.shape,
            hint="all axes of more than two must have the same length",
        )
    a.as_strided((a.shape[0],), (sum(a.stride()),)).copy_(as_operand(val))


def identity(n: int, dtype: Any = None) -> Tensor:
    """Return a square matrix with ones on its diagonal. A new tensor; float32 unless said.

    >>> import strided
    >>> strided.identity(2).tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """
    return eye(n, dtype=_native.float32 if dtype is None else dtype)


# ---- triangles ----


def tri(N: int, M: int | None = None, k: int = 0, dtype: Any = None) -> Tensor:
    """Return ones on and below the k-th diagonal, zeros elsewhere. A new tensor.

    >>> import strided
    >>> strided.tri(2, 3).tolist()
    [[1.0, 0.0, 0.0], [1.0, 1.0, 0.0]]
    """
    below = arange(N).unsqueeze(1) + k >= arange(N if M is None else M)
    return below.to(_native.float32 if dtype is None else dtype)


def _by_places(name: str, *values: Any) -> tuple[Tensor, ...]:
    found: tuple[Tensor, ...] = numpys(name, *values)
    return found


def tril_indices(n: int, k: int = 0, m: int | None = None) -> tuple[Tensor, ...]:
    """Return the rows and columns on and below the k-th diagonal of a matrix. New tensors.

    >>> import strided
    >>> [part.tolist() for part in strided.tril_indices(2)]
    [[0, 1, 1], [0, 0, 1]]
    """
    return _by_places("tril_indices", n, k, m)


def triu_indices(n: int, k: int = 0, m: int | None = None) -> tuple[Tensor, ...]:
    """Return the rows and columns on and above the k-th diagonal of a matrix. New tensors.

    >>> import strided
    >>> [part.tolist() for part in strided.triu_indices(2)]
    [[0, 0, 1], [0, 1, 1]]
    """
    return _by_places("triu_indices", n, k, m)


def tril_indices_from(arr: Tensor, k: int = 0) -> tuple[Tensor, ...]:
    """Return the rows and columns on and below a diagonal of this matrix. New tensors.

    >>> import strided
    >>> [part.tolist() for part in strided.tril_indices_from(strided.zeros(2, 2))]
    [[0, 1, 1], [0, 0, 1]]
    """
    return tril_indices(arr.shape[-2], k, arr.shape[-1])


def triu_indices_from(arr: Tensor, k: int = 0) -> tuple[Tensor, ...]:
    """Return the rows and columns on and above a diagonal of this matrix. New tensors.

    >>> import strided
    >>> [part.tolist() for part in strided.triu_indices_from(strided.zeros(2, 2))]
    [[0, 0, 1], [0, 1, 1]]
    """
    return triu_indices(arr.shape[-2], k, arr.shape[-1])


def diag_indices(n: int, ndim: int = 2) -> tuple[Tensor, ...]:
    """Return the positions of the main diagonal, an index for each axis. Views of one tensor.

    >>> import strided
    >>> [part.tolist() for part in strided.diag_indices(2)]
    [[0, 1], [0, 1]]
    """
    return (arange(n),) * ndim


def diag_indices_from(arr: Tensor) -> tuple[Tensor, ...]:
    """Return the positions of the main diagonal of this tensor. Views of one tensor.

    >>> import strided
    >>> [part.tolist() for part in strided.diag_indices_from(strided.zeros(2, 2))]
    [[0, 1], [0, 1]]
    """
    if arr.ndim < 2 or len(set(arr.shape)) > 1:
        raise ShapeMismatch(
            operation="diag_indices_from",
            expected=(arr.shape[0],) * 2 if arr.ndim else (1, 1),
            got=arr.shape,
            hint="all axes, two or more, must have the same length",
        )
    return diag_indices(arr.shape[0], arr.ndim)


def mask_indices(n: int, mask_func: Any, k: Any = 0) -> tuple[Tensor, ...]:
    """Return where a function such as ``triu`` keeps the ones of a matrix. New tensors.

    >>> import strided
    >>> [part.tolist() for part in strided.mask_indices(2, strided.triu)]
    [[0, 0, 1], [0, 1, 1]]
    """
    found: tuple[Tensor, ...] = (
        (mask_func(_native.zeros((n, n), dtype=_native.int64) + 1, k) != 0).argwhere().unbind(1)
    )
    return found


def vander(x: Any, N: int | None = None, increasing: bool = False) -> Tensor:
    """Return the powers of a vector's elements as columns of a matrix. A new tensor.

    >>> import strided
    >>> strided.vander(strided.tensor([2, 3]), 3).tolist()
    [[4, 2, 1], [9, 3, 1]]
    """
    column = as_operand(x)
    if column.ndim != 1:
        raise ShapeMismatch(
            operation="vander", expected=(column.size,), got=column.shape, hint="give a vector"
        )
    count = column.shape[0] if N is None else N
    powers = arange(count) if increasing else arange(count).flip(0)
    if column.dtype.kind in "iu":
        return column.unsqueeze(1) ** powers
    return column.unsqueeze(1) ** powers.to(column.dtype)
