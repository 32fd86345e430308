"""Layers whose weight is a matrix: products with it, rows of it, filters made of it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from strided._native import Tensor, empty
from strided.errors import InvalidArgument
from strided.nn import functional as F
from strided.nn import init
from strided.nn.module import Module
from strided.nn.parameter import Parameter


def _first_values(weight: Parameter, bias: Parameter | None) -> None:
    """Fill as PyTorch does: both uniform within 1 / sqrt(fan in)."""
    init.kaiming_uniform_(weight, a=math.sqrt(5))
    fan = math.prod(weight.shape[1:])
    if bias is not None and fan:
        bound = 1.0 / math.sqrt(fan)
        init.uniform_(bias, -bound, bound)


class Linear(Module):
    """The product with a matrix (out, in), plus a bias.

    >>> import strided
    >>> layer = strided.nn.Linear(4, 3)
    >>> layer, layer(strided.ones(2, 4)).shape
    (Linear(in_features=4, out_features=3, bias=True), (2, 3))
    """

    _shown = ("in_features", "out_features", "bias")
    bias: Parameter | None

    def __init__(
        self, in_features: int, out_features: int, bias: bool = True, dtype: Any = None
    ) -> None:
        self.in_features, self.out_features = in_features, out_features
        self.weight = Parameter(empty(out_features, in_features, dtype=dtype))
        own = Parameter(empty(out_features, dtype=dtype)) if bias else None
        self.register_parameter("bias", own)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw first values anew, in place.

        >>> import strided
        >>> layer = strided.nn.Linear(4, 3)
        >>> layer.reset_parameters()
        >>> bool((layer.weight.detach().abs() <= 0.5).all())
        True
        """
        _first_values(self.weight, self.bias)

    def forward(self, x: Tensor) -> Tensor:
        return F.linear(x, self.weight, self.bias)


class Embedding(Module):
    """Rows of a table, by number.

    >>> import strided
    >>> table = strided.nn.Embedding(10, 4)
    >>> table(strided.tensor([[1, 2, 2]])).shape
    (1, 3, 4)
    """

    _shown = ("num_embeddings", "embedding_dim")

    def __init__(
        self,
        num_embeddings: int,
        embedding_dim: int,
        padding_idx: int | None = None,
        dtype: Any = None,
    ) -> None:
        self.num_embeddings, self.embedding_dim = num_embeddings, embedding_dim
        if padding_idx is not None and not -num_embeddings <= padding_idx < num_embeddings:
            raise InvalidArgument(
                argument="padding_idx",
                got=str(padding_idx),
                requirement=f"must name one of {num_embeddings} rows",
            )
        self.padding_idx = padding_idx
        self.weight = Parameter(empty(num_embeddings, embedding_dim, dtype=dtype))
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw first values anew, in place; the row of ``padding_idx`` is zero.

        >>> import strided
        >>> strided.nn.Embedding(3, 2, padding_idx=0).weight[0].tolist()
        [0.0, 0.0]
        """
        init.normal_(self.weight)
        if self.padding_idx is not None:
            self.weight.detach()[self.padding_idx].zero_()

    def forward(self, tokens: Tensor) -> Tensor:
        return F.embedding(tokens, self.weight, self.padding_idx)


class _Conv(Module):
    _shown = ("in_channels", "out_channels", "kernel_size", "stride", "padding")
    bias: Parameter | None

    def __init__(
        self,
        axes: int,
        channels: tuple[int, int],
        kernel_size: int | Sequence[int],
        stride: int | Sequence[int],
        padding: int | Sequence[int] | str,
        dilation: int | Sequence[int],
        groups: int,
        bias: bool,
        dtype: Any,
    ) -> None:
        self.in_channels, self.out_channels = channels
        if groups < 1 or self.in_channels % groups or self.out_channels % groups:
            raise InvalidArgument(
                argument="groups",
                got=str(groups),
                requirement=f"must divide the channels {channels}",
            )
        self.kernel_size = _per_axis(kernel_size, axes)
        self.stride, self.dilation = _per_axis(stride, axes), _per_axis(dilation, axes)
        self.padding = padding if isinstance(padding, str) else _per_axis(padding, axes)
        self.groups = groups
        shape = (self.out_channels, self.in_channels // groups, *self.kernel_size)
        self.weight = Parameter(empty(shape, dtype=dtype))
        own = Parameter(empty(self.out_channels, dtype=dtype)) if bias else None
        self.register_parameter("bias", own)
        _first_values(self.weight, self.bias)


def _per_axis(value: int | Sequence[int], axes: int) -> tuple[int, ...]:
    return (value,) * axes if isinstance(value, int) else tuple(value)


class Conv1d(_Conv):
    """Filters over signals (batch, channels, length).

    >>> import strided
    >>> strided.nn.Conv1d(3, 8, 5, padding=2)(strided.ones(2, 3, 10)).shape
    (2, 8, 10)
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int | Sequence[int],
        stride: int | Sequence[int] = 1,
        padding: int | Sequence[int] | str = 0,
        dilation: int | Sequence[int] = 1,
        groups: int = 1,
        bias: bool = True,
        dtype: Any = None,
    ) -> None:
        channels = in_channels, out_channels
        super().__init__(1, channels, kernel_size, stride, padding, dilation, groups, bias, dtype)

    def forward(self, x: Tensor) -> Tensor:
        return F.conv1d(
            x, self.weight, self.bias, self.stride, self.padding, self.dilation, self.groups
        )


class Conv2d(_Conv):
    """Filters over pictures (batch, channels, height, width).

    >>> import strided
    >>> strided.nn.Conv2d(1, 4, 3, padding=1)(strided.ones(2, 1, 8, 8)).shape
    (2, 4, 8, 8)
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int | Sequence[int],
        stride: int | Sequence[int] = 1,
        padding: int | Sequence[int] | str = 0,
        dilation: int | Sequence[int] = 1,
        groups: int = 1,
        bias: bool = True,
        dtype: Any = None,
    ) -> None:
        channels = in_channels, out_channels
        super().__init__(2, channels, kernel_size, stride, padding, dilation, groups, bias, dtype)

    def forward(self, x: Tensor) -> Tensor:
        return F.conv2d(
            x, self.weight, self.bias, self.stride, self.padding, self.dilation, self.groups
        )
