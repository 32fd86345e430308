"""Rows, groups and channels brought to one size."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from strided import _native
from strided._native import Tensor
from strided.autograd.differentiable import differentiable
from strided.errors import InvalidArgument, ShapeMismatch
from strided.nn.channels import channel_norm


@differentiable
def rms_norm(
    x: Tensor,
    weight: Tensor | None = None,
    eps: float = 1e-6,
    *,
    out: Tensor | None = None,
    dtype: Any = None,
) -> Tensor:
    """Return ``x / sqrt(mean(x**2) + eps) * weight`` over the last axis. A new tensor, or ``out``.

    >>> import strided
    >>> strided.nn.rms_norm(strided.tensor([3.0, 3.0]), strided.tensor([1.0, 2.0]), 0.0).tolist()
    [1.0, 2.0]
    """
    return _native.rms_norm(x, weight, eps, out, dtype)


@differentiable
def row_norm(
    x: Tensor, weight: Tensor | None = None, bias: Tensor | None = None, eps: float = 1e-5
) -> Tensor:
    """Return ``layer_norm`` over the last axis. A new tensor."""
    return _native.layer_norm(x, weight, bias, eps, None, None)


def layer_norm(
    input: Tensor,
    normalized_shape: int | Sequence[int],
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    eps: float = 1e-5,
) -> Tensor:
    """Return x with mean 0 and variance 1 over its last axes, scaled and moved. A new tensor.

    >>> import strided
    >>> strided.nn.layer_norm(strided.tensor([[1.0, 3.0]]), 2, eps=0.0).tolist()
    [[-1.0, 1.0]]
    """
    shape = (normalized_shape,) if isinstance(normalized_shape, int) else tuple(normalized_shape)
    axes = len(shape)
    if axes == 0 or tuple(input.shape[-axes:]) != shape:
        raise ShapeMismatch(
            operation="layer_norm",
            expected=shape,
            got=tuple(input.shape),
            hint="normalized_shape says the last axes of the input",
        )
    if axes == 1:
        return row_norm(input, weight, bias, eps)
    for given in (weight, bias):
        if given is not None and tuple(given.shape) != shape:
            raise ShapeMismatch(
                operation="layer_norm",
                expected=shape,
                got=tuple(given.shape),
                hint="weight and bias have the normalized shape",
            )
    made = row_norm(
        input.flatten(-axes),
        None if weight is None else weight.flatten(),
        None if bias is None else bias.flatten(),
        eps,
    )
    return made.unflatten(-1, shape)


def group_norm(
    input: Tensor,
    num_groups: int,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    eps: float = 1e-5,
) -> Tensor:
    """Return x (n, channels, ...) with mean 0 and variance 1 per group of channels. A new tensor.

    >>> import strided
    >>> x = strided.tensor([[1.0, 3.0, 5.0, 5.0]])
    >>> strided.nn.group_norm(x, 2, eps=0.0).tolist()[0][:2]
    [-1.0, 1.0]
    """
    if input.ndim < 2 or num_groups < 1 or input.shape[1] % num_groups:
        raise InvalidArgument(
            argument="num_groups",
            got=str(num_groups),
            requirement=f"must divide the channels of an input of shape {tuple(input.shape)}",
        )
    grouped = input.flatten(1).unflatten(1, (num_groups, -1))
    made = row_norm(grouped, None, None, eps).flatten(1).unflatten(1, tuple(input.shape[1:]))
    ones = (1,) * (input.ndim - 2)
    if weight is not None:
        made = made * weight.unflatten(0, (-1, *ones))
    return made if bias is None else made + bias.unflatten(0, (-1, *ones))


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
    """Return x (n, channels, ...) with mean 0 and variance 1 per channel. A new tensor.

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
        _move(running_mean, mean.detach(), momentum)
    if running_var is not None:
        _move(running_var, variance.detach() * (count / (count - 1)), momentum)
    return made


def _move(running: Tensor, found: Tensor, momentum: float) -> None:
    """Move a running number of every channel towards what a batch has, in place."""
    plain = running.detach()
    plain += (found.to(plain.dtype) - plain) * momentum
