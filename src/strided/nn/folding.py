"""Windows of images as columns (unfold), the sum of such columns (fold), and their modules."""

from __future__ import annotations

import math

from strided import _native
from strided._native import Tensor
from strided.errors import ShapeMismatch
from strided.nn.module import Module
from strided.nn.padding import Numbers, Sizes, per_axis, windows, zero_padded
from strided.ops.define import operation
from strided.ops.gradients import Backward, Call, Gradients


def _window(
    kernel_size: Sizes, dilation: Sizes, padding: Sizes, stride: Sizes
) -> tuple[Numbers, Numbers, Numbers, Numbers]:
    return (
        per_axis(kernel_size, 2, "kernel_size"),
        per_axis(dilation, 2, "dilation"),
        per_axis(padding, 2, "padding", 0),
        per_axis(stride, 2, "stride"),
    )


@operation(namespace="nn")
def unfold(
    input: Tensor,
    kernel_size: Sizes,
    dilation: Sizes = 1,
    padding: Sizes = 0,
    stride: Sizes = 1,
) -> Tensor:
    """Return the windows of images (n, c, height, width) as columns (n, c kh kw, windows).

    A new tensor. ``Tensor.unfold`` gives windows as a view.

    >>> import strided
    >>> strided.nn.functional.unfold(strided.arange(4.0).reshape(1, 1, 2, 2), (1, 2)).tolist()
    [[[0.0, 2.0], [1.0, 3.0]]]
    """
    window, apart, around, steps = _window(kernel_size, dilation, padding, stride)
    x = input.unsqueeze(0) if input.ndim == 3 else input
    lengths = [n + 2 * p for n, p in zip(x.shape[2:], around, strict=True)] if x.ndim == 4 else []
    reach = [d * (k - 1) + 1 for d, k in zip(apart, window, strict=True)]
    if not lengths or any(n < r for n, r in zip(lengths, reach, strict=True)):
        raise ShapeMismatch(
            operation="unfold",
            expected=(-1, -1, *reach),
            got=tuple(input.shape),
            hint="give (batch, channels, height, width), not smaller than a window",
        )
    if any(around):
        x = zero_padded(x, around, around)
    seen = windows(x, window, steps, apart)  # (n, c, oh, ow, kh, kw)
    columns = seen.permute(0, 1, 4, 5, 2, 3).reshape(
        (len(x), x.shape[1] * math.prod(window), seen.shape[2] * seen.shape[3])
    )
    return columns if input.ndim == 4 else columns.squeeze(0)


def _folded_gradient(
    call: Call, columns: Tensor, size: Numbers, window: Numbers, stride: Numbers, dilation: Numbers
) -> Backward:
    def backward(g: Tensor) -> Gradients:
        return (windows(g, window, stride, dilation).permute(0, 1, 4, 5, 2, 3),)

    return backward


@operation(gradient=_folded_gradient, function=None, operands=1, namespace="nn")
def folded(
    columns: Tensor, size: Numbers, window: Numbers, stride: Numbers, dilation: Numbers
) -> Tensor:
    """Return the sum of windows (n, c, kh, kw, oh, ow) in their places. A new tensor.

    One addition for each element of a window: windows overlap, the places of one element do not.
    """
    n, c = columns.shape[:2]
    made = _native.zeros((n, c, *size), dtype=columns.dtype)
    for i in range(window[0]):
        for j in range(window[1]):
            part = columns[:, :, i, j]
            rows = made[:, :, i * dilation[0] :: stride[0]].narrow(2, 0, part.shape[2])
            rows[..., j * dilation[1] :: stride[1]].narrow(3, 0, part.shape[3]).add_(part)
    return made


@operation(namespace="nn")
def fold(
    input: Tensor,
    output_size: Sizes,
    kernel_size: Sizes,
    dilation: Sizes = 1,
    padding: Sizes = 0,
    stride: Sizes = 1,
) -> Tensor:
    """Return images with columns (n, c kh kw, windows) added at the places of their windows.

    A new tensor. It is the gradient of ``unfold``.

    >>> import strided
    >>> columns = strided.ones(1, 2, 2)
    >>> strided.nn.fold(columns, (1, 3), (1, 2)).tolist()
    [[[[1.0, 2.0, 1.0]]]]
    """
    window, apart, around, steps = _window(kernel_size, dilation, padding, stride)
    size = per_axis(output_size, 2, "output_size")
    x = input.unsqueeze(0) if input.ndim == 2 else input
    whole = tuple(n + 2 * p for n, p in zip(size, around, strict=True))
    counts = tuple(
        (n - d * (k - 1) - 1) // s + 1
        for n, d, k, s in zip(whole, apart, window, steps, strict=True)
    )
    area = math.prod(window)
    if x.ndim != 3 or x.shape[1] % area or x.shape[2] != math.prod(counts):
        raise ShapeMismatch(
            operation="fold",
            expected=(-1, -1, math.prod(counts)),
            got=tuple(input.shape),
            hint=f"give (batch, channels * {area}, {counts[0]} * {counts[1]} windows)",
        )
    columns = x.unflatten(2, counts).unflatten(1, (-1, *window))
    made = folded(columns, whole, window, steps, apart)
    made = made.narrow(2, around[0], size[0]).narrow(3, around[1], size[1])
    return made if input.ndim == 3 else made.squeeze(0)


class Unfold(Module):
    """Windows of images as columns.

    >>> import strided
    >>> strided.nn.Unfold(2)(strided.zeros(1, 3, 4, 4)).shape
    (1, 12, 9)
    """

    _shown = ("kernel_size", "dilation", "padding", "stride")

    def __init__(
        self, kernel_size: Sizes, dilation: Sizes = 1, padding: Sizes = 0, stride: Sizes = 1
    ) -> None:
        self.kernel_size, self.dilation = kernel_size, dilation
        self.padding, self.stride = padding, stride

    def forward(self, input: Tensor) -> Tensor:
        return unfold(input, self.kernel_size, self.dilation, self.padding, self.stride)


class Fold(Module):
    """Sum of columns at the places of their windows.

    >>> import strided
    >>> strided.nn.Fold((4, 4), 2)(strided.zeros(1, 12, 9)).shape
    (1, 3, 4, 4)
    """

    _shown = ("output_size", "kernel_size", "dilation", "padding", "stride")

    def __init__(
        self,
        output_size: Sizes,
        kernel_size: Sizes,
        dilation: Sizes = 1,
        padding: Sizes = 0,
        stride: Sizes = 1,
    ) -> None:
        self.output_size, self.kernel_size = output_size, kernel_size
        self.dilation, self.padding, self.stride = dilation, padding, stride

    def forward(self, input: Tensor) -> Tensor:
        return fold(
            input, self.output_size, self.kernel_size, self.dilation, self.padding, self.stride
        )
