"""Copies of all elements: in row-major or another order, always or only where they must move."""

from __future__ import annotations

from typing import Any

from strided._native import Tensor
from strided.copies import operation_forecasts as forecasts
from strided.ops.define import operation


@operation(
    kind="either",
    native=("contiguous",),
    overloads=("(self, memory_format: MemoryFormat | None = None) -> Tensor",),
    function=None,
    forecast=forecasts.contiguous,
    effect="pack",
)
def contiguous(x: Tensor, memory_format: Any = None, /) -> Tensor:
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
def clone(x: Tensor, memory_format: Any = None, /) -> Tensor:
    """Return a copy that keeps the axis order and closes gaps, or has the given order.

    >>> import strided
    >>> x = strided.zeros(4, 3)[::2].T
    >>> x.stride(), x.clone().stride(), x.clone(strided.row_major).stride()
    ((1, 6), (1, 3), (2, 1))
    """
    ...
