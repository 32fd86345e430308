"""Max and average pooling, their gradients and modules."""

from __future__ import annotations

from typing import cast

from strided import _native
from strided._native import Tensor, grad_mode
from strided.errors import InvalidArgument, ShapeMismatch
from strided.nn.module import Module
from strided.nn.padding import (
    Pair,
    Sizes,
    as_given,
    as_pair,
    images,
    per_axis,
    windows,
    zero_padded,
)
from strided.ops.arrays import tensor
from strided.ops.define import operation
from strided.ops.gradients import Backward, Call, Gradients
from strided.ops.joining import stack

# Small windows that tile a large image are added element by element, in dtypes that need no wider
# sum.
_SMALL_WINDOW, _MANY = 4, 1 << 13
_ADDED_UP = (_native.float32, _native.float64)


def _max_of_windows_gradient(call: Call, x: Tensor, *_windows: Pair) -> Backward:
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
    x: Tensor, window: Pair, stride: Pair, padding: Pair, dilation: Pair, counts: Pair
) -> tuple[Tensor, Tensor]:
    """Return the maximum of every window of (n, c, h, w), and its index in the image."""
    return _native.max_pool(x, *window, *stride, *padding, *dilation, *counts)


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
def adaptive_avg_pool2d(input: Tensor, output_size: Sizes | tuple[int | None, ...]) -> Tensor:
    """Return the adaptive average pooling of (n, c, height, width) to a size. A new tensor.

    >>> import strided
    >>> strided.nn.adaptive_avg_pool2d(strided.arange(6.0).reshape(1, 2, 3), 1).tolist()
    [[[2.5]]]
    """
    x = images("adaptive_avg_pool2d", input, 2)
    wanted = output_size if isinstance(output_size, int) else tuple(output_size)
    if not isinstance(wanted, int):
        wanted = tuple(x.shape[2 + i] if one is None else one for i, one in enumerate(wanted))
    for axis, count in enumerate(per_axis(cast(Sizes, wanted), 2, "output_size"), 2):
        length = x.shape[axis]
        if length % count == 0:
            x = x.unflatten(axis, (count, length // count)).mean(axis + 1)
            continue
        ends = [(i * length // count, -(-(i + 1) * length // count)) for i in range(count)]
        x = stack([x.narrow(axis, a, b - a).mean(axis) for a, b in ends], axis=axis)
    return as_given(x, input, 2)


def _counts(
    operation: str,
    x: Tensor,
    window: Pair,
    stride: Pair,
    padding: Pair,
    reach: Pair,
    ceil_mode: bool,
) -> Pair:
    """Return how many windows there are; each begins inside the image or the padding before it."""
    made = []
    for axis in (0, 1):
        length, step = x.shape[2 + axis], stride[axis]
        free = length + 2 * padding[axis] - reach[axis]
        count = (-(-free // step) if ceil_mode else free // step) + 1
        if ceil_mode and (count - 1) * step >= length + padding[axis]:
            count -= 1
        made.append(count)
    if min(made) < 1 or x.shape[2] == 0 or x.shape[3] == 0:
        raise ShapeMismatch(
            operation=operation,
            expected=tuple(window),
            got=tuple(x.shape),
            hint="no window fits into the input: give a smaller kernel_size",
        )
    return made[0], made[1]


def _checked(
    axes: int, kernel_size: Sizes, stride: Sizes | None, padding: Sizes
) -> tuple[Pair, Pair, Pair]:
    window = per_axis(kernel_size, axes, "kernel_size")
    strides = window if stride is None else per_axis(stride, axes, "stride")
    paddings = per_axis(padding, axes, "padding", 0)
    if any(2 * p > k for p, k in zip(paddings, window, strict=True)):
        raise InvalidArgument(
            argument="padding",
            got=repr(padding),
            requirement=f"must be at most half of the kernel size {window}",
        )
    return as_pair(window, 1), as_pair(strides, 1), as_pair(paddings, 0)


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
    dilations = as_pair(per_axis(dilation, axes, "dilation"), 1)
    reach = (dilations[0] * (window[0] - 1) + 1, dilations[1] * (window[1] - 1) + 1)
    counts = _counts(operation, x, window, strides, paddings, reach, ceil_mode)
    half = x.dtype in (_native.float16, _native.bfloat16)
    made, indices = max_of_windows(
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
    ends = [(counts[i] - 1) * strides[i] + window[i] - paddings[i] for i in (0, 1)]
    after = [max(0, ends[i] - size[i]) for i in (0, 1)]
    if any(paddings) or any(after):
        x = zero_padded(x, paddings, (after[0], after[1]))
    sums = windows(x, window, strides, (1, 1)).narrow(2, 0, counts[0]).narrow(3, 0, counts[1])
    if divisor is not None:
        return as_given(sums.sum((-2, -1)) / divisor, input, axes)
    # The elements that a window counts: with or without padding, never those beyond the padding.
    border = (0, 0) if not count_include_pad else paddings
    lengths = []
    for axis in (0, 1):
        low, high = -border[axis], size[axis] + border[axis]
        begins = [i * strides[axis] - paddings[axis] for i in range(counts[axis])]
        lengths.append([min(b + window[axis], high) - max(b, low) for b in begins])
    if all(one == window[axis] for axis in (0, 1) for one in lengths[axis]):
        tiles = strides == window and tuple(x.shape[2:]) == (
            counts[0] * window[0],
            counts[1] * window[1],
        )
        if tiles and max(window) <= _SMALL_WINDOW and x.size >= _MANY and x.dtype in _ADDED_UP:
            return as_given(means_of_tiles(x, window), input, axes)
        return as_given(sums.mean((-2, -1)), input, axes)
    rows, columns = (tensor(one, dtype=x.dtype) for one in lengths)
    return as_given(sums.sum((-2, -1)) / (rows.unsqueeze(1) * columns), input, axes)


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


class MaxPool2d(Module):
    """Max pooling of images.

    >>> import strided
    >>> strided.nn.MaxPool2d(2)(strided.arange(16.0).reshape(1, 1, 4, 4)).flatten().tolist()
    [5.0, 7.0, 13.0, 15.0]
    """

    _shown = ("kernel_size", "stride", "padding")

    def __init__(
        self,
        kernel_size: Sizes,
        stride: Sizes | None = None,
        padding: Sizes = 0,
        dilation: Sizes = 1,
        ceil_mode: bool = False,
    ) -> None:
        self.kernel_size = kernel_size
        self.stride = kernel_size if stride is None else stride
        self.padding, self.dilation, self.ceil_mode = padding, dilation, ceil_mode

    def forward(self, x: Tensor) -> Tensor:
        largest = max_pool2d(
            x, self.kernel_size, self.stride, self.padding, self.dilation, self.ceil_mode
        )
        assert isinstance(largest, Tensor)  # a pair only with return_indices
        return largest


class AvgPool2d(Module):
    """Average pooling of images.

    >>> import strided
    >>> strided.nn.AvgPool2d(2)(strided.arange(16.0).reshape(1, 1, 4, 4)).flatten().tolist()
    [2.5, 4.5, 10.5, 12.5]
    """

    _shown = ("kernel_size", "stride", "padding")

    def __init__(
        self,
        kernel_size: Sizes,
        stride: Sizes | None = None,
        padding: Sizes = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
    ) -> None:
        self.kernel_size = kernel_size
        self.stride = kernel_size if stride is None else stride
        self.padding, self.ceil_mode = padding, ceil_mode
        self.count_include_pad = count_include_pad

    def forward(self, x: Tensor) -> Tensor:
        return avg_pool2d(
            x, self.kernel_size, self.stride, self.padding, self.ceil_mode, self.count_include_pad
        )


class AdaptiveAvgPool2d(Module):
    """Adaptive average pooling of images to an output size.

    >>> import strided
    >>> strided.nn.AdaptiveAvgPool2d(1)(strided.arange(4.0).reshape(1, 1, 2, 2)).item()
    1.5
    """

    _shown = ("output_size",)

    def __init__(self, output_size: Sizes) -> None:
        self.output_size = output_size

    def forward(self, x: Tensor) -> Tensor:
        return adaptive_avg_pool2d(x, self.output_size)
