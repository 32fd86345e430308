"""Adagrad: steps scaled by the sum of squared gradients."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from typing import Any

from strided._native import Tensor
from strided.ops.deferred import compute
from strided.ops.fused import Compiled
from strided.optim.optimizer import Bucket, Group, Optimizer


@functools.cache
def _adagrad(decays: bool, maximize: bool) -> Compiled:
    def new_values(tensors: Sequence[Any], numbers: Sequence[Any]) -> tuple[Any, ...]:
        p, g, total = tensors
        rate, eps, weight_decay = numbers
        if maximize:
            g = -g
        if decays:
            g = compute("addcmul", g, p, weight_decay)
        total = compute("addcmul", total, g, g)
        return compute("addcdiv", p, g * rate, total.sqrt() + eps), total

    return Compiled(new_values, 3, 3)


class Adagrad(Optimizer):
    """Adagrad: gradients divided by the root of the sum of their squares (Duchi et al. 2011).

    >>> import strided
    >>> weight = strided.nn.Parameter(strided.ones(1))
    >>> optimizer = strided.optim.Adagrad([weight], lr=0.1)
    >>> weight.grad = strided.full((1,), 7.0)
    >>> optimizer.step()
    >>> round(weight.item(), 6)
    0.9
    """

    _not_negative = ("lr", "lr_decay", "weight_decay", "initial_accumulator_value", "eps")

    def __init__(
        self,
        params: Iterable[Any],
        lr: float = 1e-2,
        lr_decay: float = 0.0,
        weight_decay: float = 0.0,
        initial_accumulator_value: float = 0.0,
        eps: float = 1e-10,
        *,
        maximize: bool = False,
    ) -> None:
        settings = {
            "lr": lr,
            "lr_decay": lr_decay,
            "weight_decay": weight_decay,
            "initial_accumulator_value": initial_accumulator_value,
            "eps": eps,
            "maximize": maximize,
        }
        super().__init__(params, settings)

    def _update(self, bucket: Bucket, grad: Tensor, group: Group, step: int) -> None:
        total = bucket.tensor("sum", group["initial_accumulator_value"])
        rate = -group["lr"] / (1.0 + (step - 1) * group["lr_decay"])
        run = _adagrad(group["weight_decay"] != 0, group["maximize"])
        run(
            (bucket.data, grad, total),
            (rate, group["eps"], group["weight_decay"]),
            (bucket.data, total),
        )
