"""Cross-correlation of images with a kernel, and its gradients.

It is a matrix product that reads the windows of the image where they lie. A correlation and its two
gradients are each linear in both operands, so the gradients of each are the other two, and higher
orders need no more.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from strided import _native
from strided._native import Tensor
from strided.nn.padding import Pair, windows, zero_padded
from strided.ops.define import operation
from strided.ops.gradients import Backward, Call, Gradients

# Windows with fewer elements are columns of the product rather than rows.
_SMALL_WINDOW = 32
# Gradients of weights are summed in at most so many chunks, which threads share.
_MOST_CHUNKS = 8


class Kernel(NamedTuple):
    """Window, strides, padding and dilation: one number for rows, one for columns."""

    window: Pair
    stride: Pair = (1, 1)
    before: Pair = (0, 0)
    after: Pair = (0, 0)
    dilation: Pair = (1, 1)
    groups: int = 1


def _seen(x: Tensor, kernel: Kernel) -> Tensor:
    """Return the windows (n, groups, oh, ow, c, kh, kw) of images: a view, if nothing is padded."""
    if any(kernel.before) or any(kernel.after):
        x = zero_padded(x, kernel.before, kernel.after)
    seen = windows(x, kernel.window, kernel.stride, kernel.dilation)
    return seen.unflatten(1, (kernel.groups, -1)).permute(0, 1, 3, 4, 2, 5, 6)


def _correlate_gradient(
    call: Call, x: Tensor, weight: Tensor, *more: Tensor | Kernel | None
) -> Backward:
    kernel = more[-1]
    assert isinstance(kernel, Kernel)
    size, has_bias = (x.shape[2], x.shape[3]), isinstance(more[0], Tensor)
    saved = call.save(x if call.needs(1) else None, weight if call.needs(0) else None)
    wants_bias = has_bias and call.needs(2)

    def backward(g: Tensor) -> Gradients:
        x, weight = saved()
        gradients = (
            None if weight is None else correlate_input(g, weight, kernel, size),
            None if x is None else correlate_weight(g, x, kernel),
        )
        return (*gradients, g.sum((0, 2, 3)) if wants_bias else None) if has_bias else gradients

    return backward


@operation(gradient=_correlate_gradient, function=None, operands=2, namespace="nn")
def correlate(x: Tensor, weight: Tensor, kernel: Kernel) -> Tensor:
    """Return y (n, o, oh, ow) for images x (n, c, h, w) and weights (o, c / groups, kh, kw)."""
    seen = _seen(x, kernel)
    n, groups, rows, columns = seen.shape[:4]
    if groups == 1 and math.prod(seen.shape[4:]) < _SMALL_WINDOW:
        right = seen.select(1, 0).permute(0, 3, 4, 5, 1, 2)
        return _native.contract(weight.expand(n, *weight.shape), right, 1, 3)
    grouped = weight.unflatten(0, (groups, -1))
    sums = _native.contract(seen.transpose(0, 1), grouped.permute(0, 2, 3, 4, 1), 1, 3)
    del seen  # a padded copy is not needed any more
    made = _native.empty((n, len(weight), rows, columns), dtype=sums.dtype)
    made.unflatten(1, (groups, -1)).permute(1, 0, 3, 4, 2).copy_(sums)
    return made


@operation(gradient=_correlate_gradient, function=None, operands=3, namespace="nn")
def convolve(x: Tensor, weight: Tensor, bias: Tensor | None, kernel: Kernel) -> Tensor:
    """Return ``correlate(x, weight, kernel)`` plus a bias per channel."""
    made = correlate(x, weight, kernel)
    if bias is not None:
        made += bias.unflatten(0, (-1, 1, 1))
    return made


def _correlate_input_gradient(
    call: Call, g: Tensor, weight: Tensor, kernel: Kernel, size: Pair
) -> Backward:
    saved = call.save(g if call.needs(1) else None, weight if call.needs(0) else None)

    def backward(h: Tensor) -> Gradients:
        g, weight = saved()
        return (
            None if weight is None else correlate(h, weight, kernel),
            None if g is None else correlate_weight(g, h, kernel),
        )

    return backward


@operation(gradient=_correlate_input_gradient, function=None, operands=2, namespace="nn")
def correlate_input(g: Tensor, weight: Tensor, kernel: Kernel, size: Pair) -> Tensor:
    """Return the gradient of ``correlate`` with respect to images of this size."""
    if max(kernel.stride) > 1 and kernel.dilation == (1, 1):
        return _by_phases(g, weight, kernel, size)
    # Gradients with zeros between them (as many as the stride skips) and around them: then each
    # element of the image is the sum over one window, by the flipped weights.
    reach = [
        step * (length - 1) for step, length in zip(kernel.dilation, kernel.window, strict=True)
    ]
    shape = (*g.shape[:2], size[0] + reach[0], size[1] + reach[1])
    dilated = _native.zeros(shape, dtype=g.dtype)
    to = dilated
    for axis, (step, before) in enumerate(zip(kernel.stride, kernel.before, strict=True), 2):
        first = reach[axis - 2] - before
        skipped = max(0, -(first // step))
        last = min(g.shape[axis] - 1, (shape[axis] - 1 - first) // step)
        g = g.narrow(axis, skipped, max(0, last - skipped + 1))
        begin = min(first + skipped * step, shape[axis])
        to = to.narrow(axis, begin, max(0, (last - skipped) * step + 1))
    to[:, :, :: kernel.stride[0], :: kernel.stride[1]].copy_(g)
    flipped = weight.unflatten(0, (kernel.groups, -1)).transpose(1, 2).flip(-2, -1).contiguous()
    return correlate(
        dilated,
        flipped.flatten(0, 1),
        Kernel(kernel.window, dilation=kernel.dilation, groups=kernel.groups),
    )


def _by_phases(g: Tensor, weight: Tensor, kernel: Kernel, size: Pair) -> Tensor:
    """Return ``correlate_input`` for strides above 1, one phase of the image after another.

    Element h of the image meets weight k where k = h + before - step * i for a window i, so k has
    the remainder of h + before: every ``step``-th element is a sum with stride 1 over every
    ``step``-th weight.
    """
    channels = weight.shape[1] * kernel.groups
    made = _native.zeros((len(g), channels, *size), dtype=g.dtype)
    (down, across), (above, left) = kernel.stride, kernel.before
    for i in range(down):
        for j in range(across):
            some = weight[:, :, i::down, j::across]
            before = (-((i - above) // down), -((j - left) // across))
            first = i + down * before[0] - above, j + across * before[1] - left
            to = made[:, :, first[0] :: down, first[1] :: across]
            if 0 not in some.shape and 0 not in to.shape:
                part = Kernel((some.shape[2], some.shape[3]), before=before, groups=kernel.groups)
                to.copy_(correlate_input(g, some, part, (to.shape[2], to.shape[3])))
    return made


def _correlate_weight_gradient(call: Call, g: Tensor, x: Tensor, kernel: Kernel) -> Backward:
    size = (x.shape[2], x.shape[3])
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
    back = g.unflatten(0, split).unflatten(2, (groups, -1)).permute(0, 2, 1, 4, 5, 3)
    if math.prod(seen.shape[5:]) < _SMALL_WINDOW:
        sums = _native.contract(back.movedim(-1, 2), seen, 2, 3)
    else:
        sums = _native.contract(seen.permute(0, 1, 5, 6, 7, 2, 3, 4), back, 2, 3).movedim(-1, 2)
    return (sums.sum(0) if chunks > 1 else sums.select(0, 0)).flatten(0, 1).contiguous()
