"""Max and average pooling of signals, images and volumes, and their gradients."""

from __future__ import annotations

from typing import Literal, cast, overload

from strided import _native
from strided._native import Tensor, grad_mode
from strided.errors import InvalidArgument, ShapeMismatch
from strided.nn.padding import (
    Numbers,
    Pair,
    Sizes,
    as_axes,
    as_given,
    images,
    per_axis,
    windows,
    zero_padded,
)
from strided.ops.arrays import tensor
from strided.ops.define import operation
from strided.ops.gradients import Backward, Call, Gradients

# Small windows that tile a large image are added element by element, in dtypes that need no wider
# sum.
_SMALL_WINDOW, _MANY = 4, 1 << 13
_ADDED_UP = (_native.float32, _native.float64)


def _max_of_windows_gradient(call: Call, x: Tensor, *_windows: Numbers) -> Backward:
    size = x.shape[2:]
    saved = call.save(call.output[1])

    def backward(g: Tensor) -> Gradients:
        (indices,) = saved()
        if grad_mode():
            flat = _native.zeros((*g.shape[:2], size[0] * size[1]), dtype=g.dtype)
            listed = indices.flatten(2).to(_native.int64)
            return (flat.scatter_add(2, listed, g.flatten(2)).reshape((*g.shape[:2], *size)),)
        return (_native.max_pool_gradient(g, indices, *size),)

    return backward


@operation(gradient=_max_of_windows_gradient, function=None, operands=1, namespace="nn")
def max_of_windows(
    x: Tensor,
    window: Numbers,
    stride: Numbers,
    padding: Numbers,
    dilation: Numbers,
    counts: Numbers,
) -> tuple[Tensor, Tensor]:
    """Return the maximum of every window of (n, c, h, w), and its index in the image."""
    return _native.max_pool(x, *window, *stride, *padding, *dilation, *counts)


def _max_of_volumes(
    x: Tensor,
    window: Numbers,
    stride: Numbers,
    padding: Numbers,
    dilation: Numbers,
    counts: Numbers,
) -> tuple[Tensor, Tensor]:
    """Return the maximum of every window of (n, c, d, h, w): of its slices, then of those."""
    plans = (window, stride, padding, dilation, counts)
    n, c, depth, height, width = x.shape
    slices, inside = max_of_windows(x.flatten(1, 2), *(plan[1:] for plan in plans))
    area = counts[1] * counts[2]
    rows = slices.unflatten(1, (c, depth)).flatten(3)
    ones = (1, 1, 0, 1, area)
    made, chosen = max_of_windows(
        rows, *((plan[0], one) for plan, one in zip(plans, ones, strict=True))
    )
    picked = chosen.to(_native.int64)  # depth * area + place
    inner = inside.to(_native.int64).unflatten(1, (c, depth)).flatten(2)
    flat = inner.gather(2, picked.flatten(2)).reshape(picked.shape)
    indices = flat + picked // area * (height * width)
    shape = (n, c, *counts)
    return made.reshape(shape), indices.reshape(shape)


@overload
def max_pool1d(
    input: Tensor,
    kernel_size: Sizes,
    stride: Sizes | None = None,
    padding: Sizes = 0,
    dilation: Sizes = 1,
    ceil_mode: bool = False,
    return_indices: Literal[False] = False,
) -> Tensor: ...
@overload
def max_pool1d(
    input: Tensor,
    kernel_size: Sizes,
    stride: Sizes | None = None,
    padding: Sizes = 0,
    dilation: Sizes = 1,
    ceil_mode: bool = False,
    *,
    return_indices: Literal[True],
) -> tuple[Tensor, Tensor]: ...
@operation(namespace="nn")
def max_pool1d(
    input: Tensor,
    kernel_size: Sizes,
    stride: Sizes | None = None,
    padding: Sizes = 0,
    dilation: Sizes = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> Tensor | tuple[Tensor, Tensor]:
    """Return the max pooling of signals (n, c, length). A new tensor.

    >>> import strided
    >>> strided.nn.max_pool1d(strided.tensor([[1.0, 3.0, 2.0, 0.0]]), 2).tolist()
    [[3.0, 2.0]]
    """
    return _max_pool(
        "max_pool1d", 1, input, kernel_size, stride, padding, dilation, ceil_mode, return_indices
    )


@overload
def max_pool2d(
    input: Tensor,
    kernel_size: Sizes,
    stride: Sizes | None = None,
    padding: Sizes = 0,
    dilation: Sizes = 1,
    ceil_mode: bool = False,
    return_indices: Literal[False] = False,
) -> Tensor: ...
@overload
def max_pool2d(
    input: Tensor,
    kernel_size: Sizes,
    stride: Sizes | None = None,
    padding: Sizes = 0,
    dilation: Sizes = 1,
    ceil_mode: bool = False,
    *,
    return_indices: Literal[True],
) -> tuple[Tensor, Tensor]: ...
@operation(namespace="nn")
def max_pool2d(
    input: Tensor,
    kernel_size: Sizes,
    stride: Sizes | None = None,
    padding: Sizes = 0,
    dilation: Sizes = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> Tensor | tuple[Tensor, Tensor]:
    """Return the max pooling of images (n, c, height, width). A new tensor.

    With ``return_indices`` also the index in the flattened image.

    >>> import strided
    >>> strided.nn.max_pool2d(strided.arange(16.0).reshape(1, 4, 4), 2).tolist()
    [[[5.0, 7.0], [13.0, 15.0]]]
    """
    return _max_pool(
        "max_pool2d", 2, input, kernel_size, stride, padding, dilation, ceil_mode, return_indices
    )


@overload
def max_pool3d(
    input: Tensor,
    kernel_size: Sizes,
    stride: Sizes | None = None,
    padding: Sizes = 0,
    dilation: Sizes = 1,
    ceil_mode: bool = False,
    return_indices: Literal[False] = False,
) -> Tensor: ...
@overload
def max_pool3d(
    input: Tensor,
    kernel_size: Sizes,
    stride: Sizes | None = None,
    padding: Sizes = 0,
    dilation: Sizes = 1,
    ceil_mode: bool = False,
    *,
    return_indices: Literal[True],
) -> tuple[Tensor, Tensor]: ...
@operation(namespace="nn")
def max_pool3d(
    input: Tensor,
    kernel_size: Sizes,
    stride: Sizes | None = None,
    padding: Sizes = 0,
    dilation: Sizes = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> Tensor | tuple[Tensor, Tensor]:
    """Return the max pooling of volumes (n, c, depth, height, width). A new tensor.

    With ``return_indices`` also the index in the flattened volume.

    >>> import strided
    >>> strided.nn.max_pool3d(strided.arange(8.0).reshape(1, 2, 2, 2), 2).tolist()
    [[[[7.0]]]]
    """
    return _max_pool(
        "max_pool3d", 3, input, kernel_size, stride, padding, dilation, ceil_mode, return_indices
    )


@operation(namespace="nn")
def avg_pool1d(
    input: Tensor,
    kernel_size: Sizes,
    stride: Sizes | None = None,
    padding: Sizes = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
) -> Tensor:
    """Return the average pooling of signals (n, c, length). A new tensor.

    >>> import strided
    >>> strided.nn.avg_pool1d(strided.tensor([[1.0, 3.0, 2.0, 0.0]]), 2).tolist()
    [[2.0, 1.0]]
    """
    return _avg_pool(
        "avg_pool1d", 1, input, kernel_size, stride, padding, ceil_mode, count_include_pad, None
    )


@operation(namespace="nn")
def avg_pool2d(
    input: Tensor,
    kernel_size: Sizes,
    stride: Sizes | None = None,
    padding: Sizes = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
    divisor_override: int | None = None,
) -> Tensor:
    """Return the average pooling of images (n, c, height, width). A new tensor.

    >>> import strided
    >>> strided.nn.avg_pool2d(strided.arange(16.0).reshape(1, 4, 4), 2).tolist()
    [[[2.5, 4.5], [10.5, 12.5]]]
    """
    return _avg_pool(
        "avg_pool2d",
        2,
        input,
        kernel_size,
        stride,
        padding,
        ceil_mode,
        count_include_pad,
        divisor_override,
    )


@operation(namespace="nn")
def avg_pool3d(
    input: Tensor,
    kernel_size: Sizes,
    stride: Sizes | None = None,
    padding: Sizes = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
    divisor_override: int | None = None,
) -> Tensor:
    """Return the average pooling of volumes (n, c, depth, height, width). A new tensor.

    >>> import strided
    >>> strided.nn.avg_pool3d(strided.arange(8.0).reshape(1, 2, 2, 2), 2).tolist()
    [[[[3.5]]]]
    """
    more = stride, padding, ceil_mode, count_include_pad, divisor_override
    return _avg_pool("avg_pool3d", 3, input, kernel_size, *more)


def _counts(
    operation: str,
    x: Tensor,
    window: Numbers,
    stride: Numbers,
    padding: Numbers,
    reach: Numbers,
    ceil_mode: bool,
) -> Numbers:
    """Return how many windows there are; each begins inside the image or the padding before it."""
    made = []
    for axis, step in enumerate(stride):
        length = x.shape[2 + axis]
        free = length + 2 * padding[axis] - reach[axis]
        count = (-(-free // step) if ceil_mode else free // step) + 1
        if ceil_mode and (count - 1) * step >= length + padding[axis]:
            count -= 1
        made.append(count)
    if min(made) < 1 or 0 in x.shape[2:]:
        raise ShapeMismatch(
            operation=operation,
            expected=tuple(window),
            got=tuple(x.shape),
            hint="no window fits into the input: give a smaller kernel_size",
        )
    return tuple(made)


def _checked(
    axes: int, kernel_size: Sizes, stride: Sizes | None, padding: Sizes
) -> tuple[Numbers, Numbers, Numbers]:
    window = per_axis(kernel_size, axes, "kernel_size")
    strides = window if stride is None else per_axis(stride, axes, "stride")
    paddings = per_axis(padding, axes, "padding", 0)
    if any(2 * p > k for p, k in zip(paddings, window, strict=True)):
        raise InvalidArgument(
            argument="padding",
            got=repr(padding),
            requirement=f"must be at most half of the kernel size {window}",
        )
    return as_axes(window, 1), as_axes(strides, 1), as_axes(paddings, 0)


def _max_pool(
    operation: str,
    axes: int,
    input: Tensor,
    kernel_size: Sizes,
    stride: Sizes | None,
    padding: Sizes,
    dilation: Sizes,
    ceil_mode: bool,
    return_indices: bool,
) -> Tensor | tuple[Tensor, Tensor]:
    x = images(operation, input, axes)
    window, strides, paddings = _checked(axes, kernel_size, stride, padding)
    dilations = as_axes(per_axis(dilation, axes, "dilation"), 1)
    reach = tuple(d * (k - 1) + 1 for d, k in zip(dilations, window, strict=True))
    counts = _counts(operation, x, window, strides, paddings, reach, ceil_mode)
    half = x.dtype in (_native.float16, _native.bfloat16)
    pooled = _max_of_volumes if axes == 3 else max_of_windows
    made, indices = pooled(
        x.to(_native.float32) if half else x, window, strides, paddings, dilations, counts
    )
    largest = as_given(made.to(x.dtype) if half else made, input, axes)
    if not return_indices:
        return largest
    return largest, as_given(indices.to(_native.int64), input, axes)


def _avg_pool(
    operation: str,
    axes: int,
    input: Tensor,
    kernel_size: Sizes,
    stride: Sizes | None,
    padding: Sizes,
    ceil_mode: bool,
    count_include_pad: bool,
    divisor: int | None,
) -> Tensor:
    x = images(operation, input, axes)
    window, strides, paddings = _checked(axes, kernel_size, stride, padding)
    counts = _counts(operation, x, window, strides, paddings, window, ceil_mode)
    size = x.shape[2:]
    around = range(len(window))
    ends = [(counts[i] - 1) * strides[i] + window[i] - paddings[i] for i in around]
    after = tuple(max(0, ends[i] - size[i]) for i in around)
    if any(paddings) or any(after):
        x = zero_padded(x, paddings, after)
    sums = windows(x, window, strides, (1,) * len(window))
    for i in around:
        sums = sums.narrow(2 + i, 0, counts[i])
    inner = tuple(range(-len(window), 0))
    if divisor is not None:
        return as_given(sums.sum(inner) / divisor, input, axes)
    # The elements that a window counts: with or without padding, never those beyond the padding.
    border = paddings if count_include_pad else (0,) * len(window)
    lengths = []
    for axis in around:
        low, high = -border[axis], size[axis] + border[axis]
        begins = [i * strides[axis] - paddings[axis] for i in range(counts[axis])]
        lengths.append([min(b + window[axis], high) - max(b, low) for b in begins])
    if all(one == window[axis] for axis in around for one in lengths[axis]):
        covered = tuple(count * length for count, length in zip(counts, window, strict=True))
        tiles = strides == window and tuple(x.shape[2:]) == covered and len(window) == 2
        if tiles and max(window) <= _SMALL_WINDOW and x.size >= _MANY and x.dtype in _ADDED_UP:
            return as_given(means_of_tiles(x, cast(Pair, window)), input, axes)
        return as_given(sums.mean(inner), input, axes)
    divisors = tensor(1.0, dtype=x.dtype)
    for one in lengths:
        divisors = divisors.unsqueeze(-1) * tensor(one, dtype=x.dtype)
    return as_given(sums.sum(inner) / divisors, input, axes)


def _means_of_tiles_gradient(call: Call, x: Tensor, window: Pair) -> Backward:
    def backward(g: Tensor) -> Gradients:
        n, c, rows, columns = g.shape
        each = (g / (window[0] * window[1])).unsqueeze(3).unsqueeze(5)
        repeated = each.expand(n, c, rows, window[0], columns, window[1])
        return (repeated.reshape(n, c, rows * window[0], columns * window[1]),)

    return backward


@operation(gradient=_means_of_tiles_gradient, function=None, operands=1, namespace="nn")
def means_of_tiles(x: Tensor, window: Pair) -> Tensor:
    """Return the means of the tiles of (n, c, h, w): along rows first, all rows in one loop."""
    made = x[..., :: window[1]]
    for i in range(1, window[1]):
        made = made + x[..., i :: window[1]]
    rows = made
    made = rows[:, :, :: window[0]]
    for i in range(1, window[0]):
        made = made + rows[:, :, i :: window[0]]
    return made / (window[0] * window[1])
