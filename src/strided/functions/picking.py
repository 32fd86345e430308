"""Elements picked by positions or masks: ``take`` by the array API, the rest as in PyTorch."""

from __future__ import annotations

from typing import Any

from strided import _native
from strided._native import Tensor
from strided.autograd import recorded
from strided.errors import InvalidArgument
from strided.ops.arrays import asarray
from strided.ops.indexing import value_for
from strided.ops.operands import as_index
from strided.ops.results import into


def take(x: Any, indices: Any, /, *, axis: int | None = None, out: Tensor | None = None) -> Tensor:
    """Return the elements at positions along an axis, which rank 1 need not name. A new tensor.

    The shape of the indices takes the place of the axis.

    >>> import strided
    >>> strided.take(strided.tensor([[1, 2], [3, 4]]), strided.tensor([1, 0]), axis=1).tolist()
    [[2, 1], [4, 3]]
    """
    x = x if isinstance(x, Tensor) else asarray(x)
    if axis is None:
        if x.ndim > 1:
            raise InvalidArgument(
                argument="axis", got="None", requirement="must be given for more than one axis"
            )
        axis = 0
    return into(out, recorded.take(x, as_index(indices), axis), "take")


def take_along_axis(
    x: Any, indices: Any, /, *, axis: int | None = -1, out: Tensor | None = None
) -> Tensor:
    """Return the elements at positions along an axis; other axes broadcast. A new tensor.

    >>> import strided
    >>> x = strided.tensor([[3, 1], [2, 5]])
    >>> strided.take_along_axis(x, strided.argsort(x)).tolist()
    [[1, 3], [2, 5]]
    """
    return asarray(x).take_along_dim(indices, axis, out=out)


def put_along_axis(x: Tensor, indices: Any, values: Any, /, *, axis: int) -> None:
    """Write values to positions along an axis, in place; indices and values broadcast.

    >>> import strided
    >>> x = strided.zeros(2, 2)
    >>> strided.put_along_axis(x, strided.tensor([[1], [0]]), 7, axis=1)
    >>> x.tolist()
    [[0.0, 7.0], [7.0, 0.0]]
    """
    index = as_index(indices)
    at = _native.normal_axis(axis, x.ndim)
    shape = [index.shape[i] if i == at else n for i, n in enumerate(x.shape)]
    source = value_for(x, values)
    x.scatter_(at, index.expand(*shape), source.expand(*shape))


def gather(x: Any, dim: int, index: Any, *, out: Tensor | None = None) -> Tensor:
    """Return the elements at positions along an axis, one position for each result. A new tensor.

    >>> import strided
    >>> x = strided.tensor([[1, 2], [3, 4]])
    >>> strided.gather(x, 1, strided.tensor([[1], [0]])).tolist()
    [[2], [3]]
    """
    return into(out, recorded.gather(asarray(x), dim, as_index(index)), "gather")


def index_select(x: Any, dim: int, index: Any, *, out: Tensor | None = None) -> Tensor:
    """Return rows of an axis by their positions. A new tensor.

    >>> import strided
    >>> strided.index_select(strided.arange(3), 0, strided.tensor([2, 0])).tolist()
    [2, 0]
    """
    return asarray(x).index_select(dim, index, out=out)


def masked_select(x: Any, mask: Any) -> Tensor:
    """Return the elements where a mask is true, in a row; both broadcast. A new tensor.

    >>> import strided
    >>> strided.masked_select(strided.arange(3), strided.tensor([True, False, True])).tolist()
    [0, 2]
    """
    return asarray(x).masked_select(mask)
