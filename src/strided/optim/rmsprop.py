"""RMSprop: steps scaled by a running mean of squared gradients."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from typing import Any

from strided._native import Tensor
from strided.ops.deferred import compute
from strided.ops.fused import Compiled
from strided.optim.optimizer import Bucket, Group, Optimizer


@functools.cache
def _rmsprop(decays: bool, centered: bool, momentum: bool, maximize: bool) -> Compiled:
    def new_values(tensors: Sequence[Any], numbers: Sequence[Any]) -> tuple[Any, ...]:
        p, g, square, *rest = tensors
        rate, share, eps, weight_decay, kept = numbers
        if maximize:
            g = -g
        if decays:
            g = compute("addcmul", g, p, weight_decay)
        square = compute("lerp", square, g * g, share)
        changed, variance = [square], square
        if centered:
            mean: Any = compute("lerp", rest.pop(0), g, share)
            changed.append(mean)
            variance = square - mean * mean
        step = g / (variance.sqrt() + eps)
        if momentum:
            step = compute("addcmul", step, rest.pop(0), kept)
            changed.append(step)
        return (compute("addcmul", p, step, rate), *changed)

    return Compiled(new_values, 3 + centered + momentum, 5)


class RMSprop(Optimizer):
    """RMSprop: gradients divided by the root of a running mean of their squares (Hinton 2012).

    >>> import strided
    >>> weight = strided.nn.Parameter(strided.ones(1))
    >>> optimizer = strided.optim.RMSprop([weight], lr=0.01)
    >>> weight.grad = strided.ones(1)
    >>> optimizer.step()
    >>> round(weight.item(), 4)
    0.9
    """

    _not_negative = ("lr", "eps", "weight_decay", "momentum", "alpha")

    def __init__(
        self,
        params: Iterable[Any],
        lr: float = 1e-2,
        alpha: float = 0.99,
        eps: float = 1e-8,
        weight_decay: float = 0.0,
        momentum: float = 0.0,
        centered: bool = False,
        *,
        maximize: bool = False,
    ) -> None:
        settings = {
            "lr": lr,
            "alpha": alpha,
            "eps": eps,
            "weight_decay": weight_decay,
            "momentum": momentum,
            "centered": centered,
            "maximize": maximize,
        }
        super().__init__(params, settings)

    def _update(self, bucket: Bucket, grad: Tensor, group: Group, step: int) -> None:
        centered, momentum = group["centered"], group["momentum"]
        names = ["square_avg"]
        names += ["grad_avg"] if centered else []
        names += ["momentum_buffer"] if momentum > 0 else []
        state = [bucket.tensor(name, 0.0) for name in names]
        decay = group["weight_decay"]
        numbers = (-group["lr"], 1.0 - group["alpha"], group["eps"], decay, momentum)
        run = _rmsprop(decay != 0, centered, momentum > 0, group["maximize"])
        run((bucket.data, grad, *state), numbers, (bucket.data, *state))
