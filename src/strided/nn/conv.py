"""Convolution and transposed convolution of signals, images and volumes; modules."""

from __future__ import annotations

from strided._native import Tensor
from strided.errors import InvalidArgument, ShapeMismatch
from strided.nn.correlate import Kernel, convolve, correlate_input
from strided.nn.padding import Sizes, as_axes, as_given, images, per_axis
from strided.ops.define import operation


@operation(namespace="nn")
def conv1d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Sizes = 1,
    padding: Sizes | str = 0,
    dilation: Sizes = 1,
    groups: int = 1,
) -> Tensor:
    """Return the convolution of signals (n, c, length). A new tensor.

    The windows are views; only ``padding`` makes a copy of the input, with zeros around it.

    >>> import strided
    >>> x = strided.arange(5.0).reshape(1, 1, 5)
    >>> strided.nn.conv1d(x, strided.ones(1, 1, 3)).tolist()
    [[[3.0, 6.0, 9.0]]]
    """
    return _convolved("conv1d", 1, input, weight, bias, stride, padding, dilation, groups)


@operation(namespace="nn")
def conv2d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Sizes = 1,
    padding: Sizes | str = 0,
    dilation: Sizes = 1,
    groups: int = 1,
) -> Tensor:
    """Return the convolution of images (n, c, height, width). A new tensor.

    The windows are views; only ``padding`` makes a copy of the input, with zeros around it.
    ``padding`` is a number of zeros on both sides, ``"same"`` or ``"valid"``.

    >>> import strided
    >>> x = strided.ones(1, 1, 3, 3)
    >>> strided.nn.conv2d(x, strided.ones(1, 1, 3, 3), padding="same").tolist()
    [[[[4.0, 6.0, 4.0], [6.0, 9.0, 6.0], [4.0, 6.0, 4.0]]]]
    """
    return _convolved("conv2d", 2, input, weight, bias, stride, padding, dilation, groups)


@operation(namespace="nn")
def conv3d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Sizes = 1,
    padding: Sizes | str = 0,
    dilation: Sizes = 1,
    groups: int = 1,
) -> Tensor:
    """Return the convolution of volumes (n, c, depth, height, width). A new tensor.

    The windows are views; only ``padding`` makes a copy of the input, with zeros around it.

    >>> import strided
    >>> x = strided.ones(1, 1, 2, 3, 3)
    >>> strided.nn.conv3d(x, strided.ones(1, 1, 2, 3, 3)).tolist()
    [[[[[18.0]]]]]
    """
    return _convolved("conv3d", 3, input, weight, bias, stride, padding, dilation, groups)


@operation(namespace="nn")
def conv_transpose1d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Sizes = 1,
    padding: Sizes = 0,
    output_padding: Sizes = 0,
    groups: int = 1,
    dilation: Sizes = 1,
) -> Tensor:
    """Return the transposed convolution of signals (n, c, length). A new tensor.

    It is the gradient of ``conv1d`` with respect to its input.

    >>> import strided
    >>> x = strided.tensor([[[1.0, 2.0]]])
    >>> strided.nn.conv_transpose1d(x, strided.ones(1, 1, 2), stride=2).tolist()
    [[[1.0, 1.0, 2.0, 2.0]]]
    """
    more = stride, padding, output_padding, groups, dilation
    return _transposed("conv_transpose1d", 1, input, weight, bias, *more)


@operation(namespace="nn")
def conv_transpose2d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Sizes = 1,
    padding: Sizes = 0,
    output_padding: Sizes = 0,
    groups: int = 1,
    dilation: Sizes = 1,
) -> Tensor:
    """Return the transposed convolution of images (n, c, height, width). A new tensor.

    It is the gradient of ``conv2d`` with respect to its input.

    >>> import strided
    >>> x = strided.tensor([[[[1.0, 2.0]]]])
    >>> strided.nn.conv_transpose2d(x, strided.ones(1, 1, 1, 2)).tolist()
    [[[[1.0, 3.0, 2.0]]]]
    """
    more = stride, padding, output_padding, groups, dilation
    return _transposed("conv_transpose2d", 2, input, weight, bias, *more)


@operation(namespace="nn")
def conv_transpose3d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Sizes = 1,
    padding: Sizes = 0,
    output_padding: Sizes = 0,
    groups: int = 1,
    dilation: Sizes = 1,
) -> Tensor:
    """Return the transposed convolution of volumes (n, c, depth, height, width). A new tensor.

    It is the gradient of ``conv3d`` with respect to its input.

    >>> import strided
    >>> x = strided.tensor([[[[[1.0, 2.0]]]]])
    >>> strided.nn.conv_transpose3d(x, strided.ones(1, 1, 1, 1, 2)).tolist()
    [[[[[1.0, 3.0, 2.0]]]]]
    """
    more = stride, padding, output_padding, groups, dilation
    return _transposed("conv_transpose3d", 3, input, weight, bias, *more)


def _convolved(
    operation: str,
    axes: int,
    x: Tensor,
    weight: Tensor,
    bias: Tensor | None,
    stride: Sizes,
    padding: Sizes | str,
    dilation: Sizes,
    groups: int,
) -> Tensor:
    window = _window(operation, weight, axes)
    strides = per_axis(stride, axes, "stride")
    dilations = per_axis(dilation, axes, "dilation")
    if isinstance(padding, str):
        before, after = _named_padding(padding, window, strides, dilations)
    else:
        before = after = per_axis(padding, axes, "padding", 0)
    own = images(operation, x, axes)
    _expect_groups(operation, own, weight, groups, weight.shape[1] * groups)
    kernel = Kernel(
        as_axes(window, 1),
        as_axes(strides, 1),
        as_axes(before, 0),
        as_axes(after, 0),
        as_axes(dilations, 1),
        groups,
    )
    length = [
        size + b + a - d * (k - 1)
        for size, b, a, d, k in zip(
            own.shape[2:], kernel.before, kernel.after, kernel.dilation, kernel.window, strict=True
        )
    ]
    if min(length) < 1:
        raise ShapeMismatch(
            operation=operation,
            expected=tuple(weight.shape),
            got=tuple(x.shape),
            hint="no window fits into the input: give more padding, or smaller weights",
        )
    if bias is not None:
        _expect_bias(operation, bias, weight.shape[0])
    made = convolve(own, weight.unsqueeze(2) if axes == 1 else weight, bias, kernel)
    return as_given(made, x, axes)


def _transposed(
    operation: str,
    axes: int,
    x: Tensor,
    weight: Tensor,
    bias: Tensor | None,
    stride: Sizes,
    padding: Sizes,
    output_padding: Sizes,
    groups: int,
    dilation: Sizes,
) -> Tensor:
    window = _window(operation, weight, axes)
    strides = per_axis(stride, axes, "stride")
    dilations = per_axis(dilation, axes, "dilation")
    paddings = per_axis(padding, axes, "padding", 0)
    extra = per_axis(output_padding, axes, "output_padding", 0)
    if any(m >= max(s, d) for m, s, d in zip(extra, strides, dilations, strict=True)):
        raise InvalidArgument(
            argument="output_padding",
            got=repr(output_padding),
            requirement="must be smaller than the stride or the dilation",
        )
    own = images(operation, x, axes)
    _expect_groups(operation, own, weight, groups, weight.shape[0])
    around = as_axes(paddings, 0)
    kernel = Kernel(
        as_axes(window, 1), as_axes(strides, 1), around, around, as_axes(dilations, 1), groups
    )
    size = [
        (count - 1) * s - 2 * b + d * (k - 1) + m + 1
        for count, s, b, d, k, m in zip(
            own.shape[2:],
            kernel.stride,
            kernel.before,
            kernel.dilation,
            kernel.window,
            as_axes(extra, 0),
            strict=True,
        )
    ]
    if min(size) < 1:
        raise ShapeMismatch(
            operation=operation,
            expected=tuple(weight.shape),
            got=tuple(x.shape),
            hint="nothing is left of the result: give less padding",
        )
    flat = weight.unsqueeze(2) if axes == 1 else weight
    made = correlate_input(own, flat, kernel, tuple(size))
    if bias is not None:
        _expect_bias(operation, bias, made.shape[1])
        made = made + bias.unflatten(0, (-1, *(1,) * kernel.axes))
    return as_given(made, x, axes)


def _expect_bias(operation: str, bias: Tensor, channels: int) -> None:
    if bias.shape != (channels,):
        raise ShapeMismatch(
            operation=operation,
            expected=(channels,),
            got=tuple(bias.shape),
            hint="the bias has one number per channel of the result",
        )


def _window(operation: str, weight: Tensor, axes: int) -> tuple[int, ...]:
    if weight.ndim != axes + 2 or 0 in weight.shape:
        raise ShapeMismatch(
            operation=operation,
            expected=(-1,) * (axes + 2),
            got=tuple(weight.shape),
            hint="weights have two axes of channels, then those of a window",
        )
    return tuple(weight.shape[2:])


def _named_padding(
    name: str, window: tuple[int, ...], stride: tuple[int, ...], dilation: tuple[int, ...]
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    if name == "valid":
        return (0,) * len(window), (0,) * len(window)
    if name != "same" or any(step != 1 for step in stride):
        raise InvalidArgument(
            argument="padding",
            got=repr(name) if name != "same" else f"'same' with stride {stride}",
            requirement="must be a number, 'valid', or, with stride 1, 'same'",
        )
    extra = [d * (k - 1) for d, k in zip(dilation, window, strict=True)]
    return tuple(m // 2 for m in extra), tuple(m - m // 2 for m in extra)


def _expect_groups(operation: str, x: Tensor, weight: Tensor, groups: int, channels: int) -> None:
    if groups < 1 or weight.shape[0] % groups:
        raise InvalidArgument(
            argument="groups",
            got=str(groups),
            requirement=f"must divide the {weight.shape[0]} channels of the weights",
        )
    if x.shape[1] != channels:
        raise ShapeMismatch(
            operation=operation,
            expected=(x.shape[0], channels, *x.shape[2:]),
            got=tuple(x.shape),
            hint=f"weights {tuple(weight.shape)} with groups={groups} need {channels} channels",
        )
