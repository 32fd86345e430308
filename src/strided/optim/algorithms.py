"""Optimization algorithms: SGD, Adam and AdamW, RMSprop, Adagrad."""

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
from strided.optim.optimizer import Bucket, Group, Optimizer, check_ways

# Dtypes of which SGD and Adam have kernels; others, and AMSGrad, are fused functions.
_NATIVE = (_native.float32, _native.float64)


def decayed(g: Any, p: Any, decay: Any) -> Any:
    """Return a gradient with weight decay, unless that is None."""
    return g if decay is None else compute("addcmul", g, p, decay)


@functools.cache
def _sgd(decays: bool, momentum: bool, damped: bool, nesterov: bool, maximize: bool) -> Compiled:
    def new_values(tensors: Sequence[Any], numbers: Sequence[Any]) -> tuple[Any, ...]:
        p, g, *rest = tensors
        rate, decay, kept, share = numbers
        g = decayed(-g if maximize else g, p, decay if decays else None)
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
        **ways: Any,
    ) -> None:
        check_ways(type(self).__name__, ways)
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
        run = _sgd(decay != 0, momentum != 0, share != 1.0, nesterov, maximize)
        run((p, grad, *changed[1:]), numbers, changed)


@functools.cache
def _adam(decay: str, amsgrad: bool, maximize: bool) -> Compiled:
    def new_values(tensors: Sequence[Any], numbers: Sequence[Any]) -> tuple[Any, ...]:
        p, g, mean, square, *largest = tensors
        rate, eps, share1, share2, shrink, weight_decay = numbers
        g = decayed(-g if maximize else g, p, weight_decay if decay == "coupled" else None)
        if decay == "decoupled":
            p = p * shrink
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
        decoupled_weight_decay: bool = False,
        **ways: Any,
    ) -> None:
        check_ways(type(self).__name__, ways)
        if decoupled_weight_decay:
            self._decay = "decoupled"
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
        run = _adam(decay, group["amsgrad"], maximize)
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
        **ways: Any,
    ) -> None:
        check_ways(type(self).__name__, ways)
        super().__init__(params, lr, betas, eps, weight_decay, amsgrad, maximize=maximize)


@functools.cache
def _rmsprop(decays: bool, centered: bool, momentum: bool, maximize: bool) -> Compiled:
    def new_values(tensors: Sequence[Any], numbers: Sequence[Any]) -> tuple[Any, ...]:
        p, g, square, *rest = tensors
        rate, share, eps, weight_decay, kept = numbers
        g = decayed(-g if maximize else g, p, weight_decay if decays else None)
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
        **ways: Any,
    ) -> None:
        check_ways(type(self).__name__, ways)
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


@functools.cache
def _adagrad(decays: bool, maximize: bool) -> Compiled:
    def new_values(tensors: Sequence[Any], numbers: Sequence[Any]) -> tuple[Any, ...]:
        p, g, total = tensors
        rate, eps, weight_decay = numbers
        g = decayed(-g if maximize else g, p, weight_decay if decays else None)
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
        **ways: Any,
    ) -> None:
        check_ways(type(self).__name__, ways)
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
