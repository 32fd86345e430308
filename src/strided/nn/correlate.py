"""Cross-correlation of images or volumes with a kernel, and its gradients.

It is a matrix product that reads the windows of the image where they lie. A correlation and its two
gradients are each linear in both operands, so the gradients of each are the other two, and higher
orders need no more.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import NamedTuple

from strided import _native
from strided._native import Tensor
from strided.nn.padding import Numbers, windows, zero_padded
from strided.ops.define import operation
from strided.ops.gradients import Backward, Call, Gradients

# Windows with fewer elements are columns of the product rather than rows.
_SMALL_WINDOW = 32
# Gradients of weights are summed in at most so many chunks, which threads share.
_MOST_CHUNKS = 8


class Kernel(NamedTuple):
    """Window, strides, padding and dilation: one number for each axis of the images."""

    window: Numbers
    stride: Numbers
    before: Numbers
    after: Numbers
    dilation: Numbers
    groups: int = 1

    @property
    def axes(self) -> int:
        """How many axes images have behind those of batch and channels."""
        return len(self.window)


def _plain(
    window: Numbers, dilation: Numbers, groups: int, before: Numbers | None = None
) -> Kernel:
    """Return a kernel of stride 1, padded in front and behind by the same number of zeros."""
    ones = (1,) * len(window)
    around = (0,) * len(window) if before is None else before
    return Kernel(window, ones, around, around, dilation, groups)


def _seen(x: Tensor, kernel: Kernel) -> Tensor:
    """Return the windows (n, groups, oh, ow, c, kh, kw) of images: a view, if nothing is padded.

    Volumes have one axis more in both places.
    """
    if any(kernel.before) or any(kernel.after):
        x = zero_padded(x, kernel.before, kernel.after)
    seen = windows(x, kernel.window, kernel.stride, kernel.dilation)
    places = range(3, 3 + kernel.axes)
    inside = range(3 + kernel.axes, 3 + 2 * kernel.axes)
    return seen.unflatten(1, (kernel.groups, -1)).permute(0, 1, *places, 2, *inside)


def _correlate_gradient(
    call: Call, x: Tensor, weight: Tensor, *more: Tensor | Kernel | None
) -> Backward:
    kernel = more[-1]
    assert isinstance(kernel, Kernel)
    size, has_bias = tuple(x.shape[2:]), isinstance(more[0], Tensor)
    saved = call.save(x if call.needs(1) else None, weight if call.needs(0) else None)
    wants_bias = has_bias and call.needs(2)

    def backward(g: Tensor) -> Gradients:
        x, weight = saved()
        gradients = (
            None if weight is None else correlate_input(g, weight, kernel, size),
            None if x is None else correlate_weight(g, x, kernel),
        )
        return (
            (*gradients, g.sum((0, *range(2, g.ndim))) if wants_bias else None)
            if has_bias
            else gradients
        )

    return backward


@operation(gradient=_correlate_gradient, function=None, operands=2, namespace="nn")
def correlate(x: Tensor, weight: Tensor, kernel: Kernel) -> Tensor:
    """Return y (n, o, oh, ow) for images x (n, c, h, w) and weights (o, c / groups, kh, kw)."""
    seen, axes = _seen(x, kernel), kernel.axes
    n, groups, *counts = seen.shape[: 2 + axes]
    summed = 1 + axes
    if groups == 1 and math.prod(seen.shape[2 + axes :]) < _SMALL_WINDOW:
        right = seen.select(1, 0)
        right = right.permute(0, *range(1 + axes, right.ndim), *range(1, 1 + axes))
        return _native.contract(weight.expand(n, *weight.shape), right, 1, summed)
    grouped = weight.unflatten(0, (groups, -1))
    grouped = grouped.permute(0, *range(2, grouped.ndim), 1)
    sums = _native.contract(seen.transpose(0, 1), grouped, 1, summed)
    del seen  # a padded copy is not needed any more
    made = _native.empty((n, len(weight), *counts), dtype=sums.dtype)
    split = made.unflatten(1, (groups, -1))
    split.permute(1, 0, *range(3, 3 + axes), 2).copy_(sums)
    return made


@operation(gradient=_correlate_gradient, function=None, operands=3, namespace="nn")
def convolve(x: Tensor, weight: Tensor, bias: Tensor | None, kernel: Kernel) -> Tensor:
    """Return ``correlate(x, weight, kernel)`` plus a bias per channel."""
    made = correlate(x, weight, kernel)
    if bias is not None:
        made += bias.unflatten(0, (-1, *(1,) * kernel.axes))
    return made


def _seen_by(h: Tensor, kernel: Kernel, counts: Sequence[int]) -> tuple[Tensor, Kernel]:
    """Return images without what lies behind so many windows, and a kernel that has no more.

    A transposed convolution may be longer than its windows by a stride and more.
    """
    after = []
    for axis, count in enumerate(counts):
        reach = (count - 1) * kernel.stride[axis] + kernel.dilation[axis] * (
            kernel.window[axis] - 1
        )
        free = reach + 1 - kernel.before[axis] - h.shape[2 + axis]
        if free < 0:
            h = h.narrow(2 + axis, 0, h.shape[2 + axis] + free)
        after.append(max(0, free))
    return h, kernel._replace(after=tuple(after))


def _correlate_input_gradient(
    call: Call, g: Tensor, weight: Tensor, kernel: Kernel, size: Numbers
) -> Backward:
    saved = call.save(g if call.needs(1) else None, weight if call.needs(0) else None)

    counts = g.shape[2:]

    def backward(h: Tensor) -> Gradients:
        g, weight = saved()
        h, own = _seen_by(h, kernel, counts)
        return (
            None if weight is None else correlate(h, weight, own),
            None if g is None else correlate_weight(g, h, own),
        )

    return backward


@operation(gradient=_correlate_input_gradient, function=None, operands=2, namespace="nn")
def correlate_input(g: Tensor, weight: Tensor, kernel: Kernel, size: Numbers) -> Tensor:
    """Return the gradient of ``correlate`` with respect to images of this size."""
    if max(kernel.stride) > 1 and max(kernel.dilation) == 1:
        return _by_phases(g, weight, kernel, size)
    # Gradients with zeros between them (as many as the stride skips) and around them: then each
    # element of the image is the sum over one window, by the flipped weights.
    reach = [
        step * (length - 1) for step, length in zip(kernel.dilation, kernel.window, strict=True)
    ]
    shape = (*g.shape[:2], *(n + more for n, more in zip(size, reach, strict=True)))
    dilated = _native.zeros(shape, dtype=g.dtype)
    to = dilated
    for axis, (step, before) in enumerate(zip(kernel.stride, kernel.before, strict=True), 2):
        first = reach[axis - 2] - before
        skipped = max(0, -(first // step))
        last = min(g.shape[axis] - 1, (shape[axis] - 1 - first) // step)
        g = g.narrow(axis, skipped, max(0, last - skipped + 1))
        begin = min(first + skipped * step, shape[axis])
        to = to.narrow(axis, begin, max(0, (last - skipped) * step + 1))
    key = (slice(None), slice(None), *(slice(None, None, step) for step in kernel.stride))
    to[key].copy_(g)
    flipped = weight.unflatten(0, (kernel.groups, -1)).transpose(1, 2)
    flipped = flipped.flip(*range(-kernel.axes, 0)).contiguous()
    return correlate(
        dilated,
        flipped.flatten(0, 1),
        _plain(kernel.window, kernel.dilation, kernel.groups),
    )


def _by_phases(g: Tensor, weight: Tensor, kernel: Kernel, size: Numbers) -> Tensor:
    """Return ``correlate_input`` for strides above 1, one phase of the image after another.

    Element h of the image meets weight k where k = h + before - step * i for a window i, so k has
    the remainder of h + before: every ``step``-th element is a sum with stride 1 over every
    ``step``-th weight.
    """
    channels = weight.shape[1] * kernel.groups
    made = _native.zeros((len(g), channels, *size), dtype=g.dtype)
    whole = slice(None)
    for phase in itertools.product(*map(range, kernel.stride)):
        steps = tuple(zip(phase, kernel.stride, kernel.before, strict=True))
        key = (whole, whole, *(slice(i, None, step) for i, step, _ in steps))
        some = weight[key]
        before = tuple(-((i - zeros) // step) for i, step, zeros in steps)
        firsts = [i + step * b - zeros for (i, step, zeros), b in zip(steps, before, strict=True)]
        places = [slice(f, None, step) for f, step in zip(firsts, kernel.stride, strict=True)]
        key = (whole, whole, *places)
        to = made[key]
        if 0 not in some.shape and 0 not in to.shape:
            window = tuple(some.shape[2:])
            part = _plain(window, (1,) * kernel.axes, kernel.groups, before)
            to.copy_(correlate_input(g, some, part, tuple(to.shape[2:])))
    return made


def _correlate_weight_gradient(call: Call, g: Tensor, x: Tensor, kernel: Kernel) -> Backward:
    size = tuple(x.shape[2:])
    saved = call.save(g if call.needs(1) else None, x if call.needs(0) else None)

    def backward(h: Tensor) -> Gradients:
        g, x = saved()
        return (
            None if x is None else correlate(x, h, kernel),
            None if g is None else correlate_input(g, h, kernel, size),
        )

    return backward


@operation(gradient=_correlate_weight_gradient, function=None, operands=2, namespace="nn")
def correlate_weight(g: Tensor, x: Tensor, kernel: Kernel) -> Tensor:
    """Return the gradient of ``correlate`` with respect to its weights."""
    n, groups = len(g), kernel.groups
    chunks = next(chunks for chunks in range(_MOST_CHUNKS, 0, -1) if n % chunks == 0)
    split = (chunks, n // chunks)
    seen = _seen(x, kernel).unflatten(0, split).transpose(1, 2)
    places, summed = range(4, 4 + kernel.axes), 1 + kernel.axes
    back = g.unflatten(0, split).unflatten(2, (groups, -1)).permute(0, 2, 1, *places, 3)
    inside = 3 + kernel.axes
    if math.prod(seen.shape[inside:]) < _SMALL_WINDOW:
        sums = _native.contract(back.movedim(-1, 2), seen, 2, summed)
    else:
        turned = seen.permute(0, 1, *range(inside, seen.ndim), *range(2, inside))
        sums = _native.contract(turned, back, 2, summed).movedim(-1, 2)
    return (sums.sum(0) if chunks > 1 else sums.select(0, 0)).flatten(0, 1).contiguous()
