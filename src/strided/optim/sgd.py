"""Stochastic gradient descent with momentum."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from typing import Any

from strided import _native
from strided._native import Tensor
from strided.errors import InvalidArgument
from strided.ops.deferred import compute
from strided.ops.fused import Compiled
from strided.optim.optimizer import Bucket, Group, Optimizer

# Dtypes of which the step has a kernel; others are fused functions.
_NATIVE = (_native.float32, _native.float64)


@functools.cache
def _update(decays: bool, momentum: bool, damped: bool, nesterov: bool, maximize: bool) -> Compiled:
    def new_values(tensors: Sequence[Any], numbers: Sequence[Any]) -> tuple[Any, ...]:
        p, g, *rest = tensors
        rate, decay, kept, share = numbers
        if maximize:
            g = -g
        if decays:
            g = compute("addcmul", g, p, decay)
        if not momentum:
            return (compute("addcmul", p, g, rate),)
        velocity = compute("addcmul", g * share if damped else g, rest[0], kept)
        g = compute("addcmul", g, velocity, kept) if nesterov else velocity
        return compute("addcmul", p, g, rate), velocity

    return Compiled(new_values, 3 if momentum else 2, 4)


class SGD(Optimizer):
    """Stochastic gradient descent, with momentum (Nesterov's too) and weight decay.

    >>> import strided
    >>> weight = strided.nn.Parameter(strided.ones(1))
    >>> optimizer = strided.optim.SGD([weight], lr=0.1, momentum=0.5)
    >>> for _ in range(2):
    ...     weight.grad = strided.ones(1)
    ...     optimizer.step()
    >>> round(weight.item(), 6)
    0.75
    """

    _not_negative = ("lr", "momentum", "weight_decay")

    def __init__(
        self,
        params: Iterable[Any],
        lr: float = 1e-3,
        momentum: float = 0.0,
        dampening: float = 0.0,
        weight_decay: float = 0.0,
        nesterov: bool = False,
        *,
        maximize: bool = False,
    ) -> None:
        settings = {
            "lr": lr,
            "momentum": momentum,
            "dampening": dampening,
            "weight_decay": weight_decay,
            "nesterov": nesterov,
            "maximize": maximize,
        }
        super().__init__(params, settings)

    def _check_group(self, group: Group) -> None:
        if group["nesterov"] and (group["momentum"] == 0 or group["dampening"] != 0):
            raise InvalidArgument(
                argument="nesterov",
                got="True",
                requirement="needs a momentum, and a dampening of zero",
            )

    def _update(self, bucket: Bucket, grad: Tensor, group: Group, step: int) -> None:
        momentum, decay = group["momentum"], group["weight_decay"]
        # The first velocity is the gradient itself, undamped.
        first = "momentum_buffer" not in bucket.state[0]
        share = 1.0 if first else 1.0 - group["dampening"]
        nesterov, maximize = group["nesterov"], group["maximize"]
        numbers = (-group["lr"], decay, momentum, share)
        p, velocity = bucket.data, bucket.tensor("momentum_buffer", 0.0) if momentum else None
        if p.dtype in _NATIVE and grad.dtype is p.dtype:
            _native.sgd_step(p, grad, velocity, *numbers, nesterov, maximize)
            return
        changed = (p,) if velocity is None else (p, velocity)
        run = _update(decay != 0, momentum != 0, share != 1.0, nesterov, maximize)
        run((p, grad, *changed[1:]), numbers, changed)
