"""Batch normalization, its gradient and modules."""

from __future__ import annotations

from typing import Any

from strided import _native
from strided._native import Tensor, grad_mode
from strided.errors import InvalidArgument, ShapeMismatch
from strided.nn.members import Parameter
from strided.nn.module import Module
from strided.ops.creation import ones, zeros_like
from strided.ops.data_types import check_device
from strided.ops.define import operation
from strided.ops.gradients import Backward, Call, Gradients


def _channel_norm_gradient(
    call: Call, x: Tensor, weight: Tensor | None, bias: Tensor | None, eps: float
) -> Backward:
    _, mean, variance = call.output
    saved = call.save(x, weight, mean, variance)
    wants_x, given = call.needs(0), (weight is not None, bias is not None)

    def backward(g: Tensor, *_unused: Tensor | None) -> Gradients:
        x, weight, mean, variance = saved()
        to_x: Tensor | None
        if grad_mode():
            to_x, *numbers = _formula(g, x, weight, eps)
        else:
            to_x, *numbers = _native.channel_norm_gradients(
                g, x, weight, mean, variance, eps, wants_x
            )
        return to_x, *(one for one, wanted in zip(numbers, given, strict=True) if wanted)

    return backward


@operation(gradient=_channel_norm_gradient, function=None, operands=3, namespace="nn")
def channel_norm(
    x: Tensor, weight: Tensor | None, bias: Tensor | None, eps: float
) -> tuple[Tensor, Tensor, Tensor]:
    """Return x (n, channels, ...) normalized by channel, its means and its variances.

    Variances are those of all elements (no correction).

    Gradients pass the first result only.
    """
    return _native.channel_norm(x, weight, bias, eps)


def _formula(
    g: Tensor, x: Tensor, weight: Tensor | None, eps: float
) -> tuple[Tensor, Tensor, Tensor]:
    """Return the gradients of x, the weight and the bias by operations that are recorded.

    Mean and variance depend on x, so they are computed anew, for the graph to see it.
    """
    axes, count = (0, *range(2, x.ndim)), x.numel() // max(1, x.shape[1])
    factor = (x.var(axes, correction=0) + eps).rsqrt()
    middle = x - x.mean(axes, keepdim=True)
    plain, along = g.sum(axes), (g * middle).sum(axes) * factor
    scale = factor if weight is None else factor * weight
    even, slope, scale = (
        one.unflatten(0, (-1, *(1,) * (x.ndim - 2)))
        for one in (plain / count, along * factor / count, scale)
    )
    return (g - even - middle * slope) * scale, along, plain


@operation(namespace="nn")
def batch_norm(
    input: Tensor,
    running_mean: Tensor | None,
    running_var: Tensor | None,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    training: bool = False,
    momentum: float = 0.1,
    eps: float = 1e-5,
) -> Tensor:
    """Return the batch normalization of x (n, channels, ...). A new tensor.

    Each channel gets mean 0 and variance 1, then is scaled by ``weight`` and shifted by ``bias``.

    In training mean and variance are those of the batch, and the running ones are moved towards
    them, in place; otherwise the running ones are taken.

    >>> import strided
    >>> x = strided.tensor([[1.0], [3.0]])
    >>> mean, variance = strided.zeros(1), strided.ones(1)
    >>> strided.nn.batch_norm(x, mean, variance, training=True, eps=0.0).tolist()
    [[-1.0], [1.0]]
    >>> strided.allclose(mean, strided.tensor([0.2]))
    True
    """
    if input.ndim < 2:
        raise ShapeMismatch(
            operation="batch_norm",
            expected=(-1, -1),
            got=tuple(input.shape),
            hint="give (batch, channels, ...)",
        )
    ones = (1,) * (input.ndim - 2)
    if not training:
        if running_mean is None or running_var is None:
            raise InvalidArgument(
                argument="running_mean",
                got="None",
                requirement="and running_var must be given where training=False",
            )
        factor = (running_var + eps).rsqrt()
        factor = factor if weight is None else factor * weight
        shift = -running_mean * factor
        shift = shift if bias is None else shift + bias
        return input * factor.unflatten(0, (-1, *ones)) + shift.unflatten(0, (-1, *ones))
    count = input.numel() // max(1, input.shape[1])
    if count < 2:
        raise InvalidArgument(
            argument="input",
            got=f"shape {tuple(input.shape)}",
            requirement="must have more than one element per channel in training",
        )
    made, mean, variance = channel_norm(input, weight, bias, eps)
    if running_mean is not None:
        update(running_mean, mean.detach(), momentum)
    if running_var is not None:
        update(running_var, variance.detach() * (count / (count - 1)), momentum)
    return made


def update(running: Tensor, found: Tensor, momentum: float) -> None:
    """Update a running statistic of every channel in place."""
    plain = running.detach()
    plain += (found.to(plain.dtype) - plain) * momentum


class Statistics(Module):
    """Base of layers with running statistics of each channel."""

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
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        check_device(device)
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

    def reset_running_stats(self) -> None:
        """Set running statistics back in place: means 0, variances 1.

        >>> import strided
        >>> layer = strided.nn.BatchNorm1d(1)
        >>> _ = layer(strided.tensor([[1.0], [3.0]]))
        >>> layer.reset_running_stats()
        >>> layer.running_mean.tolist()
        [0.0]
        """
        if self.running_mean is not None and self.running_var is not None:
            self.running_mean.zero_()
            self.running_var.fill_(1)
            self.num_batches_tracked.zero_()

    def reset_parameters(self) -> None:
        """Set running statistics, weight and bias back in place.

        >>> import strided
        >>> layer = strided.nn.BatchNorm1d(1)
        >>> layer.reset_parameters()
        >>> layer.weight.tolist()
        [1.0]
        """
        self.reset_running_stats()
        if self.weight is not None and self.bias is not None:
            self.weight.detach().fill_(1)
            self.bias.detach().zero_()

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
            if self.momentum is None:  # the cumulative mean of all batches
                momentum = 1.0 / self.num_batches_tracked.item()
        batch = self.training or self.running_mean is None
        given = updates or not self.training
        return batch_norm(
            x,
            self.running_mean if given else None,
            self.running_var if given else None,
            self.weight,
            self.bias,
            batch,
            momentum,
            self.eps,
        )


class BatchNorm1d(Statistics):
    """Batch normalization of (batch, channels) or (batch, channels, length).

    Training uses the statistics of the batch and averages them for evaluation.

    >>> import strided
    >>> layer = strided.nn.BatchNorm1d(3)
    >>> layer(strided.rand(8, 3)).shape
    (8, 3)
    """

    _ranks = (2, 3)


class BatchNorm2d(Statistics):
    """Batch normalization of images (batch, channels, height, width).

    Training uses the statistics of the batch and averages them for evaluation.

    >>> import strided
    >>> strided.nn.BatchNorm2d(3)(strided.rand(2, 3, 4, 4)).shape
    (2, 3, 4, 4)
    """

    _ranks = (4,)


class BatchNorm3d(Statistics):
    """Batch normalization of volumes (batch, channels, depth, height, width).

    Training uses the statistics of the batch and averages them for evaluation.

    >>> import strided
    >>> strided.nn.BatchNorm3d(3)(strided.rand(2, 3, 4, 4, 4)).shape
    (2, 3, 4, 4, 4)
    """

    _ranks = (5,)
