"""Elements written where a mask is true, as in PyTorch."""

from __future__ import annotations

import math
from typing import Any

from strided import _native
from strided._native import Tensor
from strided.ops.define import operation
from strided.ops.elementwise import where
from strided.ops.indexing import number_for
from strided.ops.indexing_gradients import Written, padded
from strided.ops.operands import MASK
from strided.ops.rule import Backward, Call, Gradients


@operation(function=None, forms={"mask": MASK})
def masked_fill(x: Tensor, /, mask: Any, value: Any) -> Tensor:
    """Return the tensor with a value where the mask is true; both broadcast. A new tensor.

    >>> import strided
    >>> strided.zeros(3).masked_fill(strided.tensor([True, False, True]), 7).tolist()
    [7.0, 0.0, 7.0]
    """
    return where(mask, number_for(x, value), x)


def _masked_fill_gradient(call: Call, x: Tensor, mask: Tensor, value: Any) -> Backward:
    wanted = Written(call, value)
    saved = call.save(mask)

    def backward(g: Tensor) -> Gradients:
        (mask,) = saved()
        of_x = where(mask, 0, g) if wanted.x else None
        return wanted.gradients(of_x, where(mask, g, 0).sum() if wanted.source else None)

    return backward


@operation(
    gradient=_masked_fill_gradient,
    function=None,
    kind="in place",
    forms={"mask": MASK},
    operands=3,
)
def masked_fill_(x: Tensor, /, mask: Any, value: Any) -> Tensor:
    """Write a value where the mask is true, in place. The mask broadcasts; nothing is gathered.

    >>> import strided
    >>> x = strided.zeros(3)
    >>> x.masked_fill_(strided.tensor([True, False, True]), 7).tolist()
    [7.0, 0.0, 7.0]
    """
    return where(mask, value, x, out=x)


def _masked_scatter_gradient(call: Call, x: Tensor, mask: Tensor, source: Tensor) -> Backward:
    wanted = Written(call, source)
    saved = call.save(mask.expand(*x.shape))
    shape = source.shape

    def backward(g: Tensor) -> Gradients:
        (mask,) = saved()
        of_x = where(mask, 0, g) if wanted.x else None
        if not wanted.source:
            return wanted.gradients(of_x, None)
        flat = padded(g.masked_select(mask), (math.prod(shape),))
        return wanted.gradients(of_x, flat.reshape(shape))

    return backward


@operation(
    gradient=_masked_scatter_gradient,
    function=None,
    kind="in place",
    on_a_copy=True,
    forms={"mask": MASK},
    operands=3,
)
def masked_scatter_(x: Tensor, /, mask: Any, source: Tensor) -> Tensor:
    """Write the elements of a tensor, one after the other, where the mask is true, in place.

    >>> import strided
    >>> x = strided.zeros(3)
    >>> x.masked_scatter_(strided.tensor([True, False, True]), strided.tensor([7.0, 8.0])).tolist()
    [7.0, 0.0, 8.0]
    """
    _native.masked_put(x, mask.expand(*x.shape), source.reshape(-1), True)
    return x
