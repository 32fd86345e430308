"""Operations that give a tensor itself another layout (``squeeze_``); no element is touched.

The tensor takes the layout of a view of itself, and the view's place in the graph.
"""

from __future__ import annotations

from collections.abc import Sequence

from strided._native import Tensor
from strided.autograd.in_place import take_layout
from strided.ops.define import operation


@operation(function=None, kind="in place")
def squeeze_(x: Tensor, /, axis: int | Sequence[int] | None = None) -> Tensor:
    """Drop axes of length 1 from this tensor in place. Changes its layout, moves nothing.

    >>> import strided
    >>> strided.zeros(1, 3).squeeze_().shape
    (3,)
    """
    return take_layout("squeeze_", x, x.squeeze() if axis is None else x.squeeze(axis))


@operation(function=None, kind="in place")
def unsqueeze_(x: Tensor, /, axis: int) -> Tensor:
    """Insert an axis of length 1 into this tensor in place. Changes its layout, moves nothing.

    >>> import strided
    >>> strided.zeros(3).unsqueeze_(0).shape
    (1, 3)
    """
    return take_layout("unsqueeze_", x, x.unsqueeze(axis))


@operation(function=None, aliases=("swapaxes_",), kind="in place")
def transpose_(x: Tensor, /, dim0: int, dim1: int) -> Tensor:
    """Swap two axes of this tensor in place. Changes its layout, moves nothing.

    >>> import strided
    >>> strided.zeros(2, 3).transpose_(0, 1).shape
    (3, 2)
    """
    return take_layout("transpose_", x, x.transpose(dim0, dim1))


@operation(function=None, kind="in place")
def t_(x: Tensor, /) -> Tensor:
    """Transpose this tensor of rank 0 to 2 in place. Changes its layout, moves nothing.

    >>> import strided
    >>> strided.zeros(2, 3).t_().shape
    (3, 2)
    """
    return take_layout("t_", x, x.t())


@operation(function=None, kind="in place")
def as_strided_(
    x: Tensor, /, size: Sequence[int], stride: Sequence[int], storage_offset: int | None = None
) -> Tensor:
    """Give this tensor any layout that stays inside its storage, in place. Moves nothing.

    >>> import strided
    >>> strided.arange(6).as_strided_((2, 2), (1, 2)).tolist()
    [[0, 2], [1, 3]]
    """
    return take_layout("as_strided_", x, x.as_strided(size, stride, storage_offset))
