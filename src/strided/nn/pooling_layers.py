"""Modules of pooling."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from strided._native import Tensor
from strided.nn import adaptive_pooling, pooling, unusual_pooling
from strided.nn.adaptive_pooling import Output
from strided.nn.module import Module
from strided.nn.padding import Sizes


class _Window(Module):
    _shown: tuple[str, ...] = ("kernel_size", "stride", "padding")
    _function: ClassVar[Callable[..., Any]]


class _MaxPool(_Window):
    def __init__(
        self,
        kernel_size: Sizes,
        stride: Sizes | None = None,
        padding: Sizes = 0,
        dilation: Sizes = 1,
        return_indices: bool = False,
        ceil_mode: bool = False,
    ) -> None:
        self.kernel_size = kernel_size
        self.stride = kernel_size if stride is None else stride
        self.padding, self.dilation, self.ceil_mode = padding, dilation, ceil_mode
        self.return_indices = return_indices

    def forward(self, input: Tensor) -> Any:
        return type(self)._function(
            input,
            self.kernel_size,
            self.stride,
            self.padding,
            self.dilation,
            self.ceil_mode,
            self.return_indices,
        )


class _AvgPool(_Window):
    def __init__(
        self,
        kernel_size: Sizes,
        stride: Sizes | None = None,
        padding: Sizes = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
        divisor_override: int | None = None,
    ) -> None:
        self.kernel_size = kernel_size
        self.stride = kernel_size if stride is None else stride
        self.padding, self.ceil_mode = padding, ceil_mode
        self.count_include_pad, self.divisor_override = count_include_pad, divisor_override

    def forward(self, input: Tensor) -> Tensor:
        made: Tensor = type(self)._function(
            input,
            self.kernel_size,
            self.stride,
            self.padding,
            self.ceil_mode,
            self.count_include_pad,
            **(
                {} if self.divisor_override is None else {"divisor_override": self.divisor_override}
            ),
        )
        return made


class _LPPool(_Window):
    _shown = ("norm_type", "kernel_size", "stride", "ceil_mode")

    def __init__(
        self,
        norm_type: float,
        kernel_size: Sizes,
        stride: Sizes | None = None,
        ceil_mode: bool = False,
    ) -> None:
        self.norm_type, self.kernel_size = norm_type, kernel_size
        self.stride, self.ceil_mode = stride, ceil_mode

    def forward(self, input: Tensor) -> Tensor:
        made: Tensor = type(self)._function(
            input, self.norm_type, self.kernel_size, self.stride, self.ceil_mode
        )
        return made


class _MaxUnpool(_Window):
    def __init__(self, kernel_size: Sizes, stride: Sizes | None = None, padding: Sizes = 0) -> None:
        self.kernel_size = kernel_size
        self.stride = kernel_size if stride is None else stride
        self.padding = padding

    def forward(
        self, input: Tensor, indices: Tensor, output_size: Sequence[int] | None = None
    ) -> Tensor:
        made: Tensor = type(self)._function(
            input, indices, self.kernel_size, self.stride, self.padding, output_size
        )
        return made


class _Adaptive(Module):
    _shown = ("output_size",)
    _function: ClassVar[Callable[..., Any]]

    def __init__(self, output_size: Output) -> None:
        self.output_size = output_size

    def forward(self, input: Tensor) -> Any:
        return type(self)._function(input, self.output_size)


class _AdaptiveMax(_Adaptive):
    def __init__(self, output_size: Output, return_indices: bool = False) -> None:
        super().__init__(output_size)
        self.return_indices = return_indices

    def forward(self, input: Tensor) -> Any:
        return type(self)._function(input, self.output_size, self.return_indices)


class _Fractional(Module):
    _random_samples: Tensor | None
    _shown = ("kernel_size", "output_size", "output_ratio")
    _function: ClassVar[Callable[..., Any]]

    def __init__(
        self,
        kernel_size: Sizes,
        output_size: Sizes | None = None,
        output_ratio: float | Sequence[float] | None = None,
        return_indices: bool = False,
        _random_samples: Tensor | None = None,
    ) -> None:
        self.kernel_size, self.output_size = kernel_size, output_size
        self.output_ratio, self.return_indices = output_ratio, return_indices
        self.register_buffer("_random_samples", _random_samples)

    def forward(self, input: Tensor) -> Any:
        return type(self)._function(
            input,
            self.kernel_size,
            self.output_size,
            self.output_ratio,
            self.return_indices,
            self._random_samples,
        )


class MaxPool1d(_MaxPool):
    """Max pooling of signals.

    >>> import strided
    >>> strided.nn.MaxPool1d(2)(strided.tensor([[1.0, 3.0, 2.0, 0.0]])).flatten().tolist()
    [3.0, 2.0]
    """

    _function = pooling.max_pool1d


class MaxPool2d(_MaxPool):
    """Max pooling of images.

    >>> import strided
    >>> strided.nn.MaxPool2d(2)(strided.arange(16.0).reshape(1, 1, 4, 4)).flatten().tolist()
    [5.0, 7.0, 13.0, 15.0]
    """

    _function = pooling.max_pool2d


class MaxPool3d(_MaxPool):
    """Max pooling of volumes.

    >>> import strided
    >>> strided.nn.MaxPool3d(2)(strided.arange(8.0).reshape(1, 2, 2, 2)).flatten().tolist()
    [7.0]
    """

    _function = pooling.max_pool3d


class AvgPool1d(_AvgPool):
    """Average pooling of signals.

    >>> import strided
    >>> strided.nn.AvgPool1d(2)(strided.tensor([[1.0, 3.0, 2.0, 0.0]])).flatten().tolist()
    [2.0, 1.0]
    """

    _function = pooling.avg_pool1d


class AvgPool2d(_AvgPool):
    """Average pooling of images.

    >>> import strided
    >>> strided.nn.AvgPool2d(2)(strided.arange(16.0).reshape(1, 1, 4, 4)).flatten().tolist()
    [2.5, 4.5, 10.5, 12.5]
    """

    _function = pooling.avg_pool2d


class AvgPool3d(_AvgPool):
    """Average pooling of volumes.

    >>> import strided
    >>> strided.nn.AvgPool3d(2)(strided.arange(8.0).reshape(1, 2, 2, 2)).flatten().tolist()
    [3.5]
    """

    _function = pooling.avg_pool3d


class LPPool1d(_LPPool):
    """The p-norm of every window of signals.

    >>> import strided
    >>> strided.nn.LPPool1d(1, 2)(strided.tensor([[1.0, 3.0, 2.0, 0.0]])).flatten().tolist()
    [4.0, 2.0]
    """

    _function = unusual_pooling.lp_pool1d


class LPPool2d(_LPPool):
    """The p-norm of every window of images.

    >>> import strided
    >>> strided.nn.LPPool2d(1, 2)(strided.arange(16.0).reshape(1, 1, 4, 4)).flatten().tolist()
    [10.0, 18.0, 42.0, 50.0]
    """

    _function = unusual_pooling.lp_pool2d


class LPPool3d(_LPPool):
    """The p-norm of every window of volumes.

    >>> import strided
    >>> strided.nn.LPPool3d(1, 2)(strided.arange(8.0).reshape(1, 2, 2, 2)).flatten().tolist()
    [28.0]
    """

    _function = unusual_pooling.lp_pool3d


class MaxUnpool1d(_MaxUnpool):
    """Inverse of the max pooling of signals: zeros where no maximum was.

    >>> import strided
    >>> x = strided.tensor([[1.0, 3.0, 2.0, 0.0]])
    >>> made, indices = strided.nn.MaxPool1d(2, return_indices=True)(x)
    >>> strided.nn.MaxUnpool1d(2)(made, indices).shape
    (1, 4)
    """

    _function = unusual_pooling.max_unpool1d


class MaxUnpool2d(_MaxUnpool):
    """Inverse of the max pooling of images: zeros where no maximum was.

    >>> import strided
    >>> x = strided.arange(16.0).reshape(1, 1, 4, 4)
    >>> made, indices = strided.nn.MaxPool2d(2, return_indices=True)(x)
    >>> strided.nn.MaxUnpool2d(2)(made, indices).shape
    (1, 1, 4, 4)
    """

    _function = unusual_pooling.max_unpool2d


class MaxUnpool3d(_MaxUnpool):
    """Inverse of the max pooling of volumes: zeros where no maximum was.

    >>> import strided
    >>> x = strided.arange(8.0).reshape(1, 2, 2, 2)
    >>> made, indices = strided.nn.MaxPool3d(2, return_indices=True)(x)
    >>> strided.nn.MaxUnpool3d(2)(made, indices).shape
    (1, 2, 2, 2)
    """

    _function = unusual_pooling.max_unpool3d


class AdaptiveAvgPool1d(_Adaptive):
    """Adaptive average pooling of signals to an output size.

    >>> import strided
    >>> strided.nn.AdaptiveAvgPool1d(1)(strided.tensor([[1.0, 3.0, 2.0, 0.0]])).flatten().tolist()
    [1.5]
    """

    _function = adaptive_pooling.adaptive_avg_pool1d


class AdaptiveAvgPool2d(_Adaptive):
    """Adaptive average pooling of images to an output size.

    >>> import strided
    >>> strided.nn.AdaptiveAvgPool2d(1)(strided.arange(16.0).reshape(1, 1, 4, 4)).flatten().tolist()
    [7.5]
    """

    _function = adaptive_pooling.adaptive_avg_pool2d


class AdaptiveAvgPool3d(_Adaptive):
    """Adaptive average pooling of volumes to an output size.

    >>> import strided
    >>> strided.nn.AdaptiveAvgPool3d(1)(strided.arange(8.0).reshape(1, 2, 2, 2)).flatten().tolist()
    [3.5]
    """

    _function = adaptive_pooling.adaptive_avg_pool3d


class AdaptiveMaxPool1d(_AdaptiveMax):
    """Adaptive max pooling of signals to an output size.

    >>> import strided
    >>> strided.nn.AdaptiveMaxPool1d(1)(strided.tensor([[1.0, 3.0, 2.0, 0.0]])).flatten().tolist()
    [3.0]
    """

    _function = adaptive_pooling.adaptive_max_pool1d


class AdaptiveMaxPool2d(_AdaptiveMax):
    """Adaptive max pooling of images to an output size.

    >>> import strided
    >>> strided.nn.AdaptiveMaxPool2d(1)(strided.arange(16.0).reshape(1, 1, 4, 4)).flatten().tolist()
    [15.0]
    """

    _function = adaptive_pooling.adaptive_max_pool2d


class AdaptiveMaxPool3d(_AdaptiveMax):
    """Adaptive max pooling of volumes to an output size.

    >>> import strided
    >>> strided.nn.AdaptiveMaxPool3d(1)(strided.arange(8.0).reshape(1, 2, 2, 2)).flatten().tolist()
    [7.0]
    """

    _function = adaptive_pooling.adaptive_max_pool3d


class FractionalMaxPool2d(_Fractional):
    """Max pooling of images by windows at random places.

    >>> import strided
    >>> strided.nn.FractionalMaxPool2d(2, 2)(strided.rand(1, 4, 4)).shape
    (1, 2, 2)
    """

    _function = unusual_pooling.fractional_max_pool2d


class FractionalMaxPool3d(_Fractional):
    """Max pooling of volumes by windows at random places.

    >>> import strided
    >>> strided.nn.FractionalMaxPool3d(2, 2)(strided.rand(1, 4, 4, 4)).shape
    (1, 2, 2, 2)
    """

    _function = unusual_pooling.fractional_max_pool3d
