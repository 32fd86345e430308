"""Adam and AdamW: steps scaled by running means of the gradient and of its square."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable, Sequence
from typing import Any

from strided import _native
from strided._native import Tensor
from strided.errors import InvalidArgument
from strided.ops.deferred import compute
from strided.ops.fused import Compiled
from strided.optim.optimizer import Bucket, Group, Optimizer

# Dtypes of which the step has a kernel; others, and AMSGrad, are fused functions.
_NATIVE = (_native.float32, _native.float64)


@functools.cache
def _update(decay: str, amsgrad: bool, maximize: bool) -> Compiled:
    def new_values(tensors: Sequence[Any], numbers: Sequence[Any]) -> tuple[Any, ...]:
        p, g, mean, square, *largest = tensors
        rate, eps, share1, share2, shrink, weight_decay = numbers
        if maximize:
            g = -g
        if decay == "decoupled":
            p = p * shrink
        elif decay == "coupled":
            g = compute("addcmul", g, p, weight_decay)
        mean = compute("lerp", mean, g, share1)
        square = compute("lerp", square, g * g, share2)
        seen = largest[0].maximum(square) if amsgrad else square
        moved = compute("addcdiv", p, mean * rate, seen.sqrt() + eps)
        return (moved, mean, square, seen) if amsgrad else (moved, mean, square)

    return Compiled(new_values, 5 if amsgrad else 4, 6)


class Adam(Optimizer):
    """Adam (Kingma and Ba 2014, arXiv:1412.6980), with AMSGrad and weight decay as in PyTorch.

    >>> import strided
    >>> weight = strided.nn.Parameter(strided.ones(1))
    >>> optimizer = strided.optim.Adam([weight], lr=0.1)
    >>> weight.grad = strided.full((1,), 3.0)
    >>> optimizer.step()
    >>> round(weight.item(), 6)
    0.9
    """

    _decay = "coupled"

    def __init__(
        self,
        params: Iterable[Any],
        lr: float = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0.0,
        amsgrad: bool = False,
        *,
        maximize: bool = False,
    ) -> None:
        settings = {
            "lr": lr,
            "betas": betas,
            "eps": eps,
            "weight_decay": weight_decay,
            "amsgrad": amsgrad,
            "maximize": maximize,
        }
        super().__init__(params, settings)

    def _check_group(self, group: Group) -> None:
        if not all(0.0 <= beta < 1.0 for beta in group["betas"]):
            raise InvalidArgument(
                argument="betas", got=str(group["betas"]), requirement="must lie in [0, 1)"
            )

    def _update(self, bucket: Bucket, grad: Tensor, group: Group, step: int) -> None:
        beta1, beta2 = group["betas"]
        lr, weight_decay = group["lr"], group["weight_decay"]
        mean, square = bucket.tensor("exp_avg", 0.0), bucket.tensor("exp_avg_sq", 0.0)
        p = bucket.data
        # Both bias corrections are folded into two numbers, so that elements are multiplied once.
        root = math.sqrt(1.0 - beta2**step)
        rate, eps = -lr * root / (1.0 - beta1**step), group["eps"] * root
        share1, share2 = 1.0 - beta1, 1.0 - beta2
        decay = self._decay if weight_decay else ""
        shrink = 1.0 - lr * weight_decay if decay == "decoupled" else 1.0
        added = weight_decay if decay == "coupled" else 0.0
        maximize = group["maximize"]
        if not group["amsgrad"] and p.dtype in _NATIVE and grad.dtype is p.dtype:
            _native.adam_step(
                p, grad, mean, square, rate, eps, share1, share2, shrink, added, maximize
            )
            return
        moments = [mean, square]
        if group["amsgrad"]:
            moments.append(bucket.tensor("max_exp_avg_sq", 0.0))
        numbers = (rate, eps, share1, share2, shrink, added)
        run = _update(decay, group["amsgrad"], maximize)
        run((p, grad, *moments), numbers, (p, *moments))


class AdamW(Adam):
    """AdamW: Adam with decoupled weight decay (Loshchilov 2017, arXiv:1711.05101).

    >>> import strided
    >>> weight = strided.nn.Parameter(strided.ones(1))
    >>> optimizer = strided.optim.AdamW([weight], lr=0.1)
    >>> weight.grad = strided.zeros(1)
    >>> optimizer.step()
    >>> round(weight.item(), 6)
    0.999
    """

    _decay = "decoupled"

    def __init__(
        self,
        params: Iterable[Any],
        lr: float = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 1e-2,
        amsgrad: bool = False,
        *,
        maximize: bool = False,
    ) -> None:
        super().__init__(params, lr, betas, eps, weight_decay, amsgrad, maximize=maximize)
