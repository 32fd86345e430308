"""Diagonals: matrices made of them, their sum, and copies in which a part is another one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from strided._native import Tensor, empty, zeros
from strided.errors import InvalidArgument, ShapeMismatch, UnsupportedOperation
from strided.ops.define import operation
from strided.ops.manipulation import normal_axis
from strided.ops.statistics import sum as _sum


@operation(
    kind="either",
    also={"diagonal": "diagonal k", "x": "v"},
    forecast=lambda of: lambda x, *_, **options: of.itself(x) if x.ndim == 2 else of.clone(x),
)
def diag(x: Tensor, /, diagonal: int = 0) -> Tensor:
    """Return a matrix with a vector on its diagonal, a new tensor; or a matrix's diagonal, a view.

    >>> import strided
    >>> strided.diag(strided.tensor([1, 2])).tolist()
    [[1, 0], [0, 2]]
    >>> strided.arange(4).reshape(2, 2).diag().tolist()
    [0, 3]
    """
    if x.ndim == 1:
        return diag_embed(x, diagonal)
    if x.ndim != 2:
        raise UnsupportedOperation(
            operation="diag",
            reason=f"takes a vector or a matrix, this tensor has shape {x.shape}",
            hint="use x.diagonal(offset, dim1, dim2), or strided.diag_embed",
        )
    return x.diagonal(max(-x.shape[0], min(x.shape[1], diagonal)))


@operation()
def diag_embed(x: Tensor, /, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Tensor:
    """Return matrices with the last axis on a diagonal, zeros elsewhere. A new tensor.

    >>> import strided
    >>> strided.diag_embed(strided.tensor([[1, 2]])).tolist()
    [[[1, 0], [0, 2]]]
    """
    rank = x.ndim + 1
    first, second = normal_axis(dim1, rank), normal_axis(dim2, rank)
    if first == second:
        raise InvalidArgument(
            argument="dim2", got=str(dim2), requirement="must be another axis than dim1"
        )
    side = x.shape[-1] + abs(offset)
    shape = list(x.shape[:-1])
    for place in sorted((first, second)):
        shape.insert(place, side)
    made = zeros(shape, dtype=x.dtype)
    made.diagonal(offset, first, second).copy_(x)
    return made


@operation(also={"offset": "offset k", "x": "v"})
def diagflat(x: Tensor, /, offset: int = 0) -> Tensor:
    """Return a matrix with all elements on a diagonal, in row-major order. A new tensor.

    >>> import strided
    >>> strided.diagflat(strided.tensor([[1], [2]]), 1).tolist()
    [[0, 1, 0], [0, 0, 2], [0, 0, 0]]
    """
    return diag_embed(x.reshape(-1), offset)


@operation(
    also={"dim1": "dim1 axis1", "dim2": "dim2 axis2"},
    numpy="trace: a offset dim1=axis1 dim2=axis2 dtype",
)
def trace(x: Tensor, /, offset: int = 0, dim1: int = 0, dim2: int = 1, dtype: Any = None) -> Tensor:
    """Return the sum of a diagonal. A new tensor; small integers sum to int64.

    >>> import strided
    >>> strided.trace(strided.arange(9).reshape(3, 3)).item()
    12
    """
    return _sum(x.diagonal(offset, dim1, dim2), axis=-1, dtype=dtype)


@operation(function=None, kind="in place")
def fill_diagonal_(x: Tensor, /, fill_value: Any, wrap: bool = False) -> Tensor:
    """Write a value to the main diagonal, in place; of more axes to the elements i, i, ..., i.

    ``wrap`` begins again after each ``columns + 1`` rows of a tall matrix.

    >>> import strided
    >>> strided.zeros(2, 2).fill_diagonal_(5).tolist()
    [[5.0, 0.0], [0.0, 5.0]]
    """
    if x.ndim < 2 or (x.ndim > 2 and len(set(x.shape)) > 1):
        raise ShapeMismatch(
            operation="fill_diagonal_",
            expected=(x.shape[:1] or (1,)) * max(2, x.ndim),
            got=x.shape,
            hint="it takes a matrix, or a tensor whose axes are equally long",
        )
    length, step = min(x.shape), sum(x.stride())
    offset = x.storage_offset()
    rows, columns = x.shape[0], x.shape[1]
    if wrap and x.ndim == 2 and rows > columns + 1 and columns:
        for first in range(0, rows, columns + 1):
            part = x[first : first + columns]
            part.as_strided((min(part.shape),), (step,), part.storage_offset()).fill_(fill_value)
        return x
    x.as_strided((length,), (step,), offset).fill_(fill_value)
    return x


# ---- copies in which a part is another one ----


def _with_part(x: Tensor, name: str, part: Tensor, src: Tensor) -> None:
    if part.shape != src.shape:
        raise ShapeMismatch(
            operation=name, expected=part.shape, got=src.shape, hint="src has the shape of the part"
        )
    part.copy_(src)


@operation(operands=2)
def select_scatter(x: Tensor, /, src: Tensor, dim: int, index: int) -> Tensor:
    """Return a copy in which one index of an axis is ``src``. A new tensor.

    >>> import strided
    >>> strided.select_scatter(strided.zeros(2, 2), strided.ones(2), 0, 1).tolist()
    [[0.0, 0.0], [1.0, 1.0]]
    """
    made = x.clone()
    _with_part(made, "select_scatter", made.select(dim, index), src)
    return made


@operation(operands=2)
def slice_scatter(
    x: Tensor,
    /,
    src: Tensor,
    dim: int = 0,
    start: int | None = None,
    end: int | None = None,
    step: int = 1,
) -> Tensor:
    """Return a copy in which a slice of an axis is ``src``. A new tensor.

    >>> import strided
    >>> strided.slice_scatter(strided.zeros(4), strided.ones(2), start=1, step=2).tolist()
    [0.0, 1.0, 0.0, 1.0]
    """
    made = x.clone()
    key = (slice(None),) * normal_axis(dim, x.ndim) + (slice(start, end, step),)
    _with_part(made, "slice_scatter", made[key], src)
    return made


@operation(operands=2)
def diagonal_scatter(
    x: Tensor, /, src: Tensor, offset: int = 0, dim1: int = 0, dim2: int = 1
) -> Tensor:
    """Return a copy in which a diagonal is ``src``. A new tensor.

    >>> import strided
    >>> strided.diagonal_scatter(strided.zeros(2, 2), strided.ones(2)).tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """
    made = x.clone()
    _with_part(made, "diagonal_scatter", made.diagonal(offset, dim1, dim2), src)
    return made


@operation(operands=2)
def as_strided_scatter(
    x: Tensor,
    /,
    src: Tensor,
    size: Sequence[int],
    stride: Sequence[int],
    storage_offset: int | None = None,
) -> Tensor:
    """Return a copy in which the elements of a strided view are ``src``. A new tensor.

    >>> import strided
    >>> strided.as_strided_scatter(strided.zeros(4), strided.ones(2), (2,), (2,)).tolist()
    [1.0, 0.0, 1.0, 0.0]
    """
    made = empty(x.shape, dtype=x.dtype).copy_(x)
    offset = 0 if storage_offset is None else storage_offset
    _with_part(made, "as_strided_scatter", made.as_strided(size, stride, offset), src)
    return made


# ---- blocks ----


@operation(method=None, kind="new")
def block_diag(*tensors: Tensor) -> Tensor:
    """Return a matrix with the given ones along its diagonal, zeros elsewhere. A new tensor.

    >>> import strided
    >>> strided.block_diag(strided.ones(1, 2), strided.tensor([[7.0]])).tolist()
    [[1.0, 1.0, 0.0], [0.0, 0.0, 7.0]]
    """
    from strided.ops.data_types import result_type

    parts = [one.reshape(1, -1) if one.ndim < 2 else one for one in tensors]
    dtype = result_type(*parts)
    rows, columns = (sum(one.shape[axis] for one in parts) for axis in (0, 1))
    made = zeros((rows, columns), dtype=dtype)
    row = column = 0
    for one in parts:
        made[row : row + one.shape[0], column : column + one.shape[1]] = one
        row, column = row + one.shape[0], column + one.shape[1]
    return made


@operation(method=None)
def cartesian_prod(*tensors: Tensor) -> Tensor:
    """Return all combinations of the elements of vectors, one to a row. A new tensor.

    >>> import strided
    >>> strided.cartesian_prod(strided.tensor([1, 2]), strided.tensor([3, 4])).tolist()
    [[1, 3], [1, 4], [2, 3], [2, 4]]
    """
    from strided.ops.creation import meshgrid
    from strided.ops.joining import stack

    if len(tensors) == 1:
        return tensors[0].clone()
    grids = meshgrid(*tensors, indexing="ij")
    return stack([grid.reshape(-1) for grid in grids], axis=1)


@operation(method=None)
def combinations(x: Tensor, /, r: int = 2, with_replacement: bool = False) -> Tensor:
    """Return all choices of r elements of a vector, one to a row. A new tensor.

    >>> import strided
    >>> strided.combinations(strided.tensor([1, 2, 3])).tolist()
    [[1, 2], [1, 3], [2, 3]]
    """
    import itertools

    from strided.ops.arrays import asarray

    choose = itertools.combinations_with_replacement if with_replacement else itertools.combinations
    rows = list(choose(range(x.numel()), r))
    if not rows or not r:
        return empty((0, r) if r else (0,), dtype=x.dtype)
    return x[asarray(rows)]
