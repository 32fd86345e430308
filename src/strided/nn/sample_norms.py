"""Instance normalization and local response normalization, and their modules."""

from __future__ import annotations

from typing import Any, ClassVar

from strided._native import Tensor
from strided.errors import InvalidArgument, ShapeMismatch
from strided.nn.batch_norm import Statistics, batch_norm, channel_norm, update
from strided.nn.module import Module
from strided.nn.padding import pad
from strided.ops.define import operation


@operation(namespace="nn")
def instance_norm(
    input: Tensor,
    running_mean: Tensor | None = None,
    running_var: Tensor | None = None,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    use_input_stats: bool = True,
    momentum: float = 0.1,
    eps: float = 1e-5,
) -> Tensor:
    """Return the instance normalization of x (n, channels, ...). A new tensor.

    Each channel of each sample gets mean 0 and variance 1, then is scaled by ``weight`` and
    shifted by ``bias``. Running statistics are moved towards the mean over samples, in place.

    >>> import strided
    >>> x = strided.tensor([[[1.0, 3.0], [5.0, 9.0]]])
    >>> strided.nn.instance_norm(x, eps=0.0).tolist()
    [[[-1.0, 1.0], [-1.0, 1.0]]]
    """
    if input.ndim < 3:
        raise ShapeMismatch(
            operation="instance_norm",
            expected=(-1, -1, -1),
            got=tuple(input.shape),
            hint="give (batch, channels, ...)",
        )
    if not use_input_stats:
        return batch_norm(input, running_mean, running_var, weight, bias, False, momentum, eps)
    n, channels = input.shape[:2]
    count = input[0, 0].numel()
    if count < 2:
        raise InvalidArgument(
            argument="input",
            got=f"shape {tuple(input.shape)}",
            requirement="must have more than one element per channel",
        )
    flat = input.reshape((1, n * channels, *input.shape[2:]))
    made, mean, variance = channel_norm(flat, None, None, eps)
    for running, found in (
        (running_mean, mean.detach()),
        (running_var, variance.detach() * (count / (count - 1))),
    ):
        if running is not None:
            update(running, found.reshape(n, channels).mean(0), momentum)
    made = made.reshape(tuple(input.shape))
    ones = (1,) * (input.ndim - 2)
    if weight is not None:
        made = made * weight.unflatten(0, (-1, *ones))
    return made if bias is None else made + bias.unflatten(0, (-1, *ones))


@operation(namespace="nn")
def local_response_norm(
    input: Tensor, size: int, alpha: float = 1e-4, beta: float = 0.75, k: float = 1.0
) -> Tensor:
    """Return x divided by a power of the mean square of neighbouring channels. A new tensor.

    >>> import strided
    >>> x = strided.ones(1, 2, 1)
    >>> strided.nn.local_response_norm(x, 1, alpha=3.0, beta=0.5).flatten().tolist()
    [0.5, 0.5]
    """
    if input.ndim < 3:
        raise ShapeMismatch(
            operation="local_response_norm",
            expected=(-1, -1, -1),
            got=tuple(input.shape),
            hint="give (batch, channels, ...)",
        )
    squares = input.square().movedim(1, -1)
    around = pad(squares, (size // 2, (size - 1) // 2))
    mean = around.unfold(-1, size, 1).mean(-1).movedim(-1, 1)
    return input / (mean * alpha + k).pow(beta)


class _InstanceNorm(Statistics):
    _axes: ClassVar[int]

    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float = 0.1,
        affine: bool = False,
        track_running_stats: bool = False,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__(num_features, eps, momentum, affine, track_running_stats, device, dtype)

    def forward(self, input: Tensor) -> Tensor:
        if input.ndim not in (self._axes + 1, self._axes + 2):
            raise InvalidArgument(
                argument="input",
                got=f"of rank {input.ndim}",
                requirement=f"must have rank {self._axes + 2}, or {self._axes + 1} for one sample",
            )
        x = input if input.ndim == self._axes + 2 else input.unsqueeze(0)
        made = instance_norm(
            x,
            self.running_mean,
            self.running_var,
            self.weight,
            self.bias,
            self.training or not self.track_running_stats,
            0.0 if self.momentum is None else self.momentum,
            self.eps,
        )
        return made if x is input else made.squeeze(0)


class InstanceNorm1d(_InstanceNorm):
    """Instance normalization of signals (batch, channels, length).

    >>> import strided
    >>> strided.nn.InstanceNorm1d(3)(strided.rand(2, 3, 4)).shape
    (2, 3, 4)
    """

    _axes = 1


class InstanceNorm2d(_InstanceNorm):
    """Instance normalization of images (batch, channels, height, width).

    >>> import strided
    >>> strided.nn.InstanceNorm2d(3)(strided.rand(2, 3, 4, 4)).shape
    (2, 3, 4, 4)
    """

    _axes = 2


class InstanceNorm3d(_InstanceNorm):
    """Instance normalization of volumes (batch, channels, depth, height, width).

    >>> import strided
    >>> strided.nn.InstanceNorm3d(3)(strided.rand(2, 3, 4, 4, 4)).shape
    (2, 3, 4, 4, 4)
    """

    _axes = 3


class LocalResponseNorm(Module):
    """Division by a power of the mean square of neighbouring channels.

    >>> import strided
    >>> strided.nn.LocalResponseNorm(2)(strided.rand(2, 3, 4)).shape
    (2, 3, 4)
    """

    _shown = ("size", "alpha", "beta", "k")

    def __init__(self, size: int, alpha: float = 1e-4, beta: float = 0.75, k: float = 1.0) -> None:
        self.size, self.alpha, self.beta, self.k = size, alpha, beta, k

    def forward(self, input: Tensor) -> Tensor:
        return local_response_norm(input, self.size, self.alpha, self.beta, self.k)
