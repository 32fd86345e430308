"""Modules of convolutions and transposed convolutions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from strided._native import Tensor, empty
from strided.errors import InvalidArgument
from strided.nn import conv
from strided.nn.linear import initialize
from strided.nn.members import Parameter
from strided.nn.module import Module
from strided.nn.padding import Sizes, pad
from strided.ops.data_types import check_device

# By the name of PyTorch's argument: what `pad` calls it.
_MODES = {
    "zeros": "constant",
    "reflect": "reflect",
    "replicate": "replicate",
    "circular": "circular",
}


class _Kernels(Module):
    _shown = ("in_channels", "out_channels", "kernel_size", "stride", "padding")
    _axes: ClassVar[int]
    bias: Parameter | None

    def _prepare(
        self,
        channels: tuple[int, int],
        kernel_size: Sizes,
        stride: Sizes,
        dilation: Sizes,
        groups: int,
        bias: bool,
        device: Any,
        dtype: Any,
        transposed: bool,
    ) -> None:
        check_device(device)
        self.in_channels, self.out_channels = channels
        if groups < 1 or channels[0] % groups or channels[1] % groups:
            raise InvalidArgument(
                argument="groups",
                got=str(groups),
                requirement=f"must divide the channels {channels}",
            )
        self.kernel_size = self._each(kernel_size)
        self.stride, self.dilation = self._each(stride), self._each(dilation)
        self.groups = groups
        first, second = channels if transposed else channels[::-1]
        self.weight = Parameter(empty((first, second // groups, *self.kernel_size), dtype=dtype))
        own = Parameter(empty(channels[1], dtype=dtype)) if bias else None
        self.register_parameter("bias", own)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Initialize parameters in place.

        >>> import strided
        >>> layer = strided.nn.Conv1d(1, 1, 4)
        >>> layer.reset_parameters()
        >>> bool((layer.weight.detach().abs() <= 0.5).all())
        True
        """
        initialize(self.weight, self.bias)

    def _each(self, value: Sizes) -> tuple[int, ...]:
        return (value,) * self._axes if isinstance(value, int) else tuple(value)


class _Conv(_Kernels):
    _function: ClassVar[Callable[..., Tensor]]

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Sizes,
        stride: Sizes = 1,
        padding: Sizes | str = 0,
        dilation: Sizes = 1,
        groups: int = 1,
        bias: bool = True,
        padding_mode: str = "zeros",
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        if padding_mode not in _MODES:
            raise InvalidArgument(
                argument="padding_mode",
                got=repr(padding_mode),
                requirement=f"must be one of {', '.join(_MODES)}",
            )
        self.padding = padding if isinstance(padding, str) else self._each(padding)
        self.padding_mode = padding_mode
        channels = in_channels, out_channels
        self._prepare(channels, kernel_size, stride, dilation, groups, bias, device, dtype, False)

    def forward(self, input: Tensor) -> Tensor:
        padding: Sizes | str = self.padding
        if self.padding_mode != "zeros":
            input = pad(input, self._around(), mode=_MODES[self.padding_mode])
            padding = 0
        return type(self)._function(
            input, self.weight, self.bias, self.stride, padding, self.dilation, self.groups
        )

    def _around(self) -> list[int]:
        """Return what is padded, as `pad` takes it: the last axis first."""
        pairs = []
        for axis in reversed(range(self._axes)):
            if not isinstance(self.padding, str):
                pairs += [self.padding[axis]] * 2
            elif self.padding == "valid":
                pairs += [0, 0]
            else:
                extra = self.dilation[axis] * (self.kernel_size[axis] - 1)
                pairs += [extra // 2, extra - extra // 2]
        return pairs


class _ConvTranspose(_Kernels):
    _function: ClassVar[Callable[..., Tensor]]

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Sizes,
        stride: Sizes = 1,
        padding: Sizes = 0,
        output_padding: Sizes = 0,
        groups: int = 1,
        bias: bool = True,
        dilation: Sizes = 1,
        padding_mode: str = "zeros",
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        if padding_mode != "zeros":
            raise InvalidArgument(
                argument="padding_mode",
                got=repr(padding_mode),
                requirement="must be 'zeros' for a transposed convolution",
            )
        self.padding, self.output_padding = self._each(padding), self._each(output_padding)
        channels = in_channels, out_channels
        self._prepare(channels, kernel_size, stride, dilation, groups, bias, device, dtype, True)

    def forward(self, input: Tensor, output_size: Sequence[int] | None = None) -> Tensor:
        extra = self.output_padding
        if output_size is not None:
            extra = self._extra(input, tuple(output_size)[-self._axes :])
        return type(self)._function(
            input,
            self.weight,
            self.bias,
            self.stride,
            self.padding,
            extra,
            self.groups,
            self.dilation,
        )

    def _extra(self, x: Tensor, wanted: tuple[int, ...]) -> tuple[int, ...]:
        """Return the output padding that gives a result of these lengths."""
        least = [
            (n - 1) * s - 2 * p + d * (k - 1) + 1
            for n, s, p, d, k in zip(
                x.shape[-self._axes :],
                self.stride,
                self.padding,
                self.dilation,
                self.kernel_size,
                strict=True,
            )
        ]
        made = tuple(n - low for n, low in zip(wanted, least, strict=True))
        if any(not 0 <= one < step for one, step in zip(made, self.stride, strict=True)):
            raise InvalidArgument(
                argument="output_size",
                got=str(wanted),
                requirement=f"must be at least {tuple(least)} and less than a stride above it",
            )
        return made


class Conv1d(_Conv):
    """Convolution of signals (batch, channels, length).

    >>> import strided
    >>> strided.nn.Conv1d(3, 8, 3, padding=1)(strided.ones(2, 3, 10)).shape
    (2, 8, 10)
    """

    _axes = 1
    _function = conv.conv1d


class Conv2d(_Conv):
    """Convolution of images (batch, channels, height, width).

    >>> import strided
    >>> strided.nn.Conv2d(3, 8, 3, padding=1)(strided.ones(2, 3, 8, 8)).shape
    (2, 8, 8, 8)
    """

    _axes = 2
    _function = conv.conv2d


class Conv3d(_Conv):
    """Convolution of volumes (batch, channels, depth, height, width).

    >>> import strided
    >>> strided.nn.Conv3d(3, 8, 3, padding=1)(strided.ones(2, 3, 4, 4, 4)).shape
    (2, 8, 4, 4, 4)
    """

    _axes = 3
    _function = conv.conv3d


class ConvTranspose1d(_ConvTranspose):
    """Transposed convolution of signals (batch, channels, length).

    >>> import strided
    >>> strided.nn.ConvTranspose1d(3, 8, 2, stride=2)(strided.ones(2, 3, 10)).shape
    (2, 8, 20)
    """

    _axes = 1
    _function = conv.conv_transpose1d


class ConvTranspose2d(_ConvTranspose):
    """Transposed convolution of images (batch, channels, height, width).

    >>> import strided
    >>> strided.nn.ConvTranspose2d(3, 8, 2, stride=2)(strided.ones(2, 3, 8, 8)).shape
    (2, 8, 16, 16)
    """

    _axes = 2
    _function = conv.conv_transpose2d


class ConvTranspose3d(_ConvTranspose):
    """Transposed convolution of volumes (batch, channels, depth, height, width).

    >>> import strided
    >>> strided.nn.ConvTranspose3d(3, 8, 2, stride=2)(strided.ones(2, 3, 4, 4, 4)).shape
    (2, 8, 8, 8, 8)
    """

    _axes = 3
    _function = conv.conv_transpose3d
