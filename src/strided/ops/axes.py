"""Axes of reductions and of their gradients; formulas evaluated in one pass over memory."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from strided import _native
from strided._native import Tensor, grad_mode
from strided.ops.deferred import Deferred, evaluate

Axes = int | Sequence[int] | None
# Elements from which a kernel lets other threads run, and one pass over memory repays its
# preparation.
MANY = _native.WORTHWHILE


def in_one_pass(function: Callable[..., Any], *tensors: Tensor) -> Any:
    """Return an elementwise function of tensors, without temporaries where that pays."""
    few = max(one.size for one in tensors) < MANY
    if few or grad_mode() or any(one.dtype.is_complex for one in tensors):
        return function(*tensors)
    return evaluate([function(*map(Deferred.of, tensors))])[0]


def reduced_axes(x: Tensor, axis: Axes) -> tuple[int, ...]:
    """Return the axes that a reduction takes away, in order."""
    if axis is None:
        return tuple(range(x.ndim))
    axes = (axis,) if isinstance(axis, int) else tuple(axis)
    if x.ndim == 0:
        return ()
    return tuple(sorted(_native.normal_axis(one, x.ndim) for one in axes))


def count_along(x: Tensor, axes: Sequence[int]) -> int:
    """Return how many elements are reduced to one."""
    return math.prod(x.shape[axis] for axis in axes)


def with_axes(g: Tensor, axes: Sequence[int], kept: bool) -> Tensor:
    """Return the gradient of a reduction with its axes back, of length 1. A view."""
    if kept:
        return g
    for axis in axes:
        g = g.unsqueeze(axis)
    return g
