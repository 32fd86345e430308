"""Layers that bring what flows through them to one size."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from strided import _native
from strided._native import Tensor
from strided.errors import InvalidArgument
from strided.functions.create import ones, zeros_like
from strided.functions.dtypes import finfo
from strided.nn import functional as F
from strided.nn.module import Module
from strided.nn.parameter import Parameter


def _shape(normalized_shape: int | Sequence[int]) -> tuple[int, ...]:
    return (normalized_shape,) if isinstance(normalized_shape, int) else tuple(normalized_shape)


class LayerNorm(Module):
    """Rows brought to mean 0 and variance 1 over the last axes, then scaled and shifted.

    >>> import strided
    >>> layer = strided.nn.LayerNorm(4)
    >>> layer, layer(strided.arange(4.0)).mean().item()
    (LayerNorm(normalized_shape=(4,), eps=1e-05), 0.0)
    """

    _shown = ("normalized_shape", "eps")
    weight: Parameter | None
    bias: Parameter | None

    def __init__(
        self,
        normalized_shape: int | Sequence[int],
        eps: float = 1e-5,
        elementwise_affine: bool = True,
        bias: bool = True,
        dtype: Any = None,
    ) -> None:
        self.normalized_shape, self.eps = _shape(normalized_shape), eps
        self.register_parameter("weight", None)
        self.register_parameter("bias", None)
        if elementwise_affine:
            self.weight = Parameter(ones(self.normalized_shape, dtype=dtype))
            if bias:
                self.bias = Parameter(zeros_like(self.weight.detach()))

    def forward(self, x: Tensor) -> Tensor:
        return F.layer_norm(x, self.normalized_shape, self.weight, self.bias, self.eps)


class RMSNorm(Module):
    """Rows divided by the root of their mean square over the last axis, then scaled.

    >>> import strided
    >>> strided.nn.RMSNorm(2)(strided.tensor([3.0, 3.0])).round().tolist()
    [1.0, 1.0]
    """

    _shown = ("normalized_shape", "eps")
    weight: Parameter | None

    def __init__(
        self,
        normalized_shape: int | Sequence[int],
        eps: float | None = None,
        elementwise_affine: bool = True,
        dtype: Any = None,
    ) -> None:
        self.normalized_shape, self.eps = _shape(normalized_shape), eps
        if len(self.normalized_shape) != 1:
            raise InvalidArgument(
                argument="normalized_shape",
                got=str(self.normalized_shape),
                requirement="must be the length of the last axis: flatten the others into it",
            )
        self.register_parameter("weight", None)
        if elementwise_affine:
            self.weight = Parameter(ones(self.normalized_shape, dtype=dtype))

    def forward(self, x: Tensor) -> Tensor:
        eps = finfo(x.dtype).eps if self.eps is None else self.eps
        return F.rms_norm(x, self.weight, eps)


class GroupNorm(Module):
    """Groups of channels brought to mean 0 and variance 1, then scaled and shifted by channel.

    >>> import strided
    >>> strided.nn.GroupNorm(2, 4)(strided.rand(3, 4, 5)).shape
    (3, 4, 5)
    """

    _shown = ("num_groups", "num_channels", "eps")
    weight: Parameter | None
    bias: Parameter | None

    def __init__(
        self,
        num_groups: int,
        num_channels: int,
        eps: float = 1e-5,
        affine: bool = True,
        dtype: Any = None,
    ) -> None:
        self.num_groups, self.num_channels, self.eps = num_groups, num_channels, eps
        self.register_parameter("weight", None)
        self.register_parameter("bias", None)
        if affine:
            self.weight = Parameter(ones(num_channels, dtype=dtype))
            self.bias = Parameter(zeros_like(self.weight.detach()))

    def forward(self, x: Tensor) -> Tensor:
        return F.group_norm(x, self.num_groups, self.weight, self.bias, self.eps)


class _BatchNorm(Module):
    _shown = ("num_features", "eps", "momentum", "affine", "track_running_stats")
    _ranks: tuple[int, ...]
    weight: Parameter | None
    bias: Parameter | None
    running_mean: Tensor | None
    running_var: Tensor | None
    num_batches_tracked: Tensor

    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float | None = 0.1,
        affine: bool = True,
        track_running_stats: bool = True,
        dtype: Any = None,
    ) -> None:
        self.num_features, self.eps, self.momentum = num_features, eps, momentum
        self.affine, self.track_running_stats = affine, track_running_stats
        self.register_parameter("weight", None)
        self.register_parameter("bias", None)
        if affine:
            self.weight = Parameter(ones(num_features, dtype=dtype))
            self.bias = Parameter(zeros_like(self.weight.detach()))
        tracked = track_running_stats
        one = ones(num_features, dtype=dtype)
        self.register_buffer("running_mean", zeros_like(one) if tracked else None)
        self.register_buffer("running_var", one if tracked else None)
        count = _native.zeros((), dtype=_native.int64) if tracked else None
        self.register_buffer("num_batches_tracked", count)

    def forward(self, x: Tensor) -> Tensor:
        if x.ndim not in self._ranks:
            raise InvalidArgument(
                argument="input",
                got=f"of rank {x.ndim}",
                requirement=f"must have rank {' or '.join(map(str, self._ranks))}",
            )
        momentum = 0.0 if self.momentum is None else self.momentum
        updates = self.training and self.track_running_stats
        if updates:
            self.num_batches_tracked.add_(1)
            if self.momentum is None:  # the plain mean of all batches
                momentum = 1.0 / self.num_batches_tracked.item()
        batch = self.training or self.running_mean is None
        given = updates or not self.training
        return F.batch_norm(
            x,
            self.running_mean if given else None,
            self.running_var if given else None,
            self.weight,
            self.bias,
            batch,
            momentum,
            self.eps,
        )


class BatchNorm1d(_BatchNorm):
    """Channels of (batch, channels) or (batch, channels, length) brought to mean 0, variance 1.

    In training by the batch, whose statistics are averaged for later.

    >>> import strided
    >>> layer = strided.nn.BatchNorm1d(3)
    >>> layer(strided.rand(8, 3)).shape
    (8, 3)
    """

    _ranks = (2, 3)


class BatchNorm2d(_BatchNorm):
    """Channels of pictures (batch, channels, height, width) brought to mean 0 and variance 1.

    In training by the batch, whose statistics are averaged for later.

    >>> import strided
    >>> strided.nn.BatchNorm2d(3)(strided.rand(2, 3, 4, 4)).shape
    (2, 3, 4, 4)
    """

    _ranks = (4,)
