"""Pixels and channels exchanged: pixel shuffle, channel shuffle, and their modules."""

from __future__ import annotations

from strided._native import Tensor
from strided.errors import InvalidArgument, ShapeMismatch
from strided.nn.module import Module
from strided.ops.define import operation


@operation(namespace="nn")
def pixel_shuffle(input: Tensor, upscale_factor: int) -> Tensor:
    """Return (..., c r r, h, w) as (..., c, h r, w r), r the factor. A new tensor.

    >>> import strided
    >>> strided.nn.pixel_shuffle(strided.arange(4.0).reshape(4, 1, 1), 2).tolist()
    [[[0.0, 1.0], [2.0, 3.0]]]
    """
    factor = upscale_factor
    if input.ndim < 3 or factor < 1 or input.shape[-3] % (factor * factor):
        raise ShapeMismatch(
            operation="pixel_shuffle",
            expected=(-1, -1, -1),
            got=tuple(input.shape),
            hint=f"give (..., channels, height, width), channels divisible by {factor * factor}",
        )
    split = input.unflatten(-3, (-1, factor, factor))  # (..., c, r, r, h, w)
    turned = split.movedim((-4, -3), (-3, -1))  # (..., c, h, r, w, r)
    return turned.flatten(-4, -3).flatten(-2, -1)


@operation(namespace="nn")
def pixel_unshuffle(input: Tensor, downscale_factor: int) -> Tensor:
    """Return (..., c, h r, w r) as (..., c r r, h, w), r the factor: the inverse of pixel_shuffle.

    A new tensor.

    >>> import strided
    >>> strided.nn.pixel_unshuffle(strided.arange(4.0).reshape(1, 2, 2), 2).tolist()
    [[[0.0]], [[1.0]], [[2.0]], [[3.0]]]
    """
    factor = downscale_factor
    if input.ndim < 3 or factor < 1 or any(n % factor for n in input.shape[-2:]):
        raise ShapeMismatch(
            operation="pixel_unshuffle",
            expected=(-1, -1, -1),
            got=tuple(input.shape),
            hint=f"give (..., channels, height, width), lengths divisible by {factor}",
        )
    split = input.unflatten(-1, (-1, factor)).unflatten(-3, (-1, factor))  # (..., c, h, r, w, r)
    return split.movedim((-3, -1), (-4, -3)).flatten(-5, -3)


@operation(namespace="nn")
def channel_shuffle(input: Tensor, groups: int) -> Tensor:
    """Return (n, channels, ...) with the channels of all groups in turns. A new tensor.

    >>> import strided
    >>> strided.nn.channel_shuffle(strided.arange(4.0).reshape(1, 4, 1), 2).flatten().tolist()
    [0.0, 2.0, 1.0, 3.0]
    """
    if input.ndim < 3 or groups < 1 or input.shape[1] % groups:
        raise InvalidArgument(
            argument="groups",
            got=str(groups),
            requirement=f"must divide the channels of an input of shape {tuple(input.shape)}",
        )
    return input.unflatten(1, (groups, -1)).transpose(1, 2).flatten(1, 2)


class PixelShuffle(Module):
    """Pixel shuffle: channels become pixels (arXiv:1609.05158).

    >>> import strided
    >>> strided.nn.PixelShuffle(2)(strided.zeros(1, 8, 3, 3)).shape
    (1, 2, 6, 6)
    """

    _shown = ("upscale_factor",)

    def __init__(self, upscale_factor: int) -> None:
        self.upscale_factor = upscale_factor

    def forward(self, input: Tensor) -> Tensor:
        return pixel_shuffle(input, self.upscale_factor)


class PixelUnshuffle(Module):
    """Inverse of the pixel shuffle: pixels become channels.

    >>> import strided
    >>> strided.nn.PixelUnshuffle(2)(strided.zeros(1, 2, 6, 6)).shape
    (1, 8, 3, 3)
    """

    _shown = ("downscale_factor",)

    def __init__(self, downscale_factor: int) -> None:
        self.downscale_factor = downscale_factor

    def forward(self, input: Tensor) -> Tensor:
        return pixel_unshuffle(input, self.downscale_factor)


class ChannelShuffle(Module):
    """Channel shuffle: the channels of all groups in turns.

    >>> import strided
    >>> strided.nn.ChannelShuffle(2)(strided.arange(4.0).reshape(1, 4, 1)).flatten().tolist()
    [0.0, 2.0, 1.0, 3.0]
    """

    _shown = ("groups",)

    def __init__(self, groups: int) -> None:
        self.groups = groups

    def forward(self, input: Tensor) -> Tensor:
        return channel_shuffle(input, self.groups)
