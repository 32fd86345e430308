"""Padding (constant, reflect, replicate, circular), and sliding windows over padded images."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias, cast

from strided import _native
from strided._native import Tensor
from strided.errors import InvalidArgument, ShapeMismatch
from strided.ops.creation import full
from strided.ops.define import operation
from strided.ops.gradients import Backward, Call, Gradients
from strided.ops.joining import cat

_MODES = ("constant", "reflect", "replicate", "circular")


@operation(namespace="nn")
def pad(
    input: Tensor, pad: Sequence[int], mode: str = "constant", value: float | None = None
) -> Tensor:
    """Pad the last axes of a tensor. A new tensor, or a view.

    ``pad`` is (before, after) of the last axis, then of the one before it, and so on. Negative
    counts take elements away: if nothing is added the result is a view.

    >>> import strided
    >>> x = strided.tensor([[1.0, 2.0, 3.0]])
    >>> strided.nn.pad(x, (1, 2)).tolist()
    [[0.0, 1.0, 2.0, 3.0, 0.0, 0.0]]
    >>> strided.nn.pad(x, (2, 1), mode="reflect").tolist()
    [[3.0, 2.0, 1.0, 2.0, 3.0, 2.0]]
    >>> strided.nn.pad(x, (-1, 0)).shares_storage(x)
    True
    """
    counts = _counts(input, pad)
    if mode not in _MODES:
        raise InvalidArgument(
            argument="mode", got=repr(mode), requirement=f"must be one of {', '.join(_MODES)}"
        )
    if mode != "constant" and value is not None:
        raise InvalidArgument(
            argument="value", got=str(value), requirement="is for mode='constant' only"
        )
    if mode == "constant":
        return _constant(input, counts, 0.0 if value is None else value)
    for axis, (before, after) in counts.items():
        input = _along(input, axis, before, after, mode)
    return input


def _counts(x: Tensor, pad: Sequence[int]) -> dict[int, tuple[int, int]]:
    """Return axis: (before, after), first axis first."""
    if len(pad) % 2 or len(pad) // 2 > x.ndim:
        raise InvalidArgument(
            argument="pad",
            got=str(tuple(pad)),
            requirement=f"must be pairs, at most one per axis of {x.ndim}",
        )
    pairs = [(pad[i], pad[i + 1]) for i in range(0, len(pad), 2)]
    counts = {x.ndim - 1 - index: pair for index, pair in enumerate(pairs)}
    for axis, pair in counts.items():
        if x.shape[axis] + sum(pair) < 0:
            raise InvalidArgument(
                argument="pad",
                got=str(tuple(pad)),
                requirement=f"must leave an axis: axis {axis} has {x.shape[axis]} elements",
            )
    return dict(sorted(counts.items()))


def _cropped(x: Tensor, axis: int, before: int, after: int) -> Tensor:
    """Return x without the elements that negative counts take away. A view."""
    first, last = max(-before, 0), x.shape[axis] - max(-after, 0)
    return x if last - first == x.shape[axis] else x.narrow(axis, first, last - first)


def _constant(x: Tensor, counts: dict[int, tuple[int, int]], value: float) -> Tensor:
    for axis, (before, after) in counts.items():
        x = _cropped(x, axis, before, after)
    shape = list(x.shape)
    for axis, (before, after) in counts.items():
        shape[axis] += max(before, 0) + max(after, 0)
    if shape == list(x.shape):
        return x
    out = full(tuple(shape), value, dtype=x.dtype)
    inner = out
    for axis, (before, _) in counts.items():
        inner = inner.narrow(axis, max(before, 0), x.shape[axis])
    inner.copy_(x)
    return out


def _along(x: Tensor, axis: int, before: int, after: int, mode: str) -> Tensor:
    x = _cropped(x, axis, before, after)
    before, after, length = max(before, 0), max(after, 0), x.shape[axis]
    most = {"reflect": length - 1, "circular": length}.get(mode)
    if length == 0 or (most is not None and max(before, after) > most):
        raise InvalidArgument(
            argument="pad",
            got=f"({before}, {after}) of axis {axis}",
            requirement=f"must not be above {most or 0} for {length} elements and mode {mode!r}",
        )
    if not (before or after):
        return x
    if mode == "reflect":
        front = x.narrow(axis, 1, before).flip(axis)
        back = x.narrow(axis, length - 1 - after, after).flip(axis)
    elif mode == "circular":
        front, back = x.narrow(axis, length - before, before), x.narrow(axis, 0, after)
    else:
        shape = list(x.shape)
        front, back = (
            x.narrow(axis, index, 1).expand(*shape[:axis], count, *shape[axis + 1 :])
            for index, count in ((0, before), (length - 1, after))
        )
    return cat([front, x, back], axis)


Pair: TypeAlias = tuple[int, int]
Numbers: TypeAlias = tuple[int, ...]
Sizes: TypeAlias = int | Sequence[int]


def per_axis(value: Sizes, count: int, argument: str, least: int = 1) -> Numbers:
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


def as_pair(value: Numbers, single: int) -> Pair:
    """Return numbers for rows and columns; those of a signal get ``single`` for its one row."""
    return cast(Pair, as_axes(value, single))


def as_axes(value: Numbers, single: int) -> Numbers:
    """Return a number per axis of an image or a volume; a signal is an image of one row."""
    return value if len(value) > 1 else (single, *value)


_AXES = {1: "length", 2: "height, width", 3: "depth, height, width"}


def images(operation: str, x: Tensor, axes: int) -> Tensor:
    """Return x as (n, c, h, w) or (n, c, d, h, w), from that or from one of a batch.

    Signals (``axes`` = 1) become images with rows of 1 element.
    """
    if x.ndim == axes + 1:
        x = x.unsqueeze(0)
    elif x.ndim != axes + 2:
        raise ShapeMismatch(
            operation=operation,
            expected=(-1,) * (axes + 2),
            got=tuple(x.shape),
            hint=f"give (batch, channels, {_AXES[axes]})",
        )
    return x.unsqueeze(2) if axes == 1 else x


def as_given(made: Tensor, x: Tensor, axes: int) -> Tensor:
    """Return images or volumes with the axes that x had. A view."""
    if axes == 1:
        made = made.squeeze(2)
    return made if x.ndim == axes + 2 else made.squeeze(0)


def windows(x: Tensor, window: Numbers, stride: Numbers, dilation: Numbers) -> Tensor:
    """Return the windows (n, c, oh, ow, kh, kw) of images (n, c, h, w), also of volumes. A view."""
    for axis, (length, step, apart) in enumerate(zip(window, stride, dilation, strict=True), 2):
        x = x.unfold(axis, apart * (length - 1) + 1, step)
        if apart > 1:
            x = x[..., ::apart]
    return x


def _inside(x: Tensor, before: Numbers, lengths: Sequence[int]) -> Tensor:
    for axis, (first, length) in enumerate(zip(before, lengths, strict=True), 2):
        x = x.narrow(axis, first, length)
    return x


def _zero_padded_gradient(call: Call, x: Tensor, before: Numbers, after: Numbers) -> Backward:
    lengths = x.shape[2:]

    def backward(g: Tensor) -> Gradients:
        return (_inside(g, before, lengths),)

    return backward


@operation(gradient=_zero_padded_gradient, function=None, operands=1, namespace="nn")
def zero_padded(x: Tensor, before: Numbers, after: Numbers) -> Tensor:
    """Return images or volumes padded with zeros. A new tensor."""
    lengths = x.shape[2:]
    around = [b + n + a for b, n, a in zip(before, lengths, after, strict=True)]
    out = _native.zeros((*x.shape[:2], *around), dtype=x.dtype)
    _inside(out, before, lengths).copy_(x)
    return out
