"""Sliding windows over images: their arguments, views of them, zero padding."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from strided import _native
from strided._native import Tensor
from strided.errors import InvalidArgument, ShapeMismatch
from strided.ops.define import operation
from strided.ops.gradients import Backward, Call, Gradients

Pair: TypeAlias = tuple[int, int]
Sizes: TypeAlias = int | Sequence[int]


def per_axis(value: Sizes, count: int, argument: str, least: int = 1) -> tuple[int, ...]:
    """Return one integer per axis, from one for all axes or one each."""
    given = (value,) if isinstance(value, int) else tuple(value)
    if len(given) == 1:
        given *= count
    if len(given) != count or not all(isinstance(one, int) and one >= least for one in given):
        raise InvalidArgument(
            argument=argument,
            got=repr(value),
            requirement=f"must be a whole number of at least {least}, or {count} of them",
        )
    return given


def images(operation: str, x: Tensor, axes: int) -> Tensor:
    """Return x as (n, c, h, w), from that or one image, with rows of 1 element for ``axes`` = 1."""
    if x.ndim == axes + 1:
        x = x.unsqueeze(0)
    elif x.ndim != axes + 2:
        raise ShapeMismatch(
            operation=operation,
            expected=(-1,) * (axes + 2),
            got=tuple(x.shape),
            hint=f"give (batch, channels, {'height, width' if axes == 2 else 'length'})",
        )
    return x if axes == 2 else x.unsqueeze(2)


def as_given(made: Tensor, x: Tensor, axes: int) -> Tensor:
    """Return images (n, c, h, w) with the axes that x had. A view."""
    if axes == 1:
        made = made.squeeze(2)
    return made if x.ndim == axes + 2 else made.squeeze(0)


def windows(x: Tensor, window: Pair, stride: Pair, dilation: Pair) -> Tensor:
    """Return the windows (n, c, oh, ow, kh, kw) of images (n, c, h, w). A view."""
    for axis in (0, 1):
        reach = dilation[axis] * (window[axis] - 1) + 1
        x = x.unfold(2 + axis, reach, stride[axis])
        if dilation[axis] > 1:
            x = x[..., :: dilation[axis]]
    return x


def _zero_padded_gradient(call: Call, x: Tensor, before: Pair, after: Pair) -> Backward:
    height, width = x.shape[2:]

    def backward(g: Tensor) -> Gradients:
        return (g.narrow(2, before[0], height).narrow(3, before[1], width),)

    return backward


@operation(gradient=_zero_padded_gradient, function=None, operands=1, namespace="nn")
def zero_padded(x: Tensor, before: Pair, after: Pair) -> Tensor:
    """Return images padded with zeros. A new tensor."""
    n, c, height, width = x.shape
    shape = (n, c, before[0] + height + after[0], before[1] + width + after[1])
    out = _native.zeros(shape, dtype=x.dtype)
    out.narrow(2, before[0], height).narrow(3, before[1], width).copy_(x)
    return out
