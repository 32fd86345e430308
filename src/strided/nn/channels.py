"""Channels brought to mean 0 and variance 1, and the way back."""

from __future__ import annotations

from strided import _native
from strided._native import Tensor
from strided.autograd.differentiable import differentiable
from strided.autograd.rule import Backward, Call, Gradients, gradient_of
from strided.nn.graphs import recording


@differentiable
def channel_norm(
    x: Tensor, weight: Tensor | None, bias: Tensor | None, eps: float
) -> tuple[Tensor, Tensor, Tensor]:
    """Return x (n, channels, ...) normalised, its means, and its variances (of all elements).

    Gradients pass the first result only.
    """
    return _native.channel_norm(x, weight, bias, eps)


@gradient_of("channel_norm")
def _channel_norm(
    call: Call, x: Tensor, weight: Tensor | None, bias: Tensor | None, eps: float
) -> Backward:
    _, mean, variance = call.output
    saved = call.save(x, weight, mean, variance)
    wants_x, given = call.needs(0), (weight is not None, bias is not None)

    def backward(g: Tensor, *_unused: Tensor | None) -> Gradients:
        x, weight, mean, variance = saved()
        to_x: Tensor | None
        if recording():
            to_x, *numbers = _formula(g, x, weight, eps)
        else:
            to_x, *numbers = _native.channel_norm_gradients(
                g, x, weight, mean, variance, eps, wants_x
            )
        return to_x, *(one for one, wanted in zip(numbers, given, strict=True) if wanted)

    return backward


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
