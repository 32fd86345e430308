"""Channels brought to mean 0 and variance 1, and the way back."""

from __future__ import annotations

from typing import Any

from strided._native import Tensor
from strided.autograd.differentiable import differentiable
from strided.autograd.rule import Backward, Call, Gradients, gradient_of
from strided.functions.fuse import fuse
from strided.nn.graphs import in_one_pass, recording


def _axes(x: Tensor) -> tuple[int, ...]:
    return (0, *range(2, x.ndim))


def _per_channel(values: Tensor, x: Tensor) -> Tensor:
    return values.unflatten(0, (-1, *(1,) * (x.ndim - 2)))


@fuse
def _applied(x: Any, mean: Any, factor: Any, shift: Any) -> Any:
    return (x - mean) * factor + shift


@differentiable
def channel_norm(
    x: Tensor, weight: Tensor | None, bias: Tensor | None, eps: float
) -> tuple[Tensor, Tensor, Tensor]:
    """Return x (n, channels, ...) normalised, its means, and its variances (of all elements)."""
    axes = _axes(x)
    mean, variance = x.mean(axes), x.var(axes, correction=0)
    factor = (variance + eps).rsqrt()
    factor = factor if weight is None else factor * weight
    shift = mean * 0 if bias is None else bias
    made = _applied(x, *(_per_channel(one, x) for one in (mean, factor, shift)))
    return made, mean, variance


@gradient_of("channel_norm")
def _channel_norm(
    call: Call, x: Tensor, weight: Tensor | None, bias: Tensor | None, eps: float
) -> Backward:
    _, mean, variance = call.output
    saved = call.save(x, weight, mean, variance)
    count, axes = x.numel() // max(1, x.shape[1]), _axes(x)

    def sums(g: Any, x: Any, mean: Any) -> Any:
        return g.sum(axes), (g * (x - mean)).sum(axes)

    def slope(g: Any, x: Any, mean: Any, even: Any, along: Any, factor: Any) -> Any:
        return (g - even - (x - mean) * along) * factor

    def backward(g: Tensor, *_unused: Tensor | None) -> Gradients:
        x, weight, mean, variance = saved()
        if recording():
            # Mean and variance depend on x, so they are computed anew, for the graph to see it.
            mean, variance = x.mean(axes), x.var(axes, correction=0)
        factor = (variance + eps).rsqrt()
        spread = _per_channel(mean, x)
        plain, along = in_one_pass(sums)(g, x, spread)
        scale = factor if weight is None else factor * weight
        given = (plain / count, along * factor * factor / count, scale)
        to_x = in_one_pass(slope)(g, x, spread, *(_per_channel(one, x) for one in given))
        gradients: list[Tensor | None] = [to_x]
        if weight is not None:
            gradients.append(along * factor)
        if bias is not None:
            gradients.append(plain)
        return gradients

    return backward
