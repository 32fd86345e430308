"""Layers that make pictures smaller."""

from __future__ import annotations

from collections.abc import Sequence

from strided._native import Tensor
from strided.nn import functional as F
from strided.nn.module import Module


class MaxPool2d(Module):
    """The largest element of each window of a picture.

    >>> import strided
    >>> strided.nn.MaxPool2d(2)(strided.arange(16.0).reshape(1, 1, 4, 4)).flatten().tolist()
    [5.0, 7.0, 13.0, 15.0]
    """

    _shown = ("kernel_size", "stride", "padding")

    def __init__(
        self,
        kernel_size: int | Sequence[int],
        stride: int | Sequence[int] | None = None,
        padding: int | Sequence[int] = 0,
        dilation: int | Sequence[int] = 1,
        ceil_mode: bool = False,
    ) -> None:
        self.kernel_size = kernel_size
        self.stride = kernel_size if stride is None else stride
        self.padding, self.dilation, self.ceil_mode = padding, dilation, ceil_mode

    def forward(self, x: Tensor) -> Tensor:
        largest = F.max_pool2d(
            x, self.kernel_size, self.stride, self.padding, self.dilation, self.ceil_mode
        )
        assert isinstance(largest, Tensor)  # a pair only with return_indices
        return largest


class AvgPool2d(Module):
    """The mean of each window of a picture.

    >>> import strided
    >>> strided.nn.AvgPool2d(2)(strided.arange(16.0).reshape(1, 1, 4, 4)).flatten().tolist()
    [2.5, 4.5, 10.5, 12.5]
    """

    _shown = ("kernel_size", "stride", "padding")

    def __init__(
        self,
        kernel_size: int | Sequence[int],
        stride: int | Sequence[int] | None = None,
        padding: int | Sequence[int] = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
    ) -> None:
        self.kernel_size = kernel_size
        self.stride = kernel_size if stride is None else stride
        self.padding, self.ceil_mode = padding, ceil_mode
        self.count_include_pad = count_include_pad

    def forward(self, x: Tensor) -> Tensor:
        return F.avg_pool2d(
            x, self.kernel_size, self.stride, self.padding, self.ceil_mode, self.count_include_pad
        )


class AdaptiveAvgPool2d(Module):
    """The mean of windows whose number is given.

    >>> import strided
    >>> strided.nn.AdaptiveAvgPool2d(1)(strided.arange(4.0).reshape(1, 1, 2, 2)).item()
    1.5
    """

    _shown = ("output_size",)

    def __init__(self, output_size: int | Sequence[int]) -> None:
        self.output_size = output_size

    def forward(self, x: Tensor) -> Tensor:
        return F.adaptive_avg_pool2d(x, self.output_size)
