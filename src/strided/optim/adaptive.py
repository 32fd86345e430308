"""Optimization algorithms with elementwise updates beside SGD and Adam: eight more."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable, Sequence
from typing import Any, ClassVar

from strided._native import Tensor
from strided.errors import InvalidArgument
from strided.ops.deferred import compute
from strided.ops.fused import Compiled
from strided.optim.algorithms import decayed
from strided.optim.optimizer import Bucket, Group, Optimizer, check_ways


def expect_betas(group: Group) -> None:
    """Raise InvalidArgument for shares outside of [0, 1)."""
    if not all(0.0 <= beta < 1.0 for beta in group["betas"]):
        raise InvalidArgument(
            argument="betas", got=str(group["betas"]), requirement="must lie in [0, 1)"
        )


@functools.cache
def _adadelta(decays: bool, maximize: bool) -> Compiled:
    def new_values(tensors: Sequence[Any], numbers: Sequence[Any]) -> tuple[Any, ...]:
        p, g, square, moved = tensors
        rate, share, eps, weight_decay = numbers
        g = decayed(-g if maximize else g, p, weight_decay if decays else None)
        square = compute("lerp", square, g * g, share)
        step = (moved + eps).sqrt() / (square + eps).sqrt() * g
        moved = compute("lerp", moved, step * step, share)
        return compute("addcmul", p, step, rate), square, moved

    return Compiled(new_values, 4, 4)


class Adadelta(Optimizer):
    """Adadelta (Zeiler 2012, arXiv:1212.5701): steps in the units of the parameters.

    >>> import strided
    >>> weight = strided.nn.Parameter(strided.ones(1))
    >>> optimizer = strided.optim.Adadelta([weight])
    >>> weight.grad = strided.ones(1)
    >>> optimizer.step()
    >>> round(weight.item(), 4)
    0.9968
    """

    _not_negative = ("lr", "eps", "weight_decay")

    def __init__(
        self,
        params: Iterable[Any],
        lr: float = 1.0,
        rho: float = 0.9,
        eps: float = 1e-6,
        weight_decay: float = 0.0,
        *,
        maximize: bool = False,
        **ways: Any,
    ) -> None:
        check_ways(type(self).__name__, ways)
        settings = {
            "lr": lr,
            "rho": rho,
            "eps": eps,
            "weight_decay": weight_decay,
            "maximize": maximize,
        }
        super().__init__(params, settings)

    def _update(self, bucket: Bucket, grad: Tensor, group: Group, step: int) -> None:
        state = [bucket.tensor(name, 0.0) for name in ("square_avg", "acc_delta")]
        numbers = (-group["lr"], 1.0 - group["rho"], group["eps"], group["weight_decay"])
        run = _adadelta(group["weight_decay"] != 0, group["maximize"])
        run((bucket.data, grad, *state), numbers, (bucket.data, *state))


@functools.cache
def _adamax(decays: bool, maximize: bool) -> Compiled:
    def new_values(tensors: Sequence[Any], numbers: Sequence[Any]) -> tuple[Any, ...]:
        p, g, mean, largest = tensors
        rate, share, beta, eps, weight_decay = numbers
        g = decayed(-g if maximize else g, p, weight_decay if decays else None)
        mean = compute("lerp", mean, g, share)
        largest = (largest * beta).maximum(compute("absolute", g) + eps)
        return compute("addcdiv", p, mean * rate, largest), mean, largest

    return Compiled(new_values, 4, 5)


class Adamax(Optimizer):
    """Adamax: Adam by the largest gradients seen (Kingma and Ba 2014, arXiv:1412.6980).

    >>> import strided
    >>> weight = strided.nn.Parameter(strided.ones(1))
    >>> optimizer = strided.optim.Adamax([weight], lr=0.1)
    >>> weight.grad = strided.full((1,), 3.0)
    >>> optimizer.step()
    >>> round(weight.item(), 6)
    0.9
    """

    def __init__(
        self,
        params: Iterable[Any],
        lr: float = 2e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0.0,
        *,
        maximize: bool = False,
        **ways: Any,
    ) -> None:
        check_ways(type(self).__name__, ways)
        settings = {
            "lr": lr,
            "betas": betas,
            "eps": eps,
            "weight_decay": weight_decay,
            "maximize": maximize,
        }
        super().__init__(params, settings)

    def _check_group(self, group: Group) -> None:
        expect_betas(group)

    def _update(self, bucket: Bucket, grad: Tensor, group: Group, step: int) -> None:
        beta1, beta2 = group["betas"]
        state = [bucket.tensor(name, 0.0) for name in ("exp_avg", "exp_inf")]
        rate = -group["lr"] / (1.0 - beta1**step)
        numbers = (rate, 1.0 - beta1, beta2, group["eps"], group["weight_decay"])
        run = _adamax(group["weight_decay"] != 0, group["maximize"])
        run((bucket.data, grad, *state), numbers, (bucket.data, *state))


@functools.cache
def _nadam(decay: str, maximize: bool) -> Compiled:
    def new_values(tensors: Sequence[Any], numbers: Sequence[Any]) -> tuple[Any, ...]:
        p, g, mean, square = tensors
        own, past, share1, share2, root, eps, shrink, weight_decay = numbers
        g = decayed(-g if maximize else g, p, weight_decay if decay == "coupled" else None)
        if decay == "decoupled":
            p = p * shrink
        mean = compute("lerp", mean, g, share1)
        square = compute("lerp", square, g * g, share2)
        below = square.sqrt() * root + eps
        p = compute("addcdiv", p, g * own, below)
        return compute("addcdiv", p, mean * past, below), mean, square

    return Compiled(new_values, 4, 8)


class NAdam(Optimizer):
    """NAdam: Adam with Nesterov momentum (Dozat 2016).

    >>> import strided
    >>> weight = strided.nn.Parameter(strided.ones(1))
    >>> optimizer = strided.optim.NAdam([weight], lr=0.1)
    >>> weight.grad = strided.full((1,), 3.0)
    >>> optimizer.step()
    >>> round(weight.item(), 4)
    0.8944
    """

    _not_negative = ("lr", "weight_decay", "eps", "momentum_decay")

    def __init__(
        self,
        params: Iterable[Any],
        lr: float = 2e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0.0,
        momentum_decay: float = 4e-3,
        decoupled_weight_decay: bool = False,
        *,
        maximize: bool = False,
        **ways: Any,
    ) -> None:
        check_ways(type(self).__name__, ways)
        settings = {
            "lr": lr,
            "betas": betas,
            "eps": eps,
            "weight_decay": weight_decay,
            "momentum_decay": momentum_decay,
            "decoupled_weight_decay": decoupled_weight_decay,
            "maximize": maximize,
        }
        super().__init__(params, settings)

    def _check_group(self, group: Group) -> None:
        expect_betas(group)

    def _update(self, bucket: Bucket, grad: Tensor, group: Group, step: int) -> None:
        beta1, beta2 = group["betas"]
        lr, weight_decay = group["lr"], group["weight_decay"]
        fade = 0.96 ** group["momentum_decay"]
        here = beta1 * (1.0 - 0.5 * fade**step)
        next_one = beta1 * (1.0 - 0.5 * fade ** (step + 1))
        product = bucket.state[0].get("mu_product", 1.0) * here
        for state in bucket.state:
            state["mu_product"] = product
        decay = "decoupled" if group["decoupled_weight_decay"] else "coupled"
        decay = decay if weight_decay else ""
        moments = [bucket.tensor(name, 0.0) for name in ("exp_avg", "exp_avg_sq")]
        numbers = (
            -lr * (1.0 - here) / (1.0 - product),
            -lr * next_one / (1.0 - product * next_one),
            1.0 - beta1,
            1.0 - beta2,
            1.0 / math.sqrt(1.0 - beta2**step),
            group["eps"],
            1.0 - lr * weight_decay if decay == "decoupled" else 1.0,
            weight_decay if decay == "coupled" else 0.0,
        )
        run = _nadam(decay, group["maximize"])
        run((bucket.data, grad, *moments), numbers, (bucket.data, *moments))


@functools.cache
def _radam(decay: str, rectified: bool, maximize: bool) -> Compiled:
    def new_values(tensors: Sequence[Any], numbers: Sequence[Any]) -> tuple[Any, ...]:
        p, g, mean, square = tensors
        rate, share1, share2, eps, shrink, weight_decay = numbers
        g = decayed(-g if maximize else g, p, weight_decay if decay == "coupled" else None)
        if decay == "decoupled":
            p = p * shrink
        mean = compute("lerp", mean, g, share1)
        square = compute("lerp", square, g * g, share2)
        if rectified:
            return compute("addcdiv", p, mean * rate, square.sqrt() + eps), mean, square
        return compute("addcmul", p, mean, rate), mean, square

    return Compiled(new_values, 4, 6)


class RAdam(Optimizer):
    """RAdam: Adam whose first steps are rectified (Liu et al. 2019, arXiv:1908.03265).

    >>> import strided
    >>> weight = strided.nn.Parameter(strided.ones(1))
    >>> optimizer = strided.optim.RAdam([weight], lr=0.1)
    >>> weight.grad = strided.full((1,), 3.0)
    >>> optimizer.step()
    >>> round(weight.item(), 4)
    0.7
    """

    def __init__(
        self,
        params: Iterable[Any],
        lr: float = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0.0,
        decoupled_weight_decay: bool = False,
        *,
        maximize: bool = False,
        **ways: Any,
    ) -> None:
        check_ways(type(self).__name__, ways)
        settings = {
            "lr": lr,
            "betas": betas,
            "eps": eps,
            "weight_decay": weight_decay,
            "decoupled_weight_decay": decoupled_weight_decay,
            "maximize": maximize,
        }
        super().__init__(params, settings)

    def _check_group(self, group: Group) -> None:
        expect_betas(group)

    def _update(self, bucket: Bucket, grad: Tensor, group: Group, step: int) -> None:
        beta1, beta2 = group["betas"]
        lr, weight_decay = group["lr"], group["weight_decay"]
        decay = "decoupled" if group["decoupled_weight_decay"] else "coupled"
        decay = decay if weight_decay else ""
        moments = [bucket.tensor(name, 0.0) for name in ("exp_avg", "exp_avg_sq")]
        whole, left = 2.0 / (1.0 - beta2) - 1.0, beta2**step
        length = whole - 2.0 * step * left / (1.0 - left)
        rate, rectified = -lr / (1.0 - beta1**step), length > 5.0
        if rectified:
            above = (length - 4.0) * (length - 2.0) * whole
            below = (whole - 4.0) * (whole - 2.0) * length
            rate *= math.sqrt(above / below) * math.sqrt(1.0 - left)
        numbers = (
            rate,
            1.0 - beta1,
            1.0 - beta2,
            group["eps"],
            1.0 - lr * weight_decay if decay == "decoupled" else 1.0,
            weight_decay if decay == "coupled" else 0.0,
        )
        run = _radam(decay, rectified, group["maximize"])
        run((bucket.data, grad, *moments), numbers, (bucket.data, *moments))


class ASGD(Optimizer):
    """Averaged stochastic gradient descent (Polyak and Juditsky 1992).

    The state ``ax`` is the average of the parameters.

    >>> import strided
    >>> weight = strided.nn.Parameter(strided.ones(1))
    >>> optimizer = strided.optim.ASGD([weight], lr=0.5)
    >>> weight.grad = strided.ones(1)
    >>> optimizer.step()
    >>> round(weight.item(), 3)
    0.5
    """

    _not_negative = ("lr", "weight_decay")

    def __init__(
        self,
        params: Iterable[Any],
        lr: float = 1e-2,
        lambd: float = 1e-4,
        alpha: float = 0.75,
        t0: float = 1e6,
        weight_decay: float = 0.0,
        *,
        maximize: bool = False,
        **ways: Any,
    ) -> None:
        check_ways(type(self).__name__, ways)
        settings = {
            "lr": lr,
            "lambd": lambd,
            "alpha": alpha,
            "t0": t0,
            "weight_decay": weight_decay,
            "maximize": maximize,
        }
        super().__init__(params, settings)

    def _update(self, bucket: Bucket, grad: Tensor, group: Group, step: int) -> None:
        p = bucket.data
        own: dict[str, float] = bucket.state[0]
        rate = own.get("eta", float(group["lr"]))
        share = own.get("mu", 1.0)
        g = -grad if group["maximize"] else grad
        if group["weight_decay"]:
            g = g + p * group["weight_decay"]
        p.mul_(1.0 - group["lambd"] * rate)
        p.sub_(g * rate)
        average = bucket.tensor("ax", 0.0)
        average.add_((p - average) * share) if share != 1.0 else average.copy_(p)
        lr, lambd = group["lr"], group["lambd"]
        for state in bucket.state:
            state["eta"] = lr / (1.0 + lambd * lr * step) ** group["alpha"]
            state["mu"] = 1.0 / max(1.0, step - group["t0"])


class Rprop(Optimizer):
    """Resilient backpropagation (Riedmiller and Braun 1993): steps by the signs of gradients.

    >>> import strided
    >>> weight = strided.nn.Parameter(strided.ones(1))
    >>> optimizer = strided.optim.Rprop([weight], lr=0.25)
    >>> weight.grad = strided.full((1,), 7.0)
    >>> optimizer.step()
    >>> weight.item()
    0.75
    """

    _not_negative: ClassVar[tuple[str, ...]] = ("lr",)

    def __init__(
        self,
        params: Iterable[Any],
        lr: float = 1e-2,
        etas: tuple[float, float] = (0.5, 1.2),
        step_sizes: tuple[float, float] = (1e-6, 50.0),
        *,
        maximize: bool = False,
        **ways: Any,
    ) -> None:
        check_ways(type(self).__name__, ways)
        settings = {"lr": lr, "etas": etas, "step_sizes": step_sizes, "maximize": maximize}
        super().__init__(params, settings)

    def _check_group(self, group: Group) -> None:
        low, high = group["etas"]
        if not 0.0 < low < 1.0 < high:
            raise InvalidArgument(
                argument="etas",
                got=str(group["etas"]),
                requirement="must be one factor below 1 and one above it",
            )

    def _update(self, bucket: Bucket, grad: Tensor, group: Group, step: int) -> None:
        (low, high), (least, most) = group["etas"], group["step_sizes"]
        before, size = bucket.tensor("prev", 0.0), bucket.tensor("step_size", group["lr"])
        g = -grad if group["maximize"] else grad
        turn = (g * before).sign()
        factor = _by_sign(turn, low, high)
        size.mul_(factor).clamp_(least, most)
        g = g * (turn >= 0).to(g.dtype)  # no step where the sign changed
        bucket.data.sub_(g.sign() * size)
        before.copy_(g)


def _by_sign(turn: Tensor, low: float, high: float) -> Tensor:
    """Return a factor for each sign: low, 1 or high."""
    changed, kept = (turn < 0).to(turn.dtype), (turn > 0).to(turn.dtype)
    return changed * (low - 1.0) + kept * (high - 1.0) + 1.0
