"""Copies and fills: elements that are written as they are."""

from __future__ import annotations

from typing import Any

from strided._native import Tensor
from strided.copies import forecast as forecasts
from strided.ops.define import operation


@operation(
    kind="either",
    native=("contiguous",),
    overloads=("(self, memory_format: MemoryFormat | None = None) -> Tensor",),
    function=None,
    forecast=forecasts.contiguous,
    effect="pack",
)
def contiguous(x: Tensor, /, memory_format: Any = None) -> Tensor:
    """Return the tensor in row-major or the given order: itself when it is, else a logged copy.

    >>> import strided
    >>> x = strided.zeros(2, 3)
    >>> x.contiguous() is x, x.T.contiguous().stride()
    (True, (2, 1))
    """
    ...


@operation(
    native=("clone",),
    overloads=("(self, memory_format: MemoryFormat | None = None) -> Tensor",),
    function=None,
    forecast=forecasts.clone,
    effect="same",
)
def clone(x: Tensor, /, memory_format: Any = None) -> Tensor:
    """Return a copy that keeps the axis order and closes gaps, or has the given order.

    >>> import strided
    >>> x = strided.zeros(4, 3)[::2].T
    >>> x.stride(), x.clone().stride(), x.clone(strided.row_major).stride()
    ((1, 6), (1, 3), (2, 1))
    """
    ...


@operation(function=None)
def copy(x: Tensor, /) -> Tensor:
    """Return a tensor with memory of its own, as ``clone()``: the name NumPy uses. A copy.

    >>> import strided
    >>> x = strided.zeros(2)
    >>> x.copy().shares_storage(x)
    False
    """
    return x.clone()


@operation(
    kind="in place",
    native=("copy_",),
    overloads=("(self, source: Any, /) -> Self",),
    function=None,
)
def copy_(x: Tensor, source: Any, /) -> Tensor:
    """Write the elements of a tensor or array into this one, in place. The source broadcasts.

    >>> import strided
    >>> strided.zeros(2, 2).copy_(strided.arange(2)).tolist()
    [[0.0, 1.0], [0.0, 1.0]]
    """
    ...


@operation(
    kind="in place",
    native=("fill_",),
    overloads=("(self, value: Any, /) -> Self",),
    function=None,
)
def fill_(x: Tensor, value: Any, /) -> Tensor:
    """Write one value everywhere, in place.

    >>> import strided
    >>> x = strided.zeros(3)
    >>> _ = x[1:].fill_(7)
    >>> x.tolist()
    [0.0, 7.0, 7.0]
    """
    ...


@operation(kind="in place", native=("zero_",), overloads=("(self) -> Self",), function=None)
def zero_(x: Tensor, /) -> Tensor:
    """Write zeros everywhere, in place.

    >>> import strided
    >>> strided.ones(2).zero_().tolist()
    [0.0, 0.0]
    """
    ...
